"""What each kind of job asks a judge, and what becomes of the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from pydantic import BaseModel

from evaluation.errors import JuryFlowError
from evaluation.llm.cache_key import cache_key
from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatRequest
from evaluation.methods import juryflow, juryflow_replies, juryflow_shapes
from evaluation.models import Call, Claim, Job, Outcome, Proposal, Verdict
from evaluation.schemas import Opinion, VerdictState
from evaluation.services import jobs, judges, merging, panel, patterns, projects, rubric, subjects, verdicts
from evaluation.services.planning import Step
from evaluation.services.verdicts import Asked

AGAIN = "again/"


@dataclass(frozen=True)
class Asking:
    """One question to one judge: the request, the shape of its reply, and the claims in the order of their refs."""

    request: ChatRequest
    shape: type[BaseModel]
    cache_key: str
    claims: tuple[Claim, ...]


def prepare(job: Job) -> Asking:
    """Put together what the job asks, from the rows as they are now."""
    asking: dict[str, Callable[[Job], Asking]] = {
        Job.Task.DECOMPOSE: _decompose,
        Job.Task.JUDGE: _judge,
        Job.Task.REVIEW: _review,
        Job.Task.DRAFT: _draft,
    }
    return asking[job.task](job)


def _asking(job: Job, request: ChatRequest, shape: type[BaseModel], claims: Sequence[Claim] = ()) -> Asking:
    key = cache_key(judges.settings_of(jobs.judge_of(job)), request)
    return Asking(request, shape, key, tuple(claims))


def _decompose(job: Job) -> Asking:
    if job.response is None:
        raise ValueError(f"job {job.pk} has no response to cut")
    subject = subjects.of_response(job.response)
    request = juryflow.decompose_request(subject, judges.settings_of(jobs.judge_of(job)), settings.FENCE_SECRET)
    return _asking(job, request, juryflow_shapes.DecompositionReply)


def _judge(job: Job) -> Asking:
    claims = _claims(job)
    subject = subjects.of_claims(claims, job.order)
    request = juryflow.judge_request(subject, judges.settings_of(jobs.judge_of(job)), settings.FENCE_SECRET)
    return _asking(job, request, juryflow_shapes.VerdictsReply, claims)


def _review(job: Job) -> Asking:
    claims = _claims(job)
    subject = subjects.of_review(claims[0], job.decision)
    request = juryflow.review_request(subject, judges.settings_of(jobs.judge_of(job)), settings.FENCE_SECRET)
    return _asking(job, request, juryflow_shapes.VerdictsReply, claims[:1])


def _draft(job: Job) -> Asking:
    if job.decision is None:
        raise ValueError(f"job {job.pk} has no ruling to draft from")
    subject = subjects.of_draft(job.decision)
    request = juryflow.draft_request(subject, judges.settings_of(jobs.judge_of(job)), settings.FENCE_SECRET)
    return _asking(job, request, juryflow_shapes.DraftReply)


def _claims(job: Job) -> list[Claim]:
    related = ("instance", "response__project", "response__instance", "second_response", "project")
    return list(job.claims.select_related(*related).order_by("position", "pk"))


def store(job: Job, asking: Asking, value: object) -> None:
    """Keep the answer and end the job, in one transaction; a job whose lease was lost keeps nothing but its calls."""
    with transaction.atomic():
        projects.hold(job.run.project)
        if jobs.held(job).exists():
            _keep(job, asking, value)
            _after_cutting(job)


def _keep(job: Job, asking: Asking, value: object) -> None:
    subject = asking.request.subject
    result: object = None
    if isinstance(value, juryflow_shapes.DecompositionReply):
        found = juryflow_replies.read_decomposition(value, subject)
        result = merging.as_json(found, asking.request.prompt, subject.rubric)
    elif isinstance(value, juryflow_shapes.VerdictsReply):
        _keep_verdicts(job, asking, value)
    elif isinstance(value, juryflow_shapes.DraftReply) and job.decision is not None:
        draft = juryflow_replies.read_draft(value, subject)
        entry = rubric.store_draft(decision=job.decision, draft=draft, by=job.run.started_by)
        result = {"entry": entry.pk}
    jobs.end(job, result=result)


def _keep_verdicts(job: Job, asking: Asking, value: juryflow_shapes.VerdictsReply) -> None:
    read = juryflow_replies.read_opinions(value, asking.request.subject)
    by_ref = {str(number): claim for number, claim in enumerate(asking.claims, start=1)}
    opinions = {by_ref[opinion.ref].pk: opinion for opinion in read.opinions if opinion.ref in by_ref}
    gaps = [by_ref[ref] for ref in read.gaps if ref in by_ref]
    if gaps and not job.key.startswith(AGAIN) and job.response is not None:
        step = Step(job.task, f"{AGAIN}{job.pk}", jobs.judge_of(job), job.response, job.order, tuple(gaps))
        panel.add_jobs(job.run, [step])
    else:
        opinions |= {claim.pk: juryflow_replies.failed_opinion("", "shape") for claim in gaps}
    _store_opinions(job, asking, opinions)


def _store_opinions(job: Job, asking: Asking, opinions: dict[int, Opinion]) -> None:
    is_review = job.task == Job.Task.REVIEW
    asked = Asked(
        run=job.run,
        judge=jobs.judge_of(job),
        order=job.order,
        purpose=Verdict.Purpose.REVIEW if is_review else Verdict.Purpose.VOTE,
        prompt=asking.request.prompt,
        rubric=tuple((entry.entry_id, entry.version) for entry in asking.request.subject.rubric),
        call=job.calls.filter(state=Call.State.ANSWERED).last(),
    )
    stored = verdicts.store(asked=asked, opinions=opinions)
    if is_review:
        _propose(job, stored)
    else:
        patterns.refresh(project=job.run.project, claim_ids=opinions)


def _propose(job: Job, stored: list[Verdict]) -> None:
    """Offer another answer than the current one, for a person to accept or drop."""
    if job.decision is None:
        return
    for verdict in stored:
        outcome = verdict.claim.outcome
        is_other = verdict.state == VerdictState.CAST and verdict.label != outcome.label
        if is_other and outcome.source == Outcome.Source.PANEL and not _repeats_itself(verdict):
            Proposal.objects.get_or_create(
                decision=job.decision,
                claim=verdict.claim,
                defaults={"verdict": verdict, "before_label": outcome.label, "label": verdict.label},
            )


def _repeats_itself(verdict: Verdict) -> bool:
    """Whether an offline judge only says again what it voted: rules that no precedent turned have nothing to add."""
    if not verdict.judge.is_offline:
        return False
    votes = verdict.claim.verdicts.filter(judge=verdict.judge, is_current=True, purpose=Verdict.Purpose.VOTE)
    return verdict.label in votes.values_list("label", flat=True)


def fail(job: Job, asking: Asking | None, error: Exception) -> None:
    """End a job that brought no answer; each claim it asked about keeps a failed verdict with the reason."""
    with transaction.atomic():
        projects.hold(job.run.project)
        if not jobs.held(job).exists():
            return
        if asking is not None and job.task in (Job.Task.JUDGE, Job.Task.REVIEW):
            opinions = {claim.pk: juryflow_replies.failed_opinion("", _reason(error)) for claim in asking.claims}
            _store_opinions(job, asking, opinions)
        jobs.end(job, error=str(error))
        _after_cutting(job)


def _reason(error: Exception) -> str:
    if isinstance(error, LLMError):
        return error.reason
    return "config" if isinstance(error, JuryFlowError) else "server"


def _after_cutting(job: Job) -> None:
    """When the last judge has cut a response, queue the joining of what they found."""
    if job.task == Job.Task.DECOMPOSE:
        jobs.queue_merges(job.run)
