"""Puts together what a job asks a judge, from the rows as they are now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Prefetch, prefetch_related_objects
from pydantic import BaseModel

from evaluation.llm.cache_key import cache_key
from evaluation.llm.protocol import ChatRequest
from evaluation.methods import juryflow, juryflow_shapes
from evaluation.methods.deidentify import Masked
from evaluation.models import Claim, Job, Judge, Project
from evaluation.schemas import JudgeSettings, Subject
from evaluation.services import jobs, judges, privacy, rubric_prompt, subjects
from evaluation.services.rubric_prompt import Shelf

AGAIN = "again/"
_CLAIM_ROWS = Claim.objects.select_related("response__instance", "second_response").order_by("position", "pk")
_FETCHED = (
    Prefetch("claims", queryset=_CLAIM_ROWS),
    "claims__response__instance__documents",
    "response__instance__documents",
)
_Requesting = Callable[[Subject, JudgeSettings, bytes], ChatRequest]


@dataclass(frozen=True)
class Asking:
    """One question to one judge: what is sent, the shape of its reply, and the claims in the order of their refs.

    `subject` is the matter as it stands in the database; what is sent may have names and addresses masked, and
    `restored` puts them back into a reply.
    """

    request: ChatRequest
    shape: type[BaseModel]
    cache_key: str
    claims: tuple[Claim, ...]
    subject: Subject
    masked: Masked
    rubric_version: int = 0

    def restored(self, value: BaseModel) -> BaseModel:
        """The reply with the originals in the place of what was masked."""
        return self.masked.restore(value)


class Shelves:
    """The rubric as judges read it, read once for each kind of claim and version of the rubric."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._by_kind: dict[tuple[str, int], Shelf] = {}

    def of(self, kind: str) -> Shelf:
        """The entries in force for this kind; a new version of the rubric is read anew."""
        key = (kind, self._project.rubric_version)
        if key not in self._by_kind:
            self._by_kind[key] = rubric_prompt.load(self._project, kind)
        return self._by_kind[key]


def prepare(job: Job, shelves: Shelves | None = None) -> Asking:
    """Put together what the job asks. Raises JuryFlowError where it cannot be asked."""
    known = shelves or Shelves(job.run.project)
    return _PREPARING[Job.Task(job.task)](job, known)


def fetch(leased: Sequence[Job], project: Project) -> None:
    """Read what jobs of a project ask about, for all of them in a few queries; the project itself is at hand."""
    prefetch_related_objects(leased, *_FETCHED)
    for job in leased:
        for claim in job.claims.all():
            claim.project = claim.response.project = project
            claim.instance = claim.response.instance


def claims_of(job: Job) -> list[Claim]:
    """The claims of a job in the order of their refs."""
    if "claims" not in getattr(job, "_prefetched_objects_cache", {}):
        fetch([job], job.run.project)
    return list(job.claims.all())


def _asking(
    job: Job, subject: Subject, requesting: _Requesting, shape: type[BaseModel], claims: Sequence[Claim] = ()
) -> Asking:
    judge = jobs.judge_of(job)
    asked = judges.settings_of(judge)
    masked = privacy.masked(job.run.project, judge, subject)
    request = requesting(masked.subject, asked, settings.FENCE_SECRET)
    # what a judge left out is asked once more: a question of its own, even if it is word for word the first one
    sample = ~job.sample if job.key.startswith(AGAIN) else job.sample
    key = cache_key(asked, request, sample=sample)
    return Asking(request, shape, key, tuple(claims), subject, masked, job.run.project.rubric_version)


def _decompose(job: Job, shelves: Shelves) -> Asking:
    if job.response is None:
        raise ValueError(f"job {job.pk} has no response to cut")
    subject = subjects.of_response(job.response, shelf=shelves.of(Claim.Kind.STATEMENT))
    return _asking(job, subject, juryflow.decompose_request, juryflow_shapes.DecompositionReply)


def _judge(job: Job, shelves: Shelves) -> Asking:
    claims = claims_of(job)
    shelf = shelves.of(claims[0].kind).trying(**job.options)
    subject = subjects.of_claims(claims, job.order, shelf=shelf)
    return _asking(job, subject, juryflow.judge_request, juryflow_shapes.VerdictsReply, claims)


def _test(job: Job, shelves: Shelves) -> Asking:
    if not job.options.get("sample"):
        return _judge(job, shelves)
    subject = subjects.of_sample(job.run.project, shelf=shelves.of(Claim.Kind.STATEMENT))
    return _asking(job, subject, juryflow.judge_request, juryflow_shapes.VerdictsReply)


def _review(job: Job, shelves: Shelves) -> Asking:
    claim = claims_of(job)[0]
    subject = subjects.of_review(claim, job.decision, shelf=shelves.of(claim.kind))
    return _asking(job, subject, juryflow.review_request, juryflow_shapes.VerdictsReply, [claim])


def _draft(job: Job, shelves: Shelves) -> Asking:
    if job.decision is None:
        raise ValueError(f"job {job.pk} has no ruling to draft from")
    subject = subjects.of_draft(job.decision, shelf=shelves.of(job.decision.claim.kind))
    return _asking(job, subject, juryflow.draft_request, juryflow_shapes.DraftReply)


_PREPARING: dict[str, Callable[[Job, Shelves], Asking]] = {
    Job.Task.DECOMPOSE: _decompose,
    Job.Task.JUDGE: _judge,
    Job.Task.TEST: _test,
    Job.Task.TRIAL: _judge,
    Job.Task.REVIEW: _review,
    Job.Task.DRAFT: _draft,
}


def is_reusable(job: Job, judge: Judge) -> bool:
    """Whether a kept reply to the same question answers this job: a test asks anew, offline judges cost nothing."""
    return job.task != Job.Task.TEST and judges.is_remote(judge)
