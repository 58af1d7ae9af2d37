"""What a job asks, and what is kept of the answer and of a failure."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from pydantic import BaseModel

from evaluation.errors import MissingPieceError
from evaluation.llm.errors import LLMError
from evaluation.methods.deidentify import Masked, Reply
from evaluation.methods.juryflow_shapes import DecompositionReply, FoundClaimReply, VerdictReply, VerdictsReply
from evaluation.models import Call, Claim, Job, Judge, Project, RubricEntry, Run, Verdict
from evaluation.services import askings, job_steps, jobs, panel, rubric, second_look
from evaluation.services.askings import Asking
from evaluation.services.job_steps import Ended
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(project: Project) -> Judge:
    return factories.make_asked_judge(project, "http://127.0.0.1:9/v1")


def leased(run: Run | None) -> Job:
    assert run is not None
    (job,) = jobs.lease(run, 1)
    return job


def store(job: Job, asking: Asking, value: BaseModel) -> None:
    job_steps.store(ended=[Ended(job, asking, value)])


def fail(job: Job, asking: Asking | None, error: Exception) -> None:
    job_steps.store(ended=[Ended(job, asking, error=error)])


def voted(label: str) -> VerdictsReply:
    return VerdictsReply(verdicts=(VerdictReply(claim="1", rationale="So.", verdict=label),))


def open_run(project: Project) -> Run:
    return panel.open_run(project=project, by=None, options=panel.RunOptions(decompose="shared"))


def test_an_answer_is_kept_once(project: Project, judge: Judge) -> None:
    claim = factories.make_claim(project)
    job = leased(open_run(project))
    asking = askings.prepare(job)

    store(job, asking, voted("accept"))
    store(job, asking, voted("reject"))

    assert Verdict.objects.values_list("label", "prompt_name").get() == ("accept", "judge")
    assert Claim.objects.get(pk=claim.pk).outcome.label == "accept"
    assert Job.objects.get().state == Job.State.DONE


def test_a_cancelled_job_keeps_neither_answer_nor_failure(project: Project, judge: Judge) -> None:
    factories.make_claim(project)
    job = leased(open_run(project))
    asking = askings.prepare(job)
    Job.objects.update(state=Job.State.CANCELLED)

    store(job, asking, voted("accept"))
    fail(job, asking, LLMError("Too late.", reason="timeout"))

    assert not Verdict.objects.exists()
    assert Job.objects.values_list("state", "error").get() == ("cancelled", "")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (LLMError("Slow.", reason="timeout"), "timeout"),
        (MissingPieceError("Set the key."), "config"),
        (LLMError("No credit.", reason="auth", stops_judge=True), "auth"),
        (RuntimeError("Odd."), "server"),
    ],
)
def test_a_failure_leaves_its_reason_on_every_claim(
    project: Project, judge: Judge, error: Exception, reason: str
) -> None:
    factories.make_claim(project, response=factories.make_claim(project).response)
    job = leased(open_run(project))

    fail(job, askings.prepare(job), error)

    assert list(Verdict.objects.values_list("state", "failure_reason")) == [("failed", reason)] * 2
    assert Job.objects.values_list("state", "error", "reason").get() == ("failed", str(error), reason)


def test_a_job_that_was_never_prepared_fails_with_its_claims(project: Project, judge: Judge) -> None:
    factories.make_claim(project)
    job = leased(open_run(project))

    fail(job, None, LLMError("No credit.", reason="auth", stops_judge=True))

    assert Verdict.objects.values_list("failure_reason", "prompt_name").get() == ("auth", "")


def test_many_answers_are_stored_in_few_queries(
    project: Project, judge: Judge, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    for _ in range(12):
        factories.make_claim(project)
    leased_jobs = jobs.lease(open_run(project), 12)
    ended = [Ended(job, askings.prepare(job), voted("accept")) for job in leased_jobs]

    with django_assert_max_num_queries(40):
        job_steps.store(ended=ended)

    assert Verdict.objects.filter(label="accept", is_current=True).count() == 12
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}


def test_an_answer_the_database_refuses_fails_alone(project: Project, judge: Judge) -> None:
    for _ in range(3):
        factories.make_claim(project)
    leased_jobs = jobs.lease(open_run(project), 3)
    ended = [Ended(job, askings.prepare(job), voted("accept")) for job in leased_jobs]
    asking = ended[1].asking
    assert asking is not None
    assert asking.request.prompt is not None
    bad_prompt = replace(asking.request.prompt, version=-1)
    ended[1] = replace(ended[1], asking=replace(asking, request=replace(asking.request, prompt=bad_prompt)))

    job_steps.store(ended=ended)

    assert list(Job.objects.order_by("pk").values_list("state", flat=True)) == ["done", "failed", "done"]
    assert "is in the ledger of calls" in leased_error(leased_jobs[1])
    assert list(Verdict.objects.order_by("claim").values_list("state", flat=True)) == ["cast", "failed", "cast"]


def leased_error(job: Job) -> str:
    job.refresh_from_db()
    return job.error


def test_a_mended_reply_says_so_on_its_votes_and_marks_its_call(project: Project, judge: Judge) -> None:
    factories.make_claim(project)
    job = leased(open_run(project))
    call = Call.objects.create(job=job, judge=judge, attempt=1, cache_key="k", state="answered")

    job_steps.store(ended=[Ended(job, askings.prepare(job), voted("accept"), call, is_repaired=True)])

    assert Verdict.objects.get().flags == [job_steps.MENDED]
    assert Call.objects.values_list("is_usable", "is_repaired").get() == (True, True)


def test_a_failed_reply_is_not_usable(project: Project, judge: Judge) -> None:
    factories.make_claim(project)
    job = leased(open_run(project))
    call = Call.objects.create(job=job, judge=judge, attempt=2, cache_key="k", state="answered")

    job_steps.store(ended=[Ended(job, None, call=call, error=LLMError("Cut off.", reason="truncated"))])

    assert not Call.objects.get().is_usable


def test_a_failed_second_look_leaves_the_votes_alone(project: Project, judge: Judge, owner: User) -> None:
    claim = factories.make_claim(project)
    factories.vote(claim, {judge: "accept"})
    job = leased(second_look.ask_about(claim=claim, by=owner))

    fail(job, askings.prepare(job), LLMError("Slow.", reason="timeout"))

    assert Verdict.objects.get(purpose="review").state == Verdict.State.FAILED
    assert Claim.objects.get(pk=claim.pk).outcome.label == "accept"


def test_cutting_keeps_claims_and_what_was_shown_and_queues_the_joining(project: Project, judge: Judge) -> None:
    factories.make_response(factories.make_instance(project), "It is blue.")
    run = open_run(project)
    job = leased(run)
    found = FoundClaimReply(text="It is blue.", quote="It is blue.", rationale="Seen.", verdict="accept")

    store(job, askings.prepare(job), DecompositionReply(claims=(found,)))

    job.refresh_from_db()
    assert [each["span"] for each in job.result["claims"]] == [[0, 11]]
    assert (job.result["prompt"]["name"], job.result["rubric"]) == ("decompose", [])
    assert list(run.jobs.values_list("task", "state")) == [("decompose", "done"), ("merge", "waiting")]
    assert not Claim.objects.exists()


def test_a_draft_job_makes_one_entry(project: Project, judge: Judge, owner: User) -> None:
    claim = factories.make_claim(project)
    factories.vote(claim, {judge: "accept"})
    job = leased(rubric.request_draft(decision=factories.rule(claim, owner, "reject"), by=owner))
    asking = askings.prepare(job)
    reply = asking.shape.model_validate({"criterion": "Look twice.", "negative_example": claim.text})

    for _ in range(2):
        store(job, asking, reply)

    entry = RubricEntry.objects.get()
    assert (entry.criterion, entry.negative_example, entry.negative_label) == ("Look twice.", claim.text, "reject")


def test_an_error_that_says_nothing_is_a_failure_all_the_same(project: Project, judge: Judge) -> None:
    factories.make_claim(project)
    job = leased(open_run(project))

    fail(job, askings.prepare(job), MemoryError())

    assert Job.objects.values_list("state", "reason").get() == ("failed", "server")
    assert "MemoryError" in Job.objects.get().error
    assert Verdict.objects.get().state == Verdict.State.FAILED


class Unrestorable(Masked):
    """What was masked cannot be put back."""

    def restore(self, value: Reply) -> Reply:
        raise RecursionError


def test_an_answer_that_cannot_be_read_fails_alone(project: Project, judge: Judge) -> None:
    for _ in range(3):
        factories.make_claim(project)
    taken = jobs.lease(open_run(project), 3)
    asked = [askings.prepare(job) for job in taken]
    asked[1] = replace(asked[1], masked=Unrestorable(asked[1].subject, asked[1].subject))

    job_steps.store(ended=[Ended(job, asking, voted("accept")) for job, asking in zip(taken, asked, strict=True)])

    assert list(Job.objects.values_list("state", flat=True)) == ["done", "failed", "done"]
    assert "RecursionError" in Job.objects.get(state="failed").error
    assert sorted(Verdict.objects.values_list("state", flat=True)) == ["cast", "cast", "failed"]


def test_a_database_that_cannot_be_reached_fails_no_job(project: Project, judge: Judge) -> None:
    factories.make_claim(project)
    job = leased(open_run(project))
    asking = askings.prepare(job)

    def unreachable(execute: object, sql: str, *rest: object) -> object:
        raise OperationalError("server closed the connection unexpectedly")

    with connection.execute_wrapper(unreachable), pytest.raises(OperationalError):
        store(job, asking, voted("accept"))

    assert Job.objects.get().state == Job.State.LEASED
