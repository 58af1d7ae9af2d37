"""Who may see a project's text, by host."""

from __future__ import annotations

import pytest

from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Judge, Project, Verdict
from evaluation.services import judges, panel, panel_worker, receivers
from evaluation.services.judges import NewJudge
from tests import factories

pytestmark = pytest.mark.django_db


def make(project: Project, name: str, base_url: str = "", provider: str = "openai_chat") -> Judge:
    new = NewJudge(name, provider, "m", base_url=base_url, may_see_text=True)
    return judges.add(project=project, new=new)


def may_see(judge: Judge) -> bool:
    return receivers.is_allowed(judge, Project.objects.get().allowed_providers)


def listed(project: Project) -> dict[str, tuple[tuple[str, ...], bool]]:
    return {each.host: (each.judges, each.is_allowed) for each in receivers.receivers(project)}


@pytest.mark.parametrize(
    ("base_url", "host"),
    [
        ("", "api.openai.com"),
        ("http://127.0.0.1:8001/v1", "127.0.0.1:8001"),
        ("https://Gateway.Example/v1", "gateway.example"),
        ("https://me:secret@gateway.example/v1", "gateway.example"),
    ],
)
def test_text_goes_to_the_host_of_the_address(base_url: str, host: str) -> None:
    assert receivers.receiver_of(Judge(provider="openai_chat", base_url=base_url)) == host


def test_offline_judges_send_nothing_and_need_no_leave() -> None:
    judge = Judge(provider="offline")

    assert receivers.receiver_of(judge) == ""
    assert receivers.is_allowed(judge, ())


def test_a_server_of_ones_own_and_the_provider_are_two_receivers(project: Project) -> None:
    make(project, "Own", "http://127.0.0.1:8001/v1")
    make(project, "Far")
    make(project, "Farther")
    factories.make_judges(project, 1)

    assert listed(project) == {
        "127.0.0.1:8001": (("Own",), True),
        "api.openai.com": (("Far", "Farther"), True),
    }


def test_taking_a_server_away_stops_its_judges_and_no_others(project: Project) -> None:
    own, far = make(project, "Own", "http://127.0.0.1:8001/v1"), make(project, "Far")

    taken = receivers.allow_only(project=project, hosts=["127.0.0.1:8001", "elsewhere.example"])

    assert taken == ["api.openai.com"]
    assert Project.objects.get().allowed_providers == ["127.0.0.1:8001"]
    assert (may_see(own), may_see(far)) == (True, False)
    assert listed(project)["api.openai.com"] == (("Far",), False)


def test_a_provider_named_as_a_whole_allows_all_its_hosts_until_the_list_is_saved(project: Project) -> None:
    own, far = make(project, "Own", "http://127.0.0.1:8001/v1"), make(project, "Far")
    Project.objects.update(allowed_providers=["openai_chat"])

    assert (may_see(own), may_see(far)) == (True, True)
    assert all(is_allowed for _, is_allowed in listed(project).values())

    receivers.allow_only(project=project, hosts=["api.openai.com"])

    assert (may_see(own), may_see(far)) == (False, True)


def test_a_server_stays_listed_while_it_is_allowed_even_without_a_judge(project: Project) -> None:
    judge = make(project, "Far")
    judges.retire(judge=judge)

    assert listed(project) == {"api.openai.com": ((), True)}
    receivers.allow_only(project=project, hosts=[])
    assert listed(project) == {}


def test_a_server_that_is_taken_away_gets_nothing_more_of_a_run_under_way(project: Project) -> None:
    with LocalServer() as kept, LocalServer() as taken:
        asked = [factories.make_asked_judge(project, server.openai_url) for server in (kept, taken)]
        factories.make_claim(project)
        run = panel.open_run(project=project, by=None)
        receivers.allow_only(project=project, hosts=[receivers.receiver_of(asked[0])])

        panel_worker.drive(run_id=run.pk)

    failed = run.jobs.get(judge=asked[1])
    assert (len(kept.received), len(taken.received)) == (1, 0)
    assert "may not see this project's text" in failed.error
    assert Verdict.objects.get(judge=asked[0]).state == Verdict.State.CAST
