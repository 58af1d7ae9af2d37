"""Workers that are slow, die or are stopped: no vote twice, no question asked by two, every dollar accounted for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Job, Judge, ModelPrice, Project, Purse, Run, Verdict
from evaluation.services import askings, jobs, ledger, panel, panel_worker, purses
from evaluation.services.ledger import Sending
from evaluation.services.panel import RunOptions
from evaluation.services.purses import Emptied
from tests import factories
from tests.books import check_books

pytestmark = pytest.mark.django_db

N_CLAIMS = 3
MOST = 50_000


@pytest.fixture
def judge(project: Project, server: LocalServer) -> Judge:
    """A judge with three claims to vote on, at 10 dollars a million tokens either way."""
    judge = factories.make_asked_judge(project, server.openai_url)
    for _ in range(N_CLAIMS):
        factories.make_claim(project)
    ModelPrice.objects.create(
        provider="openai_chat",
        host="127.0.0.1",
        model="m",
        valid_from=timezone.now().date(),
        input_micros=10_000_000,
        output_micros=10_000_000,
    )
    return judge


def open_run(project: Project, decompose: str = "") -> Run:
    return panel.open_run(project=project, by=None, options=RunOptions(decompose=decompose))


def once(deed: Callable[[Run], object]) -> Callable[[Run], None]:
    """Do something the first time that answers were stored."""
    done: list[Run] = []

    def said(run: Run) -> None:
        if not done:
            done.append(run)
            deed(run)

    return said


def let_leases_end(run: Run) -> None:
    run.jobs.filter(state="leased").update(lease_until=timezone.now() - timedelta(seconds=1))


def take_over(run: Run) -> None:
    """Another worker finds the leases ended and does the rest, while this one still waits for its replies."""
    let_leases_end(run)
    panel_worker.drive(run_id=run.pk)


def left_by_a_dead_worker(run: Run) -> Job:
    """A job with a call that was sent, and a lease that has ended."""
    (job,) = jobs.lease(run, 1)
    sending = [Sending(job, jobs.judge_of(job), askings.prepare(job).cache_key, 1, MOST)]
    assert not isinstance(ledger.write_sent(sending=sending, drawn_on=purses.of_run(run)), Emptied)
    let_leases_end(run)
    return job


def test_a_reply_that_comes_after_another_worker_took_over_is_kept_and_is_no_second_vote(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    server.script(Step(), Step(delay=0.6), Step(delay=0.6))

    run = panel_worker.drive(run_id=open_run(project).pk, said=once(take_over))

    assert run.state == Run.State.DONE
    assert len(server.received) == N_CLAIMS + 2
    assert Verdict.objects.filter(state="cast").count() == N_CLAIMS
    assert list(Call.objects.values_list("state", flat=True)) == ["answered"] * (N_CLAIMS + 2)
    assert Call.objects.filter(is_usable=True).count() == N_CLAIMS
    check_books(project)


def test_a_worker_that_lost_its_jobs_asks_nothing_again(project: Project, judge: Judge, server: LocalServer) -> None:
    late = Step(delay=0.6, status=429, headers={"retry-after": "0"})
    server.script(Step(), late, late)

    run = panel_worker.drive(run_id=open_run(project).pk, said=once(take_over))

    assert run.state == Run.State.DONE
    assert len(server.received) == N_CLAIMS + 2
    assert sorted(Call.objects.values_list("state", flat=True)) == ["answered"] * N_CLAIMS + ["failed"] * 2
    assert Verdict.objects.filter(state="cast").count() == N_CLAIMS
    check_books(project)


def forbid(run: Run) -> None:
    Project.objects.update(allowed_providers=[])


def retire(run: Run) -> None:
    Judge.objects.update(is_active=False, retired_at=timezone.now())


@pytest.mark.parametrize("deed", [forbid, retire, panel.stop, lambda run: panel.stop(run=panel.pause(run=run))])
def test_money_held_for_a_lost_call_comes_back_whatever_becomes_of_its_job(
    project: Project, judge: Judge, server: LocalServer, deed: Callable[..., object]
) -> None:
    run = open_run(project)
    left_by_a_dead_worker(run)

    deed(run=run)
    panel_worker.drive(run_id=run.pk)

    run.refresh_from_db()
    assert run.state in (Run.State.STOPPED, Run.State.FAILED)
    assert server.received == []
    assert Call.objects.values_list("state", "cost_micros", "is_cost_certain").get() == ("unconfirmed", MOST, False)
    assert set(Purse.objects.values_list("reserved_micros", "spent_micros")) == {(0, MOST)}
    check_books(project)


def test_money_held_for_a_lost_call_of_a_judge_that_is_stopped_comes_back(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    run = open_run(project)
    left_by_a_dead_worker(run)
    server.script(*[Step(status=401)] * N_CLAIMS)

    ended = panel_worker.drive(run_id=run.pk, concurrency=1)

    assert ended.state == Run.State.FAILED
    assert len(server.received) == 1
    check_books(project)


def test_a_run_that_is_paused_at_any_moment_loses_nothing(project: Project, judge: Judge, server: LocalServer) -> None:
    run = open_run(project)
    left_by_a_dead_worker(run)
    server.script(Step(), Step(delay=0.3))

    paused = panel_worker.drive(run_id=run.pk, concurrency=1, said=once(lambda each: panel.pause(run=each)))
    check_books(project)
    state, n_before = paused.state, len(server.received)
    panel.resume(run=paused)
    done = panel_worker.drive(run_id=run.pk)

    assert (state, n_before, done.state) == (Run.State.PAUSED, 2, Run.State.DONE)
    assert len(server.received) == N_CLAIMS
    assert Verdict.objects.filter(state="cast").count() == N_CLAIMS
    check_books(project)


def test_claims_that_one_judge_found_are_joined_by_a_stop_though_another_was_yet_to_be_asked(
    project: Project, server: LocalServer
) -> None:
    for _ in range(3):
        judge = factories.make_asked_judge(project, server.openai_url)
        Judge.objects.filter(pk=judge.pk).update(parameters={"max_concurrency": 1})
    instance = factories.make_instance(project, sources=["The fridge holds 84 litres."])
    factories.make_response(instance, "The fridge holds 84 litres. It glows at night.")
    run = open_run(project, "independent")

    stopped = panel_worker.drive(run_id=run.pk, said=once(lambda each: panel.stop(run=each)))

    assert stopped.state == Run.State.STOPPED
    assert len(server.received) == 2
    assert project.claims.count() == 2
    assert list(run.jobs.values_list("task", "state")) == [
        ("decompose", "done"),
        ("decompose", "done"),
        ("decompose", "cancelled"),
        ("merge", "done"),
        *[("judge", "cancelled")] * (run.jobs.count() - 4),
    ]


def test_a_run_remembers_when_it_began(project: Project, judge: Judge, server: LocalServer) -> None:
    run = open_run(project)
    began = timezone.now() - timedelta(hours=3)
    Run.objects.update(started_at=began)

    assert panel_worker.drive(run_id=run.pk).started_at == began
