"""A panel at work over real HTTP: both remote protocols, gaps, failures and stops."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluation.llm.local_server.protocols import ANTHROPIC_PATH, OPENAI_PATH
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Claim, Job, Judge, Project, Response, Run, Verdict
from evaluation.services import judges, panel, panel_worker
from tests import factories

pytestmark = pytest.mark.django_db

SOURCE = "The fridge holds 84 litres."
TEXT = "The fridge holds 84 litres. It glows at night."


@pytest.fixture
def first() -> Iterator[LocalServer]:
    with LocalServer() as server:
        yield server


@pytest.fixture
def second() -> Iterator[LocalServer]:
    with LocalServer() as server:
        yield server


@pytest.fixture
def pair(project: Project, first: LocalServer, second: LocalServer) -> tuple[Judge, Judge]:
    """A judge of each remote protocol, each at a server of its own."""
    return (
        factories.make_asked_judge(project, first.openai_url),
        factories.make_asked_judge(project, second.url, provider="anthropic_messages"),
    )


def memo(project: Project, text: str = TEXT) -> Response:
    return factories.make_response(factories.make_instance(project, sources=[SOURCE]), text)


def run_panel(project: Project, decompose: str = "independent", concurrency: int = 8) -> Run:
    run = panel.open_run(project=project, by=None, options=panel.RunOptions(decompose=decompose))
    return panel_worker.drive(run_id=run.pk, concurrency=concurrency)


def current(claim: Claim) -> dict[str, str]:
    rows = claim.verdicts.filter(is_current=True).select_related("judge")
    return {str(row.judge): row.label or f"{row.state}: {row.failure_reason}" for row in rows}


def test_each_judge_cuts_and_votes_and_what_they_found_is_joined(
    project: Project, pair: tuple[Judge, Judge], first: LocalServer, second: LocalServer
) -> None:
    memo(project)

    run = run_panel(project)

    claims = list(project.claims.all())
    assert run.state == Run.State.DONE
    assert [claim.text for claim in claims] == ["The fridge holds 84 litres.", "It glows at night."]
    assert [TEXT[claim.span_start : claim.span_end] for claim in claims] == [claim.text for claim in claims]
    assert [current(claim) for claim in claims] == [
        {str(judge): label for judge in pair} for label in ("accept", "reject")
    ]
    assert [each.path for each in first.received] == [OPENAI_PATH]
    assert [each.path for each in second.received] == [ANTHROPIC_PATH]
    assert set(Call.objects.values_list("state", "judge")) == {("answered", judge.pk) for judge in pair}


def test_a_judge_is_asked_once_about_claims_it_missed(
    project: Project, pair: tuple[Judge, Judge], first: LocalServer
) -> None:
    memo(project)
    found = {
        "text": "It glows at night.",
        "quote": "It glows at night.",
        "tags": [],
        "rationale": "No.",
        "verdict": "reject",
    }
    first.script(Step(answer={"claims": [found | {"confidence": None}]}))

    run_panel(project)

    assert [len(current(claim)) for claim in project.claims.all()] == [2, 2]
    assert len(first.received) == 2
    assert list(Job.objects.filter(judge=pair[0]).values_list("task", flat=True)) == ["decompose", "judge"]


def test_a_claim_left_out_of_two_replies_is_failed_and_not_asked_a_third_time(
    project: Project, pair: tuple[Judge, Judge], first: LocalServer
) -> None:
    (claim,) = (factories.make_claim(project, response=memo(project)),)
    first.script(Step(answer={"verdicts": []}), Step(answer={"verdicts": []}))

    run = run_panel(project)

    assert len(first.received) == 2
    assert current(claim)[str(pair[0])] == "failed: shape"
    assert current(claim)[str(pair[1])] in {"accept", "reject"}
    assert run.state == Run.State.DONE


def test_one_judge_cuts_and_all_vote_when_cutting_is_shared(
    project: Project, pair: tuple[Judge, Judge], first: LocalServer, second: LocalServer
) -> None:
    memo(project)

    run_panel(project, "shared")

    assert [len(current(claim)) for claim in project.claims.all()] == [2, 2]
    assert list(Job.objects.values_list("task", "judge")) == [
        ("decompose", pair[0].pk),
        ("merge", None),
        ("judge", pair[1].pk),
    ]
    assert len(first.received) == len(second.received) == 1


def test_a_pair_is_shown_in_both_orders_and_labels_come_back_in_the_given_one(
    project: Project, pair: tuple[Judge, Judge], first: LocalServer
) -> None:
    claim = factories.make_pair(project)
    claim.instance.prompt = "second"
    claim.instance.save()

    run_panel(project)

    rows = claim.verdicts.filter(is_current=True).order_by("judge", "order")
    assert list(rows.values_list("judge", "order", "label")) == [
        (judge.pk, order, "second") for judge in pair for order in ("as_given", "swapped")
    ]
    assert len(first.received) == 2
    assert claim.outcome.pattern.n_cast == 4


def test_a_judge_that_fails_for_good_leaves_failed_votes_with_the_reason_and_the_others_go_on(
    project: Project, pair: tuple[Judge, Judge], first: LocalServer
) -> None:
    memo(project)
    first.script(Step(status=401), Step(status=401))

    run = run_panel(project)

    assert [current(claim) for claim in project.claims.all()] == [
        {str(pair[0]): "failed: auth", str(pair[1]): label} for label in ("accept", "reject")
    ]
    assert run.state == Run.State.DONE
    assert run.message.startswith("2 of 4 steps failed. First reason: ")
    assert set(Call.objects.filter(judge=pair[0]).values_list("state", "reason")) == {("failed", "auth")}


def test_a_run_of_which_every_step_failed_has_failed(project: Project, first: LocalServer) -> None:
    factories.make_asked_judge(project, first.openai_url)
    for _ in range(2):
        memo(project)
    first.script(Step(status=401), Step(status=401))

    run = run_panel(project)

    assert run.state == Run.State.FAILED
    assert run.ended_at
    assert run.message.startswith("2 of 2 steps failed. First reason: ")


def test_a_judge_that_lost_its_key_leaves_failed_votes(
    project: Project, pair: tuple[Judge, Judge], first: LocalServer
) -> None:
    claim = factories.make_claim(project, response=memo(project))
    run = panel.open_run(project=project, by=None)
    Judge.objects.filter(pk=pair[0].pk).update(base_url="")
    Project.objects.update(allowed_providers=["openai_chat", "anthropic_messages"])

    panel_worker.drive(run_id=run.pk)

    assert current(claim)[str(pair[0])] == "failed: config"
    assert first.received == []
    assert "OPENAI_API_KEY" in Job.objects.get(judge=pair[0]).error


def test_a_second_click_or_wake_up_starts_nothing_again(
    project: Project, pair: tuple[Judge, Judge], first: LocalServer, second: LocalServer
) -> None:
    memo(project)
    run = panel.open_run(project=project, by=None)

    again = panel.open_run(project=project, by=None)
    panel_worker.drive(run_id=run.pk)
    panel_worker.drive(run_id=again.pk)

    assert run == again
    assert (len(first.received), len(second.received)) == (1, 1)


def test_a_stopped_run_sends_nothing_new_and_a_later_one_goes_on(project: Project, first: LocalServer) -> None:
    factories.make_asked_judge(project, first.openai_url)
    claims = [factories.make_claim(project, response=memo(project)) for _ in range(4)]
    run = panel.open_run(project=project, by=None)

    stopped = panel_worker.drive(run_id=run.pk, concurrency=1, said=lambda each: panel.stop(run=each) and None)

    assert stopped.state == Run.State.STOPPED
    assert len(first.received) == 2  # the second one was out when the first was stored
    assert [len(current(claim)) for claim in claims] == [1, 1, 0, 0]
    assert list(run.jobs.values_list("state", flat=True)) == ["done", "done", "cancelled", "cancelled"]
    assert run_panel(project).state == Run.State.DONE
    assert len(first.received) == 4


def test_a_stopped_run_joins_the_claims_that_were_found(
    project: Project, pair: tuple[Judge, Judge], second: LocalServer
) -> None:
    memo(project)
    factories.make_asked_judge(project, second.openai_url)
    run = panel.open_run(project=project, by=None, options=panel.RunOptions(decompose="independent"))

    stopped = panel_worker.drive(run_id=run.pk, concurrency=1, said=lambda each: panel.stop(run=each) and None)

    assert stopped.state == Run.State.STOPPED
    assert [set(current(claim)) for claim in project.claims.all()] == [{str(judge) for judge in pair}] * 2
    assert len(second.received) == 1


def test_a_call_that_waits_to_be_sent_again_is_not_sent_by_a_stopped_run(
    project: Project, pair: tuple[Judge, Judge], first: LocalServer, second: LocalServer
) -> None:
    claim = factories.make_claim(project, response=memo(project))
    first.script(Step(status=429, headers={"retry-after": "30"}))
    second.script(Step(delay=0.3))
    run = panel.open_run(project=project, by=None)

    stopped = panel_worker.drive(run_id=run.pk, said=lambda each: panel.stop(run=each) and None)

    assert stopped.state == Run.State.STOPPED
    assert len(first.received) == 1
    assert list(current(claim)) == [str(pair[1])]
    assert Job.objects.get(judge=pair[0]).state == Job.State.CANCELLED


def test_offline_judges_vote_on_what_they_cut_themselves(project: Project) -> None:
    judges.add_offline_panel(project=project)
    memo(project, "The fridge holds 84 litres. The fridge holds 48 litres.")

    run = run_panel(project)

    wrong = project.claims.get(text__contains="48")
    assert run.state == Run.State.DONE
    assert current(wrong)["Numbers"] == "reject"
    assert current(project.claims.get(text__contains="84"))["Numbers"] == "accept"
    assert len(current(wrong)) == 5
    assert set(Verdict.objects.values_list("prompt_name", flat=True)) <= {"decompose", "judge"}
