"""Claims asked together and alone, by judges of a server on this machine and by the offline panel."""

from __future__ import annotations

import pytest

from evaluation.errors import ConflictError, InvalidInputError
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Job, Judge, Project, Response, Run, Verdict
from evaluation.services import judges, panel, panel_worker, together
from evaluation.services.together import Effort, Pairwise
from tests import factories

pytestmark = pytest.mark.django_db

SOURCE = "The fridge holds 84 litres and costs 900 EUR. It arrives in May."


@pytest.fixture
def judge(project: Project, server: LocalServer) -> Judge:
    return factories.make_asked_judge(project, server.openai_url)


def memo(project: Project, *texts: str) -> Response:
    response = factories.make_response(factories.make_instance(project, sources=[SOURCE]), " ".join(texts))
    for text in texts:
        factories.make_claim(project, text, response=response)
    return response


def compared(project: Project, **wish: int) -> together.Comparison:
    run = together.request(project=project, by=None, **wish)
    return together.measure(run=panel_worker.drive(run_id=run.pk, concurrency=1))


def said(*labels: str) -> Step:
    return Step(
        answer={
            "verdicts": [
                {"claim": str(number), "tags": [], "rationale": "So.", "verdict": label, "confidence": None}
                for number, label in enumerate(labels, 1)
            ]
        }
    )


def test_all_claims_of_a_response_are_one_call_and_each_alone_is_one(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    memo(project, "The fridge holds 84 litres.", "It arrives in May.", "It sings at night.")
    memo(project, "It costs 900 EUR.", "Nobody ever wants one.")

    found = compared(project)

    (measured,) = found.judges
    assert (found.n_responses, found.n_claims, found.n_failed_steps) == (2, 5, 0)
    assert (measured.together.n_calls, measured.together.calls_per_response) == (2, 1.0)
    assert (measured.alone.n_calls, measured.alone.calls_per_response) == (5, 2.5)
    assert 0 < measured.together.tokens_per_claim < measured.alone.tokens_per_claim
    assert measured.same == measured.repeated == Pairwise(5, 1.0, 1.0)
    assert len(server.received) == 2 + 2 + 5


def test_what_differs_is_counted_and_set_against_asking_together_twice(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    memo(project, "One.", "Two.", "Three.", "Four.")
    server.script(
        said("accept", "accept", "reject", "reject"),
        said("accept", "accept", "reject", "reject"),
        *(said(label) for label in ("accept", "reject", "reject", "cannot_assess")),
    )

    (measured,) = compared(project).judges

    assert measured.same.n == 3
    assert measured.same.raw == pytest.approx(2 / 3)
    assert measured.same.kappa == pytest.approx(0.4)  # 2/3 agree where chance gives 4/9
    assert measured.repeated == Pairwise(4, 1.0, 1.0)
    assert (measured.changed, measured.n_without) == ({"accept>reject": 1}, 1)


def test_it_casts_no_vote_and_reuses_what_the_panel_was_asked(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    memo(project, "The fridge holds 84 litres.", "It sings at night.")
    panel_worker.drive(run_id=panel.open_run(project=project, by=None).pk)
    votes, n_asked = Verdict.objects.count(), len(server.received)

    (measured,) = compared(project).judges

    assert Verdict.objects.count() == votes == 2
    assert len(server.received) - n_asked == 1 + 2  # together once more, and each alone
    assert measured.together.n_calls == 1
    assert measured.together.tokens_per_claim > 0


def test_offline_judges_say_the_same_in_both_ways(project: Project) -> None:
    judges.add_offline_panel(project=project)
    memo(project, "The fridge holds 84 litres.", "It arrives in May.", "It holds 190 litres.")

    found = compared(project)

    voted = [each for each in found.judges if each.same.n]
    assert len(voted) > 1
    assert all((each.same.raw, each.repeated, each.changed) == (1.0, None, {}) for each in voted)
    assert {each.together.calls_per_response for each in found.judges} == {1.0}
    assert all(each.together == Effort(1, 1.0, 0.0) for each in found.judges)


def test_a_step_that_fails_is_counted_and_its_claims_left_out(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    memo(project, "One.", "Two.")
    server.script(said("accept", "reject"), said("accept", "reject"), said("accept"), Step(status=400))

    found = compared(project)

    assert found.n_failed_steps == 1
    assert (found.judges[0].same.n, found.judges[0].n_without) == (1, 1)


def test_the_same_responses_are_drawn_for_the_same_seed(project: Project, judge: Judge) -> None:
    for _ in range(6):
        memo(project, "One.", "Two.")
    memo(project, "Alone.")

    drawn = [
        set(
            together.request(project=project, by=None, n_responses=3, seed=seed).jobs.values_list("response", flat=True)
        )
        for seed in (1, 1, 2)
    ]

    assert drawn[0] == drawn[1] != drawn[2]
    assert {len(each) for each in drawn} == {3}
    jobs = Run.objects.latest("pk").jobs
    assert set(jobs.values_list("task", flat=True)) == {Job.Task.TRIAL}


def test_what_stands_in_the_way_is_said(project: Project) -> None:
    factories.make_pair(project)
    with pytest.raises(InvalidInputError, match="two statements"):
        together.request(project=project, by=None)
    memo(project, "One.", "Two.")
    with pytest.raises(ConflictError, match="No judge can be asked"):
        together.request(project=project, by=None)
    with pytest.raises(InvalidInputError, match="At least one response"):
        together.request(project=project, by=None, n_responses=0)


def test_under_a_cap_a_price_has_to_be_known(project: Project, judge: Judge) -> None:
    memo(project, "One.", "Two.")
    project.cap_micros = 1_000_000
    project.save()

    with pytest.raises(ConflictError, match="No price is known"):
        together.request(project=project, by=None)


def test_what_has_not_ended_is_not_measured(project: Project, judge: Judge) -> None:
    memo(project, "One.", "Two.")
    run = together.request(project=project, by=None)

    with pytest.raises(ConflictError, match="has not ended"):
        together.measure(run=run)
