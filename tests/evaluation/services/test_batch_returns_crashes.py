"""A worker may be killed at any point on the way of a batch."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Job, Project, ProviderBatch, Purse, Run
from evaluation.services import batch_returns, job_steps, ledger
from tests.evaluation.services.batched import drive, handed_over, look_again, set_prices, single_calls, votes

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def priced() -> None:
    set_prices()


def forget_submission(run: Run) -> ProviderBatch:
    """Leave a batch as a worker leaves it that was killed after submitting and before it noted the id."""
    run.batches.update(state="submitting", provider_id="")
    return run.batches.get()


def test_batch_whose_id_was_not_noted_is_found_by_its_token(project: Project, server: LocalServer) -> None:
    run = handed_over(project, server)
    forget_submission(run)

    look_again(run)
    ended = look_again(run)

    assert ended.state == Run.State.DONE
    assert run.batches.get().state == "ended"
    assert single_calls(server) == 0
    assert Call.objects.filter(job__run=run).count() == 2


def test_batch_that_cannot_be_found_is_unconfirmed_and_its_questions_are_asked_once_more(
    project: Project, server: LocalServer
) -> None:
    run = handed_over(project, server, provider="anthropic_messages")
    lost = forget_submission(run)

    look_again(run)
    ended = look_again(run)

    lost.refresh_from_db()
    assert (lost.state, "Nobody knows" in lost.error) == ("failed", True)
    calls = Call.objects.filter(batch=lost)
    assert {(call.state, call.is_cost_certain, call.cost_micros == call.reserved_micros) for call in calls} == {
        ("unconfirmed", False, True)
    }
    assert (ended.state, votes(project)) == (Run.State.DONE, ["accept", "accept"])


def test_question_lost_time_and_again_is_not_asked_for_ever(
    project: Project, slow: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "MAX_UNCONFIRMED", 2)
    run = handed_over(project, slow, n=1, provider="anthropic_messages")

    for _ in range(2):
        run.batches.filter(state="submitted").update(state="submitting", provider_id="")
        ended = look_again(run)

    assert ended.state == Run.State.FAILED
    assert "Ten times the worker ended" in run.jobs.get().error
    assert run.batches.count() == 2


def test_batch_on_its_way_out_is_left_alone_until_it_must_be_lost(project: Project, server: LocalServer) -> None:
    run = handed_over(project, server)
    run.batches.update(state="submitting", provider_id="", next_poll_at=timezone.now() + timedelta(seconds=1_000))

    drive(run)

    assert run.batches.get().state == "submitting"


def test_replies_are_kept_before_they_are_read(
    project: Project, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = handed_over(project, server)
    with monkeypatch.context() as killed:
        killed.setattr(batch_returns, "_store", _killed)
        with pytest.raises(KeyboardInterrupt):
            look_again(run)
    spent = Purse.objects.get(run=run).spent_micros
    assert set(run.jobs.values_list("calls__state", "state")) == {("answered", "waiting")}

    ended = look_again(run)

    assert (ended.state, votes(project)) == (Run.State.DONE, ["accept", "accept"])
    assert Purse.objects.get(run=run).spent_micros == spent > 0
    assert Call.objects.filter(job__run=run).count() == 2


def test_jobs_of_a_worker_that_died_while_reading_are_read_from_the_kept_replies(
    project: Project, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = handed_over(project, server)
    with monkeypatch.context() as killed:
        killed.setattr(job_steps, "store", _killed)
        with pytest.raises(KeyboardInterrupt):
            look_again(run)
    Job.objects.filter(state="leased").update(lease_until=timezone.now() - timedelta(seconds=1))

    ended = look_again(run)

    assert (ended.state, votes(project)) == (Run.State.DONE, ["accept", "accept"])
    assert Call.objects.filter(job__run=run).count() == 2


def _killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt
