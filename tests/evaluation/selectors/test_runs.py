"""Runs by judge, failures by reason, and what is waited for."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.models import Call, Job, Project, Run, Verdict
from evaluation.selectors.runs import Failure, open_panel_run, run_page, run_rows
from tests.factories import make_claim, make_disputed, make_judges, make_project, make_run, make_user, rule, vote

pytestmark = pytest.mark.django_db

LONG_AGO = timezone.now() - timedelta(minutes=5)


@pytest.fixture
def project() -> Project:
    return make_project()


def make_job(run: Run, number: int, state: str, **fields: object) -> Job:
    return Job.objects.create(run=run, task=Job.Task.JUDGE, key=f"job {number}", state=state, **fields)


def test_jobs_and_votes_are_counted_by_judge(project: Project) -> None:
    one, two = make_judges(project, 2)
    run = make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)
    for number, (judge, state) in enumerate([(one, "done"), (one, "failed"), (two, "leased"), (two, "waiting")]):
        make_job(run, number, state, judge=judge)
    vote(make_claim(project), {one: "accept", two: ""}, run=run)

    page = run_page(run=run)

    rows = {row.judge: row for row in page.judges}
    assert (rows[one.name].n_done, rows[one.name].n_failed, rows[one.name].n_votes) == (1, 1, 1)
    assert (rows[two.name].n_waiting, rows[two.name].n_abstained) == (2, 1)
    assert (page.n_jobs, page.n_ended) == (4, 2)


def test_failed_votes_tell_why_where_no_job_failed(project: Project) -> None:
    judge = make_judges(project, 1)[0]
    run = make_run(project)
    Verdict.objects.create(
        claim=make_claim(project), judge=judge, run=run, state=Verdict.State.FAILED, failure_reason="null in the file"
    )

    assert run_page(run=run).failures == (Failure(judge.pk, judge.name, "null in the file", 1),)


def test_a_run_that_nobody_works_on_waits_since_its_last_step(project: Project) -> None:
    run = make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)
    make_job(run, 1, Job.State.DONE, ended_at=LONG_AGO)
    make_job(run, 2, Job.State.WAITING)

    assert run_page(run=run).waits_since == LONG_AGO


def test_a_run_with_a_leased_job_does_not_wait(project: Project) -> None:
    run = make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)
    Run.objects.update(started_at=LONG_AGO)
    make_job(run, 1, Job.State.LEASED)

    assert run_page(run=run).waits_since is None


def test_an_ended_run_does_not_wait(project: Project) -> None:
    run = make_run(project, kind=Run.Kind.PANEL)

    assert run_page(run=run).waits_since is None
    assert not run_page(run=run).is_open


def test_runs_are_listed_newest_first_with_their_jobs(project: Project) -> None:
    first, second = make_run(project), make_run(project, kind=Run.Kind.PANEL)
    make_job(first, 1, Job.State.DONE)
    make_job(first, 2, Job.State.FAILED)

    rows = run_rows(project=project)

    assert [row.run for row in rows] == [second, first]
    assert (rows[1].title, rows[1].n_jobs, rows[1].n_done, rows[1].n_failed) == ("Import", 2, 1, 1)


def test_only_an_open_panel_run_counts_as_open(project: Project) -> None:
    make_run(project, kind=Run.Kind.GRAPH, state=Run.State.RUNNING)
    make_run(project, kind=Run.Kind.PANEL)
    before = open_panel_run(project=project)
    going = make_run(project, kind=Run.Kind.PANEL, state=Run.State.QUEUED)

    assert before is None
    assert open_panel_run(project=project) == going


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


def test_a_second_look_page_says_the_same(project: Project) -> None:
    ana = make_user("ana")
    judge = make_judges(project, 2, provider="offline")
    decision = rule(make_disputed(project, judge)[0], ana)
    run = make_run(project, kind=Run.Kind.SECOND_LOOK)
    Run.objects.filter(pk=run.pk).update(started_by=ana)
    make_job(run, 1, Job.State.DONE, judge=judge[0], decision=decision)
    run.refresh_from_db()

    page = run_page(run=run, user_id=ana.pk)

    assert (page.title, page.started) == ("Second look", "after your ruling")


def test_attempts_are_counted_apart_from_questions(project: Project) -> None:
    judge = make_judges(project, 1)[0]
    run = make_run(project, kind=Run.Kind.PANEL)
    for number, n_attempts in enumerate((1, 3)):
        job = make_job(run, number, Job.State.DONE, judge=judge)
        for attempt in range(n_attempts):
            Call.objects.create(job=job, judge=judge, attempt=attempt + 1, cache_key="k", input_tokens=10)

    page = run_page(run=run)

    assert (page.n_questions, page.n_calls, page.n_tokens) == (2, 4, 40)
