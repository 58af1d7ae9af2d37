"""What comes back with a batch is kept and read once, whatever happens in between."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.errors import MissingPieceError
from evaluation.llm.errors import LLMError
from evaluation.llm.local_server.script import Step, Tokens
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Judge, Project, Purse, RubricEntry, Run, Verdict
from evaluation.services import batch_returns, judges, panel
from tests.evaluation.services.batched import handed_over, look_again, set_prices, single_calls, votes

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def priced() -> None:
    set_prices()


@pytest.mark.parametrize("provider", ["openai_chat", "anthropic_messages"])
def test_unreadable_reply_is_asked_for_once_more_alone(project: Project, server: LocalServer, provider: str) -> None:
    server.script_batched(Step(text="I would rather not say."), Step())
    run = handed_over(project, server, provider=provider)

    ended = look_again(run)

    assert ended.state == Run.State.DONE
    assert votes(project) == ["accept", "accept"]
    assert single_calls(server) == 1
    assert len(server.received[-1].body["messages"]) > 2  # the second asking says what was wrong with the first


def test_second_unreadable_reply_is_a_failed_vote(project: Project, server: LocalServer) -> None:
    server.script_batched(Step(text="No."))
    server.script(Step(text="Still no."))
    run = handed_over(project, server, n=1)

    look_again(run)

    assert votes(project) == ["failed: parse"]
    assert Call.objects.filter(job__run=run).count() == 2


def test_failed_requests_end_with_their_reason_or_are_asked_again_alone(project: Project, server: LocalServer) -> None:
    server.script_batched(
        Step(status=400, message="prompt is too long: 9 tokens"),
        Step(text="I will not.", finish="refused"),
        Step(status=500),
        Step(did="expired"),
    )
    run = handed_over(project, server, n=4)

    ended = look_again(run)

    assert ended.state == Run.State.DONE
    assert votes(project) == ["failed: context_length", "failed: refused", "accept", "accept"]
    assert single_calls(server) == 2


def test_request_that_came_back_without_a_result_cost_nothing_and_is_asked_alone(
    project: Project, slow: LocalServer
) -> None:
    run = handed_over(project, slow)
    batch = run.batches.get()
    empty = {"status": "expired", "request_counts": {"total": 2, "completed": 0, "failed": 0}}
    slow.script(*[Step(raw=json.dumps(empty).encode())] * 2, path="/v1/batches")

    ended = look_again(run)

    calls = Call.objects.filter(batch=batch)
    assert set(calls.values_list("state", "cost_micros", "is_cost_certain")) == {("failed", 0, True)}
    assert (ended.state, votes(project)) == (Run.State.DONE, ["accept", "accept"])


def test_result_whose_line_is_broken_may_have_cost_something(project: Project, slow: LocalServer) -> None:
    run = handed_over(project, slow, n=1)
    done = {"status": "completed", "request_counts": {"completed": 1}, "output_file_id": "f"}
    slow.script(*[Step(raw=json.dumps(done).encode())] * 2, path="/v1/batches")
    slow.script(Step(raw=b'{"custom_id": '), path="/v1/files")

    look_again(run)

    call = Call.objects.get(batch=run.batches.get())
    assert (call.state, call.is_cost_certain) == ("failed", False)
    assert call.cost_micros == call.reserved_micros > 0


def test_batch_that_the_server_could_not_use_is_handed_over_again(project: Project, server: LocalServer) -> None:
    run = handed_over(project, server)
    failed = {"status": "failed", "errors": {"data": [{"code": "token_limit_exceeded", "message": "Too many."}]}}
    server.script(Step(raw=json.dumps(failed).encode()), path="/v1/batches")

    look_again(run)
    first = run.batches.get()
    look_again(run)
    ended = look_again(run)

    assert (first.state, "Too many." in first.error) == ("failed", True)
    assert ended.state == Run.State.DONE
    assert single_calls(server) == 0
    assert Purse.objects.get(run=run).reserved_micros == 0


class TestStops:
    """A stopped run cancels at the provider and keeps what came."""

    def test_stopped_run_cancels_its_batch_and_keeps_what_was_answered(
        self, project: Project, server: LocalServer
    ) -> None:
        run = handed_over(project, server)

        stopping = panel.stop(run=run)
        ended = look_again(run)

        assert stopping.state == Run.State.STOPPING
        assert ended.state == Run.State.STOPPED
        assert votes(project) == ["accept", "accept"]
        assert run.batches.get().state == "cancelled"

    def test_what_was_not_answered_by_then_is_cancelled_and_costs_nothing(
        self, project: Project, slow: LocalServer
    ) -> None:
        run = handed_over(project, slow)

        panel.stop(run=run)
        ended = look_again(run)

        assert ended.state == Run.State.STOPPED
        assert set(run.jobs.values_list("state", flat=True)) == {"cancelled"}
        purse = Purse.objects.get(run=run)
        assert (purse.spent_micros, purse.reserved_micros) == (0, 0)
        assert single_calls(slow) == 0

    def test_paused_run_keeps_what_comes_back_and_sends_nothing(self, project: Project, server: LocalServer) -> None:
        server.script_batched(Step(text="No."), Step())
        run = handed_over(project, server)
        panel.pause(run=run)

        paused = look_again(run)
        assert (paused.state, votes(project), single_calls(server)) == (Run.State.PAUSED, ["accept"], 0)
        panel.resume(run=run)

        assert look_again(run).state == Run.State.DONE
        assert votes(project) == ["accept", "accept"]


class TestTroubleOnTheWay:
    """Looking after a batch may fail as any call does."""

    def test_server_that_does_not_answer_is_asked_again_later(self, project: Project, server: LocalServer) -> None:
        run = handed_over(project, server)
        server.script(Step(status=503), path="/v1/batches")

        look_again(run)
        batch = run.batches.get()
        assert (batch.state, "status 503" in batch.error) == ("submitted", True)
        assert batch.next_poll_at is not None
        assert timezone.now() < batch.next_poll_at < timezone.now() + timedelta(minutes=11)

        assert look_again(run).state == Run.State.DONE
        assert run.batches.get().error == ""

    def test_results_that_break_off_are_fetched_again(self, project: Project, server: LocalServer) -> None:
        run = handed_over(project, server)
        server.script(Step(status=500), path="/v1/files")

        look_again(run)
        ended = look_again(run)

        assert (ended.state, votes(project)) == (Run.State.DONE, ["accept", "accept"])

    def test_batch_that_stays_out_of_reach_is_given_up_after_days(self, project: Project, server: LocalServer) -> None:
        run = handed_over(project, server)
        run.batches.update(created_at=timezone.now() - timedelta(days=4))
        server.script(Step(status=404), path="/v1/batches")

        look_again(run)
        ended = look_again(run)

        assert ended.state == Run.State.DONE
        assert set(Call.objects.filter(batch__state="failed").values_list("state", flat=True)) == {"unconfirmed"}

    def test_missing_key_is_waited_for(
        self, project: Project, server: LocalServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = handed_over(project, server)
        with monkeypatch.context() as without:
            without.setattr(judges, "batches_for", _without_key)
            look_again(run)
        assert "set the key" in run.batches.get().error

        assert look_again(run).state == Run.State.DONE

    def test_submission_that_may_have_arrived_is_looked_for(self, project: Project, server: LocalServer) -> None:
        server.script(Step(raw=b"cut off in the mid"), path="/v1/batches")
        run = handed_over(project, server)
        batch = run.batches.get()
        assert (batch.state, batch.provider_id) == ("submitting", "")

        look_again(run)
        ended = look_again(run)

        assert (ended.state, votes(project)) == (Run.State.DONE, ["accept", "accept"])


def _without_key(judge: Judge) -> None:
    raise MissingPieceError(f"Judge {judge}: set the key.")


def test_rules_adopted_meanwhile_do_not_count_as_shown(project: Project, server: LocalServer) -> None:
    run = handed_over(project, server, n=1)
    RubricEntry.objects.create(project=project, criterion="Litres are exact.", status="active")
    project.rubric_version += 1
    project.save(update_fields=["rubric_version"])

    ended = look_again(run)

    assert ended.state == Run.State.DONE
    assert (votes(project), single_calls(server)) == (["accept"], 0)
    vote = Verdict.objects.get(is_current=True)
    assert (vote.rubric_entries, vote.rubric_version) == ([], project.rubric_version - 1)
    assert run.jobs.get().result is None


def test_price_of_a_batch_is_the_lower_one_only_at_the_providers_own_address(
    project: Project, server: LocalServer
) -> None:
    server.script_batched(Step(tokens=Tokens(input=1_000_000, output=0)))
    run = handed_over(project, server, n=1)

    look_again(run)

    assert Call.objects.get(job__run=run).cost_micros == 1_000_000


def test_failed_batch_leaves_its_questions_free_and_costs_nothing(project: Project, slow: LocalServer) -> None:
    run = handed_over(project, slow)
    batch = run.batches.select_related("judge", "run__project").get()

    batch_returns.fail(batch, LLMError("No such model.", reason="config"))

    assert run.jobs.filter(batch=None, not_before=None, result__isnull=True, state="waiting").count() == 2
    assert set(Call.objects.values_list("state", "reason", "cost_micros")) == {("failed", "config", 0)}
    assert Purse.objects.get(run=run).reserved_micros == 0
