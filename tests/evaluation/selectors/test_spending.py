"""What was spent of the limits, and the run that did not end as wanted."""

from __future__ import annotations

import pytest

from evaluation.models import Project, Run
from evaluation.selectors.spending import Spent, Unbalanced, spending, unbalanced
from evaluation.services import budgets, purses
from tests.factories import make_call, make_judges, make_project, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def test_before_the_first_call_nothing_is_spent(project: Project) -> None:
    found = spending(project=project, week=purses.weekly_key())

    assert (found.project, found.second_looks) == (Spent(0, 0, None), Spent(0, 0, None))
    assert found.last_run is None


def test_it_tells_project_and_week_apart(project: Project) -> None:
    budgets.set_caps(project=project, cap_micros=1_000, weekly_second_look_cap_micros=500)
    looks = purses.of_run(make_run(project, kind=Run.Kind.SECOND_LOOK))
    panel = purses.of_run(make_run(project, kind=Run.Kind.PANEL))
    purses.reserve(purses=looks, micros=300)
    purses.settle(purses=looks, reserved_micros=200, spent_micros=100)
    purses.reserve(purses=panel, micros=400)

    found = spending(project=project, week=purses.weekly_key())

    assert found.project == Spent(100, 500, 1_000)
    assert found.second_looks == Spent(100, 100, 500)
    assert not found.project.is_used_up


def test_a_limit_is_used_up_where_nothing_is_left(project: Project) -> None:
    assert Spent(900, 100, 1_000).is_used_up
    assert Spent(0, 0, 0).is_used_up
    assert not Spent(10**9, 0, None).is_used_up


def test_the_last_run_is_named_only_if_it_did_not_end_as_wanted(project: Project) -> None:
    make_run(project, kind=Run.Kind.PANEL, state=Run.State.FAILED)
    paused = make_run(project, kind=Run.Kind.PANEL, state=Run.State.PAUSED)
    Run.objects.filter(pk=paused.pk).update(paused_by=Run.PausedBy.PROJECT_CAP)

    stopped = spending(project=project, week="-")
    make_run(project, kind=Run.Kind.PANEL)
    done = spending(project=project, week="-")

    assert (stopped.last_run, stopped.last_run_words) == (paused, "paused: cap of the project")
    assert (done.last_run, done.last_run_words) == (None, "")


def test_a_purse_that_differs_from_the_ledger_is_found(project: Project) -> None:
    run, judge = make_run(project, kind=Run.Kind.PANEL), make_judges(project, 1)[0]
    drawn_on = purses.of_run(run)
    purses.settle(purses=drawn_on, reserved_micros=0, spent_micros=700)
    make_call(run, judge, cost_micros=700)
    balanced = unbalanced()

    make_call(run, judge, cost_micros=50)

    assert balanced == []
    assert unbalanced() == [Unbalanced(project, 700, 750)]
