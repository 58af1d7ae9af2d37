"""The order in which a worker takes the jobs of a run, and which it leaves alone."""

from __future__ import annotations

import pytest

from evaluation.models import Job, Judge, Project, Run
from evaluation.services import jobs
from evaluation.services.jobs import Lane
from evaluation.services.taking import Taking
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def judges(project: Project) -> list[Judge]:
    return factories.make_judges(project, 2, provider="openai_chat")


@pytest.fixture
def run(project: Project, judges: list[Judge]) -> Run:
    """Six questions to two judges in turns, with a joining of claims in between."""
    run = factories.make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)
    for number in range(6):
        Job.objects.create(run=run, task="judge", key=str(number), judge=judges[number % 2])
        if number == 2:
            Job.objects.create(run=run, task="merge", key="merge")
    return run


def keys(leased: list[Job]) -> list[str]:
    return [job.key for job in leased]


def test_questions_come_in_their_order_and_what_asks_nobody_last(run: Run) -> None:
    taking = Taking(run, Lane.ALL)

    assert [keys(taking.next(4)) for _ in range(4)] == [["0", "1", "2", "3"], ["4", "5"], ["merge"], []]


def test_it_goes_on_after_the_last_one_and_comes_back_for_what_became_free_before(run: Run) -> None:
    taking = Taking(run, Lane.ALL)
    first = taking.next(3)

    jobs.release(first[:1])

    assert [keys(taking.next(2)) for _ in range(3)] == [["3", "4"], ["5"], ["0"]]


def test_those_of_a_judge_that_has_enough_are_left_and_taken_later(run: Run, judges: list[Judge]) -> None:
    taking = Taking(run, Lane.ALL)

    assert keys(taking.next(6, {judges[0].pk})) == ["1", "3", "5"]
    assert keys(taking.next(6)) == ["0", "2", "4"]


def test_another_lane_is_left_alone(run: Run, judges: list[Judge]) -> None:
    Judge.objects.filter(pk=judges[0].pk).update(provider=Judge.OFFLINE)

    assert keys(Taking(run, Lane.REMOTE).next(9)) == ["1", "3", "5"]
    assert keys(Taking(run, Lane.VECTORS).next(9)) == ["0", "2", "4"]


@pytest.mark.parametrize(
    ("state", "taken"), [("paused", []), ("stopping", ["merge"]), ("queued", ["0"]), ("running", ["0"])]
)
def test_what_is_taken_depends_on_the_state_of_the_run(run: Run, state: str, taken: list[str]) -> None:
    run.state = state

    assert keys(Taking(run, Lane.ALL).next(1)) == taken


def test_jobs_that_a_dead_worker_left_are_taken_last(run: Run) -> None:
    Job.objects.filter(key__in=["0", "1"]).update(attempt=1)
    taking = Taking(run, Lane.ALL)

    assert [keys(taking.next(1)) for _ in range(6)] == [["2"], ["3"], ["4"], ["5"], ["0"], ["1"]]
