"""What a job asks, and what is kept of the answer and of a failure."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.errors import MissingPieceError
from evaluation.llm.errors import LLMError
from evaluation.methods.juryflow_shapes import DecompositionReply, FoundClaimReply, VerdictReply, VerdictsReply
from evaluation.models import Claim, Job, Judge, Project, RubricEntry, Run, Verdict
from evaluation.services import job_steps, jobs, panel, rubric, second_look
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(project: Project) -> Judge:
    return factories.make_asked_judge(project, "http://127.0.0.1:9/v1")


def leased(run: Run | None) -> Job:
    job = jobs.lease(run) if run else None
    assert job is not None
    return job


def voted(label: str) -> VerdictsReply:
    return VerdictsReply(verdicts=(VerdictReply(claim="1", rationale="So.", verdict=label),))


def open_run(project: Project) -> Run:
    return panel.open_run(project=project, by=None, decompose="shared")


def test_the_same_question_has_the_same_key_until_a_rule_is_adopted(
    project: Project, judge: Judge, owner: User
) -> None:
    factories.make_claim(project)
    job = leased(open_run(project))
    keys = [job_steps.prepare(job).cache_key for _ in range(2)]

    rubric.adopt(entry=rubric.write(project=project, text=EntryText("Rule."), by=owner), by=owner)
    keys.append(job_steps.prepare(Job.objects.get(pk=job.pk)).cache_key)

    assert keys[0] == keys[1] != keys[2]


def test_an_answer_is_kept_once(project: Project, judge: Judge) -> None:
    claim = factories.make_claim(project)
    job = leased(open_run(project))
    asking = job_steps.prepare(job)

    job_steps.store(job, asking, voted("accept"))
    job_steps.store(job, asking, voted("reject"))

    assert Verdict.objects.values_list("label", "prompt_name").get() == ("accept", "judge")
    assert Claim.objects.get(pk=claim.pk).outcome.label == "accept"
    assert Job.objects.get().state == Job.State.DONE


def test_a_cancelled_job_keeps_neither_answer_nor_failure(project: Project, judge: Judge) -> None:
    factories.make_claim(project)
    job = leased(open_run(project))
    asking = job_steps.prepare(job)
    Job.objects.update(state=Job.State.CANCELLED)

    job_steps.store(job, asking, voted("accept"))
    job_steps.fail(job, asking, LLMError("Too late.", reason="timeout"))

    assert not Verdict.objects.exists()
    assert Job.objects.values_list("state", "error").get() == ("cancelled", "")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (LLMError("Slow.", reason="timeout"), "timeout"),
        (MissingPieceError("Set the key."), "config"),
        (RuntimeError("Odd."), "server"),
    ],
)
def test_a_failure_leaves_its_reason_on_every_claim(
    project: Project, judge: Judge, error: Exception, reason: str
) -> None:
    factories.make_claim(project, response=factories.make_claim(project).response)
    job = leased(open_run(project))

    job_steps.fail(job, job_steps.prepare(job), error)

    assert list(Verdict.objects.values_list("state", "failure_reason")) == [("failed", reason)] * 2
    assert Job.objects.values_list("state", "error").get() == ("failed", str(error))


def test_a_failed_second_look_leaves_the_votes_alone(project: Project, judge: Judge, owner: User) -> None:
    claim = factories.make_claim(project)
    factories.vote(claim, {judge: "accept"})
    job = leased(second_look.ask_about(claim=claim, by=owner))

    job_steps.fail(job, job_steps.prepare(job), LLMError("Slow.", reason="timeout"))

    assert Verdict.objects.get(purpose="review").state == Verdict.State.FAILED
    assert Claim.objects.get(pk=claim.pk).outcome.label == "accept"


def test_cutting_keeps_claims_and_what_was_shown_and_queues_the_joining(project: Project, judge: Judge) -> None:
    factories.make_response(factories.make_instance(project), "It is blue.")
    run = open_run(project)
    job = leased(run)
    found = FoundClaimReply(text="It is blue.", quote="It is blue.", rationale="Seen.", verdict="accept")

    job_steps.store(job, job_steps.prepare(job), DecompositionReply(claims=(found,)))

    job.refresh_from_db()
    assert [each["span"] for each in job.result["claims"]] == [[0, 11]]
    assert (job.result["prompt"]["name"], job.result["rubric"]) == ("decompose", [])
    assert list(run.jobs.values_list("task", "state")) == [("decompose", "done"), ("merge", "waiting")]
    assert not Claim.objects.exists()


def test_a_draft_job_makes_one_entry(project: Project, judge: Judge, owner: User) -> None:
    claim = factories.make_claim(project)
    factories.vote(claim, {judge: "accept"})
    job = leased(rubric.request_draft(decision=factories.rule(claim, owner, "reject"), by=owner))
    asking = job_steps.prepare(job)
    reply = asking.shape.model_validate({"criterion": "Look twice.", "negative_example": claim.text})

    for _ in range(2):
        job_steps.store(job, asking, reply)

    entry = RubricEntry.objects.get()
    assert (entry.criterion, entry.negative_example, entry.negative_label) == ("Look twice.", claim.text, "reject")
