"""Questions go out in batches, over real HTTP, with rows committed before anything leaves."""

from __future__ import annotations

import pytest
from django.utils import timezone

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Job, Project, ProviderBatch, Run, Verdict
from evaluation.services import provider_batches
from tests import factories
from tests.evaluation.services.batched import (
    drive,
    look_again,
    make_batch_judge,
    make_claims,
    open_run,
    single_calls,
    votes,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("provider", ["openai_chat", "openai_responses", "anthropic_messages"])
def test_a_run_is_asked_in_batches_and_every_claim_is_voted_on(
    project: Project, server: LocalServer, provider: str
) -> None:
    make_batch_judge(project, server, provider)
    make_claims(project, 5)
    run = open_run(project)

    waiting = drive(run)
    ended = look_again(run)

    assert (waiting.state, ended.state) == (Run.State.RUNNING, Run.State.DONE)
    assert votes(project) == ["accept"] * 5
    assert single_calls(server) == 0
    assert list(run.batches.values_list("state", "n_calls")) == [("ended", 5)]
    calls = Call.objects.filter(job__run=run)
    assert set(calls.values_list("state", "is_usable", "batch")) == {("answered", True, run.batches.get().pk)}


def test_rows_are_committed_before_anything_leaves(project: Project, slow: LocalServer) -> None:
    make_batch_judge(project, slow)
    make_claims(project, 3)
    run = open_run(project)

    drive(run)

    batch = run.batches.get()
    assert (batch.state, batch.provider_id[:6], batch.n_calls) == ("submitted", "batch_", 3)
    assert set(Call.objects.values_list("state", "batch")) == {("sent", batch.pk)}
    assert set(run.jobs.values_list("state", "batch", "lease_until")) == {("waiting", batch.pk, None)}


def test_nothing_is_handed_over_twice(project: Project, slow: LocalServer) -> None:
    make_batch_judge(project, slow)
    make_claims(project, 3)
    run = open_run(project)

    for _ in range(3):
        drive(run)
        look_again(run)

    assert run.batches.count() == 1
    assert Call.objects.count() == 3
    assert single_calls(slow) == 0


def test_judges_without_batches_are_asked_one_by_one_meanwhile(project: Project, slow: LocalServer) -> None:
    make_batch_judge(project, slow)
    factories.make_judges(project, 1, provider="offline")
    project.judges.filter(provider="offline").update(model="words")
    make_claims(project, 3)
    run = open_run(project)

    drive(run)

    assert votes(project) == ["accept"] * 3
    assert run.jobs.filter(batch__isnull=False).count() == 3


def test_known_answers_are_taken_first_and_cost_nothing(project: Project, server: LocalServer) -> None:
    make_batch_judge(project, server)
    make_claims(project, 3)
    first = open_run(project)
    drive(first)
    look_again(first)
    Verdict.objects.all().update(is_current=False)
    second = open_run(project)

    ended = drive(second)

    assert ended.state == Run.State.DONE
    assert not second.batches.exists()
    assert set(Call.objects.filter(job__run=second).values_list("source__job__run", "cost_micros")) == {(first.pk, 0)}


def test_server_that_has_no_batches_is_asked_one_by_one(project: Project, server: LocalServer) -> None:
    server.script(Step(status=404), path="/v1/files")
    make_batch_judge(project, server)
    make_claims(project, 3)
    run = open_run(project)

    ended = drive(run)

    assert ended.state == Run.State.DONE
    assert votes(project) == ["accept"] * 3
    assert single_calls(server) == 3
    assert run.batches.get().state == "failed"
    assert "status 404" in run.batches.get().error


def test_busy_server_gets_the_batch_later_and_then_the_questions_one_by_one(
    project: Project, server: LocalServer
) -> None:
    server.script(*[Step(status=503)] * 3, path="/v1/files")
    make_batch_judge(project, server)
    make_claims(project, 2)
    run = open_run(project)

    states = [drive(run).state, look_again(run).state, look_again(run).state, look_again(run).state]

    assert states == ["running", "running", "running", "done"]
    assert run.batches.filter(state="failed").count() == 3
    assert single_calls(server) == 2
    assert set(Call.objects.filter(batch__isnull=False).values_list("state", "cost_micros")) == {("failed", None)}


def test_busy_server_that_recovers_takes_the_batch(project: Project, server: LocalServer) -> None:
    server.script(Step(status=429, headers={"retry-after": "7200"}), path="/v1/files")
    make_batch_judge(project, server)
    make_claims(project, 2)
    run = open_run(project)

    drive(run)
    moments = [moment for moment in run.jobs.values_list("not_before", flat=True) if moment]
    waits = [(moment - timezone.now()).total_seconds() for moment in moments]
    look_again(run)
    ended = look_again(run)

    assert [7_000 < wait < 7_300 for wait in waits] == [True, True]
    assert ended.state == Run.State.DONE
    assert single_calls(server) == 0


def test_wrong_key_stops_the_judge_and_says_so(project: Project, server: LocalServer) -> None:
    server.script(Step(status=401), path="/v1/")
    server.script(*[Step(status=401)] * 3)
    make_batch_judge(project, server)
    make_claims(project, 3)
    run = open_run(project)

    ended = drive(run)

    assert ended.state == Run.State.FAILED
    assert "valid key" in ended.message
    assert single_calls(server) <= 3


def test_many_questions_go_out_in_several_batches(
    project: Project, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider_batches, "MOST_CALLS", 2)
    make_batch_judge(project, server)
    make_claims(project, 5)
    run = open_run(project)

    drive(run)

    assert sorted(run.batches.values_list("n_calls", flat=True)) == [1, 2, 2]
    assert look_again(run).state == Run.State.DONE


def test_large_questions_go_out_in_several_batches(
    project: Project, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider_batches, "MOST_BYTES", 1)
    make_batch_judge(project, server)
    make_claims(project, 3)
    run = open_run(project)

    drive(run)

    assert list(run.batches.values_list("n_calls", flat=True)) == [1, 1, 1]


def test_votes_wait_until_every_answer_is_split(project: Project, server: LocalServer) -> None:
    make_batch_judge(project, server)
    factories.make_response(factories.make_instance(project, sources=["84 litres."]), "The fridge holds 84 litres.")
    run = open_run(project)
    drive(run)
    split = run.jobs.get(task=Job.Task.DECOMPOSE)
    vote = Job.objects.create(run=run, task=Job.Task.JUDGE, key="later", judge=split.judge, response=split.response)

    drive(run)

    vote.refresh_from_db()
    assert (split.batch is not None, vote.batch, vote.state) == (True, None, "waiting")


def test_answers_are_split_in_batches_and_joined_after(project: Project, server: LocalServer) -> None:
    make_batch_judge(project, server)
    make_batch_judge(project, server, "anthropic_messages")
    text = "The fridge holds 84 litres. It glows at night."
    factories.make_response(factories.make_instance(project, sources=["The fridge holds 84 litres."]), text)
    run = open_run(project)

    drive(run)
    ended = look_again(run)

    assert ended.state == Run.State.DONE
    assert project.claims.count() == 2
    assert votes(project) == ["accept", "accept", "reject", "reject"]
    assert single_calls(server) == 0


def test_run_without_the_option_hands_nothing_over(project: Project, server: LocalServer) -> None:
    make_batch_judge(project, server)
    make_claims(project, 2)
    run = open_run(project, in_batches=False)

    assert drive(run).state == Run.State.DONE
    assert not run.batches.exists()


def test_runs_with_a_due_batch_are_named_whatever_their_state(project: Project, slow: LocalServer) -> None:
    make_batch_judge(project, slow)
    make_claims(project, 2)
    run = open_run(project)
    drive(run)

    assert provider_batches.runs_to_attend() == []
    ProviderBatch.objects.update(next_poll_at=timezone.now())
    Run.objects.update(state=Run.State.PAUSED)
    assert provider_batches.runs_to_attend() == [run.pk]
