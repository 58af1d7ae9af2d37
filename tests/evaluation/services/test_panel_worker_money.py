"""A panel under a cap: it is never exceeded, the run says why it paused, and goes on when the cap is raised."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.pricing import FREE
from evaluation.llm.protocol import ChatReply
from evaluation.models import Call, Job, Judge, ModelPrice, Project, Purse, Run, Verdict
from evaluation.services import jobs, ledger, panel, panel_worker, purses
from evaluation.services.ledger import Came, Sending
from evaluation.services.panel import RunOptions
from evaluation.services.preparing import Preparing
from evaluation.services.purses import Emptied
from tests import factories
from tests.books import check_books

pytestmark = pytest.mark.django_db

N_CLAIMS = 6


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with LocalServer() as running:
        yield running


@pytest.fixture
def judge(project: Project, server: LocalServer) -> Judge:
    """A judge with six claims to vote on, whose calls cost 10 dollars a million tokens either way."""
    judge = factories.make_asked_judge(project, server.openai_url)
    Judge.objects.filter(pk=judge.pk).update(parameters={"max_tokens": 1_000})
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


def drive(project: Project, cap_micros: int | None, concurrency: int = 4) -> Run:
    run = panel.open_run(project=project, by=None, options=RunOptions(cap_micros=cap_micros))
    return panel_worker.drive(run_id=run.pk, concurrency=concurrency)


@pytest.fixture(autouse=True)
def books(project: Project) -> Iterator[None]:
    """Whatever a test does, purses and calls tell the same in the end."""
    yield
    check_books(project)


def purse_of(run: Run) -> Purse:
    return Purse.objects.get(run=run)


def test_every_call_is_paid_for_in_the_purses_of_run_and_project(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    run = drive(project, None)

    costs = list(Call.objects.values_list("cost_micros", flat=True))
    assert len(costs) == N_CLAIMS
    assert all(costs)
    assert {(purse.spent_micros, purse.reserved_micros) for purse in Purse.objects.all()} == {
        (sum(cost or 0 for cost in costs), 0)
    }
    assert run.state == Run.State.DONE


def test_a_run_pauses_at_its_cap_says_why_and_goes_on_when_it_is_raised(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    paused = drive(project, 60_000)
    n_before = len(server.received)
    spent = purse_of(paused).spent_micros

    panel.resume(run=paused, cap_micros=10_000_000)
    done = panel_worker.drive(run_id=paused.pk)

    assert (paused.pk, n_before < N_CLAIMS, spent <= 60_000) == (done.pk, True, True)
    assert done.state == Run.State.DONE
    assert len(server.received) == N_CLAIMS
    assert Verdict.objects.filter(state="cast").count() == N_CLAIMS


def test_a_paused_run_says_which_cap_and_how_to_go_on(project: Project, judge: Judge, server: LocalServer) -> None:
    run = drive(project, 1)

    assert (run.state, run.paused_by) == (Run.State.PAUSED, "run_cap")
    assert run.message.startswith("The cap of this run is reached: $0 of $0.000001 is spent")
    assert "Raise the cap to go on." in run.message
    assert server.received == []
    assert set(run.jobs.values_list("state", flat=True)) == {"waiting"}
    assert purse_of(run).reserved_micros == 0


def test_the_cap_of_the_project_holds_for_a_run_without_one(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    project.cap_micros = 1
    project.save()

    run = drive(project, None)

    assert (run.state, run.paused_by) == (Run.State.PAUSED, "project_cap")
    assert server.received == []


def test_a_call_that_breaks_off_counts_at_its_most(project: Project, judge: Judge, server: LocalServer) -> None:
    server.script(Step(status=400, message="bad request"), Step(text="{", finish="length"))

    drive(project, None, concurrency=1)

    refused, cut, *_ = Call.objects.order_by("pk")
    assert (refused.state, refused.cost_micros, refused.is_cost_certain) == ("failed", 0, True)
    assert (cut.state, cut.is_usable) == ("answered", False)
    assert cut.cost_micros
    assert purse_of(Run.objects.get()).spent_micros == sum(
        cost or 0 for cost in Call.objects.values_list("cost_micros", flat=True)
    )


def most_of_one(project: Project) -> int:
    """The most that one call can cost."""
    run = panel.open_run(project=project, by=None)
    leased = jobs.lease(run, 1)
    (question,) = Preparing(run, []).prepare(leased).questions
    jobs.release(leased)
    panel.stop(run=run)
    return question.most_micros


def test_a_worker_that_waits_for_money_to_come_back_does_not_ask_for_it_again_and_again(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    most = most_of_one(project)
    server.script(Step(delay=1.2))

    with CaptureQueriesContext(connection) as queries:
        run = drive(project, 2 * most - 1, concurrency=4)

    reserving = [each for each in queries if "reserved_micros" in each["sql"] and each["sql"].startswith("UPDATE")]
    assert len(reserving) < 60
    assert Call.objects.filter(job__run=run, state="answered").exists()
    assert run.state in (Run.State.DONE, Run.State.PAUSED)


def test_a_run_whose_money_another_run_holds_is_not_paused_and_goes_on_when_it_came_back(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    project.cap_micros = 10 * most_of_one(project)
    project.save()
    Purse.objects.filter(key=purses.PROJECT).update(cap_micros=project.cap_micros)
    other = factories.make_run(project, kind=Run.Kind.TRIAL, state=Run.State.RUNNING)
    held = Job.objects.create(run=other, task="trial", key="t", judge=judge, state="leased", attempt=1)
    Job.objects.filter(pk=held.pk).update(lease_until=timezone.now() + timedelta(minutes=2))
    sending = [Sending(held, judge, "k", 1, project.cap_micros - 1)]
    written = ledger.write_sent(sending=sending, drawn_on=purses.of_run(other))
    assert not isinstance(written, Emptied)

    waiting = drive(project, None)
    seen = waiting.state, waiting.message, len(server.received), waiting.pk in jobs.runs_to_wake()
    ledger.keep(came=[Came(written[0], ChatReply("Yes.", "m"), FREE)], drawn_on=purses.of_run(other))
    jobs.end(held, result={})
    done = panel_worker.drive(run_id=waiting.pk)

    assert seen == (Run.State.RUNNING, panel.HELD, 0, True)
    assert (done.state, done.message, len(server.received)) == (Run.State.DONE, "", N_CLAIMS)


def test_money_that_a_dead_worker_of_a_paused_run_held_is_counted_and_holds_up_nobody(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    most = most_of_one(project)
    purses.set_cap(project=project, key=purses.PROJECT, cap_micros=20 * most)
    other = factories.make_run(project, kind=Run.Kind.TRIAL, state=Run.State.PAUSED)
    left = Job.objects.create(run=other, task="trial", key="t", judge=judge, state="leased", attempt=1)
    Job.objects.filter(pk=left.pk).update(lease_until=timezone.now() - timedelta(minutes=2))
    ledger.write_sent(sending=[Sending(left, judge, "k", 1, 19 * most + 1)], drawn_on=purses.of_run(other))

    run = drive(project, None)

    assert (run.state, run.paused_by) == (Run.State.PAUSED, "project_cap")
    assert Call.objects.get(job=left).state == Call.State.UNCONFIRMED


def test_a_second_look_draws_on_the_week_in_which_it_was_queued(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    run = panel.open_run(project=project, by=None)
    last_week = timezone.now() - timedelta(days=8)
    Run.objects.filter(pk=run.pk).update(kind=Run.Kind.SECOND_LOOK, created_at=last_week)
    project.weekly_second_look_cap_micros = 1
    project.save()

    paused = panel_worker.drive(run_id=run.pk)

    assert (paused.state, paused.paused_by) == (Run.State.PAUSED, "allowance")
    assert set(Purse.objects.filter(key__startswith="second").values_list("key", flat=True)) == {
        purses.weekly_key(last_week)
    }


def test_a_judge_without_a_price_is_not_asked_under_a_cap(project: Project, judge: Judge, server: LocalServer) -> None:
    run = panel.open_run(project=project, by=None, options=RunOptions(cap_micros=10_000_000))
    ModelPrice.objects.all().delete()

    ended = panel_worker.drive(run_id=run.pk)

    assert (ended.state, server.received) == (Run.State.FAILED, [])
    assert "No price is known" in ended.message
