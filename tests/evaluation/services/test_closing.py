"""A run ends when nothing of it is left, and says what failed."""

from __future__ import annotations

import pytest

from evaluation.models import Job, Project, Run
from evaluation.services import closing
from tests import factories

pytestmark = pytest.mark.django_db


def make_run(project: Project, run_state: str, *states: str) -> Run:
    run = factories.make_run(project, kind=Run.Kind.PANEL, state=run_state)
    for number, state in enumerate(states):
        error = "No credit." if state == "failed" else ""
        Job.objects.create(run=run, task="judge", key=str(number), state=state, error=error)
    return run


@pytest.mark.parametrize(
    ("before", "states", "after"),
    [
        ("running", ["done", "failed"], "done"),
        ("running", ["failed", "failed"], "failed"),
        ("running", ["done", "leased"], "running"),
        ("stopping", ["done", "waiting"], "stopped"),
        ("paused", ["done"], "done"),
        ("paused", ["done", "waiting"], "paused"),
    ],
)
def test_a_run_ends_when_nothing_is_left(project: Project, before: str, states: list[str], after: str) -> None:
    run = make_run(project, before, *states)

    assert closing.close_if_over(run).state == after


def test_it_says_how_many_steps_failed_and_why_the_first_did(project: Project) -> None:
    run = closing.close_if_over(make_run(project, "running", "done", "failed"))

    assert run.message == "1 of 2 steps failed. First reason: No credit."


def test_a_run_that_has_ended_is_left_alone(project: Project) -> None:
    run = make_run(project, "stopped", "waiting")

    assert closing.close_if_over(run).state == "stopped"
    assert run.jobs.get().state == "waiting"


def test_a_run_that_is_over_says_no_more_why_it_was_paused(project: Project) -> None:
    run = make_run(project, "paused", "done")
    Run.objects.update(message="Paused by hand.", paused_by="hand")

    closing.close_if_over(run)

    assert (run.state, run.message, run.paused_by) == ("done", "", "")


def test_a_run_that_is_stopped_joins_what_was_found_though_nobody_cuts_the_rest(project: Project) -> None:
    run = make_run(project, "stopping")
    response = factories.make_response(factories.make_instance(project))
    for number, state in enumerate(["done", "waiting"]):
        Job.objects.create(run=run, task="decompose", key=f"d{number}", state=state, response=response)

    closing.close_if_over(run)

    assert run.state == Run.State.STOPPING
    assert list(run.jobs.values_list("task", "state")) == [
        ("decompose", "done"),
        ("decompose", "cancelled"),
        ("merge", "waiting"),
    ]
