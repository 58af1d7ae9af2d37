"""One run by judge, failures by reason, what it costs, and what is waited for."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.models import Call, Job, Project, ProviderBatch, Purse, Run, Verdict
from evaluation.selectors.runs import Failure, RunMoney, Waiting, open_panel_run, run_page
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

    assert run_page(run=run).waiting == Waiting("worker", LONG_AGO)


def test_a_run_with_a_leased_job_does_not_wait(project: Project) -> None:
    run = make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)
    Run.objects.update(started_at=LONG_AGO)
    make_job(run, 1, Job.State.LEASED)

    assert run_page(run=run).waiting is None


def test_an_ended_run_does_not_wait(project: Project) -> None:
    run = make_run(project, kind=Run.Kind.PANEL)

    assert run_page(run=run).waiting is None
    assert not run_page(run=run).is_open


def test_only_an_open_panel_run_counts_as_open(project: Project) -> None:
    make_run(project, kind=Run.Kind.GRAPH, state=Run.State.RUNNING)
    make_run(project, kind=Run.Kind.PANEL)
    before = open_panel_run(project=project)
    going = make_run(project, kind=Run.Kind.PANEL, state=Run.State.QUEUED)

    assert before is None
    assert open_panel_run(project=project) == going


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


def test_what_waits_for_a_batch_or_for_the_server_does_not_wait_for_a_worker(project: Project) -> None:
    judge = make_judges(project, 1, provider="openai_chat")[0]
    run = make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)
    Run.objects.update(started_at=LONG_AGO)
    later = timezone.now() + timedelta(minutes=9)
    job = make_job(run, 1, Job.State.WAITING, judge=judge, not_before=later)

    for_server = run_page(run=run).waiting
    Job.objects.update(not_before=None, batch=ProviderBatch.objects.create(run=run, judge=judge, token="t"))
    for_batch = run_page(run=run)

    assert for_server == Waiting("server", later)
    assert for_batch.waiting == Waiting("batches", None)
    assert [batch.judge for batch in for_batch.batches] == [job.judge]


def test_a_paused_run_waits_for_nobody(project: Project) -> None:
    run = make_run(project, kind=Run.Kind.PANEL, state=Run.State.PAUSED)
    Run.objects.update(started_at=LONG_AGO)
    make_job(run, 1, Job.State.WAITING)

    assert run_page(run=run).waiting is None


def test_answers_used_again_are_counted_apart_from_calls(project: Project) -> None:
    judge = make_judges(project, 1)[0]
    run = make_run(project, kind=Run.Kind.PANEL)
    first = Call.objects.create(job=make_job(run, 1, Job.State.DONE), judge=judge, attempt=1, cache_key="k")
    Call.objects.create(job=make_job(run, 2, Job.State.DONE), judge=judge, attempt=1, cache_key="k", source=first)

    page = run_page(run=run)

    assert (page.n_questions, page.n_calls, page.n_reused) == (1, 1, 1)


def test_owners_see_what_a_run_spent_of_its_cap_and_what_was_said_before(project: Project) -> None:
    run = make_run(project, kind=Run.Kind.PANEL)
    Purse.objects.create(project=project, run=run, key="k", cap_micros=900, spent_micros=400, reserved_micros=50)
    run.estimate = {"low_micros": 300, "high_micros": 2_000}

    assert run_page(run=run).money == RunMoney(900, 400, 50, 300, 2_000)
    assert run_page(run=run, is_owner=False).money is None


def test_a_run_without_purse_and_estimate_has_spent_nothing(project: Project) -> None:
    assert run_page(run=make_run(project)).money == RunMoney(None, 0, 0, None, None)


def test_a_judge_that_no_call_gets_past_is_named_with_what_to_fix(project: Project) -> None:
    one, two = make_judges(project, 2)
    run = make_run(project, kind=Run.Kind.PANEL)
    make_job(run, 1, Job.State.FAILED, judge=one, reason="auth", error="Give this judge a valid key.")
    make_job(run, 2, Job.State.FAILED, judge=two, reason="timeout", error="It took too long.")

    rows = {row.judge: row.stopped_by for row in run_page(run=run).judges}

    assert rows == {one.name: "Give this judge a valid key.", two.name: ""}


@pytest.mark.parametrize(
    ("kind", "state", "expected"),
    [("panel", "done", True), ("panel", "running", False), ("second_look", "done", False)],
)
def test_only_an_ended_panel_run_offers_to_ask_again(project: Project, kind: str, state: str, expected: bool) -> None:
    run = make_run(project, kind=kind, state=state)
    make_job(run, 1, Job.State.FAILED, error="It took too long.")

    assert run_page(run=run).can_ask_failed_again is expected


def test_a_split_that_failed_is_not_asked_again_where_others_found_claims(project: Project) -> None:
    run = make_run(project, kind=Run.Kind.PANEL)
    response = make_claim(project).response
    Job.objects.create(run=run, task=Job.Task.DECOMPOSE, key="cut", state=Job.State.FAILED, response=response)

    assert not run_page(run=run).can_ask_failed_again
    response.claims.all().delete()
    assert run_page(run=run).can_ask_failed_again


def test_what_was_made_good_since_is_not_asked_again(project: Project) -> None:
    judge = make_judges(project, 1)[0]
    run, claim = make_run(project, kind=Run.Kind.PANEL), make_claim(project)
    make_job(run, 1, Job.State.FAILED, judge=judge).claims.add(claim)

    assert run_page(run=run).can_ask_failed_again
    vote(claim, {judge: "accept"})
    assert not run_page(run=run).can_ask_failed_again


def test_a_run_in_batches_waits_for_its_turn_and_not_for_a_server(project: Project) -> None:
    run = make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)
    run.in_batches = True
    later = timezone.now() + timedelta(minutes=5)
    make_job(run, 1, Job.State.WAITING, not_before=later)

    assert run_page(run=run).waiting == Waiting("turn", later)


def test_an_import_and_the_graph_are_left_to_end(project: Project) -> None:
    kinds = {kind: run_page(run=make_run(project, kind=kind, state=Run.State.RUNNING)) for kind in Run.Kind}

    assert {kind for kind, page in kinds.items() if not page.can_be_stopped} == {Run.Kind.IMPORT, Run.Kind.GRAPH}
