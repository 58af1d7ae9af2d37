"""A panel at servers that limit, break off or refuse for good: who waits holds no slot, who is stopped stops nobody."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evaluation.llm.errors import LLMError
from evaluation.llm.local_server.script import Cut, Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.retry import RetryPolicy
from evaluation.models import Call, Job, Judge, Project, Run, Verdict
from evaluation.services import jobs, panel, panel_worker, preparing
from evaluation.services.panel import RunOptions
from tests import factories
from tests.books import check_books

pytestmark = pytest.mark.django_db

AGAIN = RunOptions(again=True)


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with LocalServer() as running:
        yield running


@pytest.fixture
def other() -> Iterator[LocalServer]:
    with LocalServer() as running:
        yield running


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits of hundredths of a second where a server names none."""
    monkeypatch.setattr(preparing, "RetryPolicy", partial(RetryPolicy, first_wait=0.01))


def drive(project: Project, concurrency: int = 8) -> Run:
    run = panel.open_run(project=project, by=None)
    return panel_worker.drive(run_id=run.pk, concurrency=concurrency)


def test_a_call_that_waits_for_the_server_frees_its_slot(project: Project, server: LocalServer) -> None:
    factories.make_asked_judge(project, server.openai_url)
    for _ in range(4):
        factories.make_claim(project)
    server.script(Step(status=429, headers={"retry-after": "1"}))

    drive(project, concurrency=1)

    states = list(Call.objects.order_by("pk").values_list("state", "reason"))
    assert states == [("failed", "rate_limit"), *[("answered", "")] * 4]
    first, *_, last = Call.objects.order_by("pk")
    assert first.job == last.job
    assert (last.sent_at - first.sent_at).total_seconds() >= 1
    assert Verdict.objects.filter(state="cast").count() == 4


@pytest.mark.usefixtures("impatience")
def test_what_breaks_off_is_sent_again_and_every_attempt_is_in_the_ledger(
    project: Project, server: LocalServer
) -> None:
    factories.make_asked_judge(project, server.openai_url)
    factories.make_claim(project)
    server.script(Step(status=503), Step(cut=Cut.BEFORE_REPLY), Step(cut=Cut.WITHIN_REPLY))

    run = drive(project)

    assert run.state == Run.State.DONE
    assert len(server.received) == 4
    assert list(Call.objects.order_by("pk").values_list("state", "attempt")) == [
        ("failed", 1),
        ("failed", 2),
        ("failed", 3),
        ("answered", 4),
    ]


def test_a_permanent_error_stops_that_judge_at_once_and_the_others_go_on(
    project: Project, server: LocalServer, other: LocalServer
) -> None:
    refused = factories.make_asked_judge(project, server.openai_url)
    fine = factories.make_asked_judge(project, other.openai_url)
    for _ in range(12):
        factories.make_claim(project)
    server.script(*[Step(status=401)] * 12)

    run = drive(project, concurrency=2)

    assert len(server.received) <= 2
    votes = Verdict.objects.values_list("judge", "state", "failure_reason")
    assert set(votes) == {(refused.pk, "failed", "auth"), (fine.pk, "cast", "")}
    assert Verdict.objects.filter(judge=refused).count() == 12
    assert set(Job.objects.filter(judge=refused).values_list("state", "reason")) == {("failed", "auth")}
    assert "valid key" in Job.objects.filter(judge=refused).latest("pk").error
    assert run.state == Run.State.DONE


def test_a_run_that_is_paused_keeps_what_comes_and_gives_the_rest_back(project: Project, server: LocalServer) -> None:
    factories.make_asked_judge(project, server.openai_url)
    for _ in range(3):
        factories.make_claim(project)
    run = panel.open_run(project=project, by=None)

    paused = panel_worker.drive(run_id=run.pk, concurrency=1, said=lambda each: panel.pause(run=each) and None)
    state, n_before = paused.state, len(server.received)
    panel.resume(run=paused)
    done = panel_worker.drive(run_id=run.pk)

    assert (state, done.state) == (Run.State.PAUSED, Run.State.DONE)
    assert (n_before, len(server.received)) == (2, 3)


