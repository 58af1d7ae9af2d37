"""What changes while a panel is at work (rules, permissions, judges, claims) holds for all that was not sent yet."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Claim, Job, Judge, Project, RubricEntry, Run, Verdict
from evaluation.services import judges, panel, panel_worker
from tests import factories
from tests.books import check_books

pytestmark = pytest.mark.django_db

N_CLAIMS = 5
N_OUT = 2  # questions that have gone when something happens
FROM_THEN_ON = [*[False] * N_OUT, *[True] * (N_CLAIMS - N_OUT)]


@pytest.fixture
def judge(project: Project, server: LocalServer) -> Judge:
    """A judge that is asked one question at a time about four claims; every question is ready when the first is out."""
    judge = factories.make_asked_judge(project, server.openai_url)
    Judge.objects.filter(pk=judge.pk).update(parameters={"max_concurrency": 1})
    for number in range(N_CLAIMS):
        response = factories.make_response(factories.make_instance(project), f"Ann says that {number} holds.")
        factories.make_claim(project, f"Ann says {number}.", response=response)
    return judge


def drive(project: Project, deed: Callable[[], object]) -> Run:
    """Let the panel work; when the first answer was stored and the second question is out, something happens."""
    done: list[Run] = []

    def said(run: Run) -> None:
        if not done:
            done.append(run)
            deed()

    return panel_worker.drive(run_id=panel.open_run(project=project, by=None).pk, said=said)


def test_nothing_more_is_sent_to_a_provider_that_is_forbidden(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    run = drive(project, lambda: Project.objects.update(allowed_providers=[]))

    assert run.state == Run.State.DONE
    assert len(server.received) == N_OUT
    after = [("failed", "config")] * (N_CLAIMS - N_OUT)
    assert list(run.jobs.values_list("state", "reason")) == [*[("done", "")] * N_OUT, *after]
    check_books(project)


def test_nothing_more_is_asked_of_a_judge_that_is_switched_off(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    run = drive(project, lambda: judges.retire(judge=judge))

    assert len(server.received) == N_OUT
    assert "was switched off" in run.message
    assert Verdict.objects.filter(state="cast").count() == N_OUT


def test_names_are_masked_from_the_moment_that_an_owner_asks_for_it(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    drive(project, lambda: Project.objects.update(deidentify={"emails": True, "phones": True, "names": ["Ann"]}))

    assert ["Ann" not in str(each.body) for each in server.received] == FROM_THEN_ON
    assert Verdict.objects.filter(state="cast").count() == N_CLAIMS


def test_a_rule_that_is_adopted_is_shown_in_every_later_question(
    project: Project, judge: Judge, server: LocalServer, owner: User
) -> None:
    def adopt() -> None:
        RubricEntry.objects.create(
            project=project, kind="statement", criterion="Brass counts as gold.", status="active"
        )
        Project.objects.update(rubric_version=1)

    drive(project, adopt)

    assert ["Brass" in str(each.body) for each in server.received] == FROM_THEN_ON
    shown = Verdict.objects.order_by("pk").values_list("rubric_entries", flat=True)
    assert [bool(entries) for entries in shown] == FROM_THEN_ON


def test_a_job_whose_claims_are_gone_fails_and_stops_nobody(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    run = panel.open_run(project=project, by=None)
    Claim.objects.filter(pk=project.claims.latest("pk").pk).delete()

    ended = panel_worker.drive(run_id=run.pk)

    assert ended.state == Run.State.DONE
    assert sorted(Job.objects.values_list("state", flat=True)) == [*["done"] * (N_CLAIMS - 1), "failed"]
    assert Job.objects.get(state="failed").error


def test_a_judge_that_failed_for_good_is_asked_nothing_about_claims_that_were_found_later(
    project: Project, server: LocalServer
) -> None:
    with LocalServer() as other:
        factories.make_asked_judge(project, server.openai_url)
        factories.make_asked_judge(project, other.openai_url)
        instance = factories.make_instance(project, sources=["The fridge holds 84 litres."])
        factories.make_response(instance, "The fridge holds 84 litres.")
        server.script(Step(status=401), Step(status=401))
        run = panel.open_run(project=project, by=None, options=panel.RunOptions(decompose="independent"))

        ended = panel_worker.drive(run_id=run.pk)

    assert ended.state == Run.State.DONE
    assert len(server.received) == 1
    assert sorted(run.jobs.values_list("task", "state")) == [
        ("decompose", "done"),
        ("decompose", "failed"),
        ("judge", "failed"),
        ("merge", "done"),
    ]


def test_a_slow_endpoint_holds_up_no_other(project: Project, server: LocalServer) -> None:
    with LocalServer() as other:
        slow = factories.make_asked_judge(project, server.openai_url)
        Judge.objects.filter(pk=slow.pk).update(parameters={"max_concurrency": 1})
        fast = factories.make_asked_judge(project, other.openai_url)
        for _ in range(20):
            factories.make_claim(project)
        server.script(*[Step(delay=0.1)] * 20)
        run = panel.open_run(project=project, by=None)

        panel_worker.drive(run_id=run.pk, concurrency=3)

    last_of_fast = run.jobs.filter(judge=fast).order_by("ended_at").last()
    assert last_of_fast is not None
    assert run.jobs.filter(judge=slow, ended_at__lt=last_of_fast.ended_at).count() < 15
    assert Verdict.objects.filter(state="cast").count() == 40
