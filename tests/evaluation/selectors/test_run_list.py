"""Runs as their list shows them, and background work apart."""

from __future__ import annotations

import pytest

from evaluation.models import Job, Project, Run
from evaluation.selectors.run_list import run_rows
from tests.factories import make_disputed, make_judges, make_project, make_run, make_user, rule

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def make_job(run: Run, number: int, state: str, **fields: object) -> Job:
    return Job.objects.create(run=run, task=Job.Task.JUDGE, key=f"job {number}", state=state, **fields)


def test_runs_are_listed_newest_first_with_their_jobs(project: Project) -> None:
    first, second = make_run(project), make_run(project, kind=Run.Kind.PANEL)
    make_job(first, 1, Job.State.DONE)
    make_job(first, 2, Job.State.FAILED)

    rows = run_rows(project=project)

    assert [row.run for row in rows] == [second, first]
    assert (rows[1].title, rows[1].n_jobs, rows[1].n_done, rows[1].n_failed) == ("Import", 2, 1, 1)


def test_background_work_is_listed_apart_and_tells_whose_ruling_it_follows(project: Project) -> None:
    ana, bea = make_user("ana"), make_user("bea")
    asked, offline = make_judges(project, 1, provider="openai_chat"), make_judges(project, 1, provider="offline")
    decision = rule(make_disputed(project, [*asked, *offline])[0], ana)
    for judge in (*asked, *offline):
        run = make_run(project, kind=Run.Kind.SECOND_LOOK)
        Run.objects.filter(pk=run.pk).update(started_by=ana)
        make_job(run, 1, Job.State.DONE, judge=judge, decision=decision)
    make_run(project, kind=Run.Kind.GRAPH)

    mine = run_rows(project=project, user_id=ana.pk, is_background=True)
    others = run_rows(project=project, user_id=bea.pk, is_background=True)

    assert [row.title for row in mine] == ["Claim graph", "Second look", "Second look (AI)"]
    assert [row.started for row in mine] == ["by JuryFlow", "after your ruling", "after your ruling"]
    assert [row.started for row in others[1:]] == ["after a ruling by ana"] * 2
    assert [row.title for row in run_rows(project=project)] == ["Import"]


def test_a_trial_without_a_rule_compares_ways_of_asking(project: Project) -> None:
    make_run(project, kind=Run.Kind.TRIAL)

    assert [row.title for row in run_rows(project=project, is_background=True)] == ["Claims asked together and alone"]