class PausingPolicy(RetryPolicy):
    """A policy under which somebody pauses the run at the very moment of the first error."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        object.__setattr__(self, "run", run)

    def wait(self, errors: Sequence[LLMError]) -> float | None:
        panel.pause(run=vars(self)["run"])
        return super().wait(errors)


def test_a_server_that_asks_for_patience_is_left_alone_by_a_paused_run(
    project: Project, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = factories.make_asked_judge(project, server.openai_url)
    factories.make_claim(project)
    Judge.objects.filter(pk=judge.pk).update(parameters={"max_concurrency": 1})
    server.script(Step(status=429, headers={"retry-after": "600"}))
    run = panel.open_run(project=project, by=None)
    pausing = PausingPolicy(run)
    monkeypatch.setattr(preparing, "RetryPolicy", lambda: pausing)

    paused = panel_worker.drive(run_id=run.pk)

    job = Job.objects.get()
    assert (paused.state, job.state) == (Run.State.PAUSED, "waiting")
    assert job.not_before is not None
    assert 500 < (job.not_before - timezone.now()).total_seconds() <= 600


def test_a_worker_that_only_waits_does_next_to_nothing(project: Project, server: LocalServer) -> None:
    factories.make_asked_judge(project, server.openai_url)
    factories.make_claim(project)
    drive(project)
    with CaptureQueriesContext(connection) as at_once:
        panel_worker.drive(run_id=panel.open_run(project=project, by=None, options=AGAIN).pk)
    Call.objects.update(is_usable=False)
    server.script(Step(status=429, headers={"retry-after": "2"}))

    with CaptureQueriesContext(connection) as waiting:
        began = time.thread_time()
        run = panel_worker.drive(run_id=panel.open_run(project=project, by=None, options=AGAIN).pk)

    assert run.state == Run.State.DONE
    assert len(waiting) - len(at_once) < 80
    assert time.thread_time() - began < 1.0


def test_a_run_of_which_every_job_waits_for_a_server_is_gone_on_with_in_time_and_stopped_at_once(
    project: Project, server: LocalServer
) -> None:
    factories.make_asked_judge(project, server.openai_url)
    for _ in range(2):
        factories.make_claim(project)
    run = panel.open_run(project=project, by=None)
    jobs.release(jobs.lease(run, 5), not_before=timezone.now() + timedelta(minutes=30))

    early = panel_worker.drive(run_id=run.pk)
    state, woken = early.state, jobs.runs_to_wake()
    Job.objects.filter(pk=run.jobs.earliest("pk").pk).update(not_before=timezone.now())
    later = (jobs.runs_to_wake(), panel_worker.drive(run_id=run.pk).state, len(server.received))
    stopped = panel.stop(run=run)

    assert (state, woken) == (Run.State.RUNNING, [])
    assert later == ([run.pk], Run.State.RUNNING, 1)
    assert stopped.state == Run.State.STOPPED


def test_thousands_of_jobs_of_a_judge_that_is_stopped_hold_up_no_other_judge(
    project: Project, server: LocalServer, other: LocalServer
) -> None:
    refused = factories.make_asked_judge(project, server.openai_url)
    fine = factories.make_asked_judge(project, other.openai_url)
    for _ in range(60):
        factories.make_claim(project)
    run = panel.open_run(project=project, by=None)
    server.script(*[Step(status=401)] * 60)

    panel_worker.drive(run_id=run.pk, concurrency=4)

    assert len(server.received) <= 4
    failed = run.jobs.filter(judge=refused)
    first_done = run.jobs.filter(judge=fine).earliest("ended_at")
    assert set(failed.values_list("state", "reason")) == {("failed", "auth")}
    assert failed.filter(ended_at__gt=first_done.ended_at).exists()
    check_books(project)
