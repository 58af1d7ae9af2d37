"""What batches cost: reserved before, settled after, and never above the cap."""

from __future__ import annotations

import pytest
from django.db.models import F
from django.utils import timezone

from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Project, Purse, Run, Verdict
from tests.evaluation.services.batched import drive, look_again, make_batch_judge, make_claims, open_run, set_prices

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def priced() -> None:
    set_prices()


def test_what_a_batch_can_cost_is_reserved_and_then_what_it_did_cost_spent(
    project: Project, server: LocalServer
) -> None:
    make_batch_judge(project, server)
    make_claims(project, 3)
    run = open_run(project)

    drive(run)
    reserved = Purse.objects.get(run=run).reserved_micros
    look_again(run)

    purse = Purse.objects.get(run=run)
    calls = Call.objects.filter(job__run=run)
    assert reserved == sum(calls.values_list("reserved_micros", flat=True)) > 0
    assert purse.reserved_micros == 0
    assert purse.spent_micros == sum(cost or 0 for cost in calls.values_list("cost_micros", flat=True)) > 0


def test_only_as_many_go_out_as_there_is_money_for(project: Project, server: LocalServer) -> None:
    make_batch_judge(project, server)
    make_claims(project, 4)
    run = open_run(project, cap_micros=16_000)  # room for two at their most, and for all at what they cost

    drive(run)
    first = list(run.batches.values_list("n_calls", flat=True))
    states = [look_again(run).state for _ in range(4)]

    assert sum(first) < 4
    assert states[-1] == Run.State.DONE
    assert Verdict.objects.filter(state="cast", is_current=True).count() == 4
    purse = Purse.objects.get(run=run)
    assert 0 < purse.spent_micros <= 16_000


def test_run_is_paused_where_nothing_fits_and_nothing_is_out(project: Project, server: LocalServer) -> None:
    make_batch_judge(project, server)
    make_claims(project, 2)
    run = open_run(project, cap_micros=10)

    paused = drive(run)

    assert (paused.state, paused.paused_by) == (Run.State.PAUSED, Run.PausedBy.RUN_CAP)
    assert not run.batches.exists()
    assert not Call.objects.exists()
    assert set(run.jobs.values_list("state", "not_before")) == {("waiting", None)}


def test_what_there_was_no_money_for_is_handed_over_when_the_batch_is_back(
    project: Project, server: LocalServer
) -> None:
    make_batch_judge(project, server)
    make_claims(project, 4)
    run = open_run(project, cap_micros=16_000)
    drive(run)
    batch, rest = run.batches.get(), run.jobs.filter(batch=None)

    waits_until = set(rest.values_list("not_before", flat=True))
    assert batch.next_poll_at is not None
    passed = batch.next_poll_at - timezone.now()
    run.batches.update(next_poll_at=batch.next_poll_at - passed)
    rest.update(not_before=F("not_before") - passed)  # only so much time goes by until the batch is looked after
    drive(run)

    assert waits_until == {batch.next_poll_at}
    assert run.batches.count() == 2
    assert passed.total_seconds() < 30


def test_it_waits_shortly_where_money_is_out_in_single_calls(project: Project, server: LocalServer) -> None:
    make_batch_judge(project, server)
    claims = make_claims(project, 2)
    run = open_run(project, cap_micros=10)
    job = run.jobs.create(task="merge", key="single", response=claims[0].response, state="done")
    job.calls.create(judge=project.judges.get(), attempt=1)

    drive(run)

    waits = [(at - timezone.now()).total_seconds() for at in run.jobs.values_list("not_before", flat=True) if at]
    assert [0 < wait <= 10 for wait in waits] == [True, True]
