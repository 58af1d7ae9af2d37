"""What becomes of the answers to jobs: stored many at a time, each job once, in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import InterfaceError, OperationalError, transaction
from pydantic import BaseModel

from evaluation.errors import JuryFlowError
from evaluation.llm.errors import LLMError
from evaluation.methods import juryflow_replies, juryflow_shapes
from evaluation.models import Call, Job, Project, Run, Verdict
from evaluation.schemas import Opinion
from evaluation.services import (
    jobs,
    ledger,
    looking_again,
    merging,
    panel,
    patterns,
    projects,
    rubric,
    trial_results,
    verdicts,
)
from evaluation.services.askings import AGAIN, Asking, claims_of
from evaluation.services.planning import Step
from evaluation.services.verdicts import Asked

MENDED = "The reply was not valid JSON and was mended while it was read."
VOTING = (Job.Task.JUDGE, Job.Task.REVIEW)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ended:
    """A job that a worker is done with: the value that came, from which call, or the error it ended with."""

    job: Job
    asking: Asking | None
    value: BaseModel | None = None
    call: Call | None = None
    is_repaired: bool = False
    error: Exception | None = None


def store(*, ended: Sequence[Ended]) -> None:
    """Keep what came of jobs of one run and end them; a job whose lease was lost keeps nothing but its calls.

    One whose answer cannot be kept fails alone: what the others brought is kept. A database that cannot be reached is
    another matter: nothing is kept, and the error goes up.
    """
    if not ended:
        return
    try:
        _store(ended)
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        if not Run.objects.filter(pk=ended[0].job.run_id).exists():
            raise  # the project was removed in the middle of the work
        for each in ended:
            _store_alone(each)


def _store_alone(ended: Ended) -> None:
    try:
        _store([ended])
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        logger.exception("the answer to job %s cannot be stored", ended.job.pk)
        kept = Exception(f"The answer could not be stored and is in the ledger of calls: {sentence_of(error)}")
        _store([Ended(ended.job, None, error=kept)])


def _store(ended: Sequence[Ended]) -> None:
    run = ended[0].job.run
    with transaction.atomic():
        projects.hold(run.project)
        held = jobs.lock_held(each.job for each in ended)
        mine = [each for each in ended if each.job.pk in held]
        usable = [each for each in mine if each.call is not None and each.value is not None]
        ledger.mark_usable(
            calls=[each.call.pk for each in usable if each.call],
            repaired=[each.call.pk for each in usable if each.call and each.is_repaired],
        )
        batch = _Batch(run.project)
        for each in mine:
            if each.value is None:
                batch.fail(each)
            else:
                batch.keep(each, each.value)
        batch.write()
        if any(each.job.task == Job.Task.DECOMPOSE for each in mine):
            jobs.queue_merges(run)


class _Batch:
    """What is to be written for several jobs together."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._done: list[int] = []
        self._votes: list[tuple[Asked, dict[int, Opinion]]] = []
        self._reviews: list[tuple[Job, tuple[Asked, dict[int, Opinion]]]] = []

    def keep(self, ended: Ended, value: BaseModel) -> None:
        """Take what a job brought."""
        job, asking = ended.job, _asking_of(ended)
        restored = asking.restored(value)
        if isinstance(restored, juryflow_shapes.DecompositionReply):
            found = juryflow_replies.read_decomposition(restored, asking.subject)
            shown = {"rubric_version": asking.rubric_version}
            jobs.end(job, result=merging.as_json(found, asking.request.prompt, asking.subject.rubric) | shown)
        elif isinstance(restored, juryflow_shapes.DraftReply) and job.decision is not None:
            draft = juryflow_replies.read_draft(restored, asking.subject)
            entry = rubric.store_draft(decision=job.decision, draft=draft, by=job.run.started_by)
            jobs.end(job, result={"entry": entry.pk})
        elif isinstance(restored, juryflow_shapes.VerdictsReply) and job.task in (Job.Task.TEST, Job.Task.TRIAL):
            read = juryflow_replies.read_opinions(restored, asking.subject)
            jobs.end(job, result=trial_results.of(job, asking, read, ended.call))
        elif isinstance(restored, juryflow_shapes.VerdictsReply):
            self._take_votes(ended, asking, restored)

    def _take_votes(self, ended: Ended, asking: Asking, value: juryflow_shapes.VerdictsReply) -> None:
        job = ended.job
        read = juryflow_replies.read_opinions(value, asking.subject)
        by_ref = {str(number): claim for number, claim in enumerate(asking.claims, start=1)}
        opinions = {by_ref[opinion.ref].pk: opinion for opinion in read.opinions if opinion.ref in by_ref}
        gaps = [by_ref[ref] for ref in read.gaps if ref in by_ref]
        if gaps and not job.key.startswith(AGAIN) and job.response is not None:
            judge = jobs.judge_of(job)
            step = Step(job.task, f"{AGAIN}{job.pk}", judge, job.response, job.order, tuple(gaps), sample=job.sample)
            panel.add_jobs(job.run, [step])
        else:
            opinions |= {claim.pk: juryflow_replies.failed_opinion("", "shape") for claim in gaps}
        if ended.is_repaired:
            opinions = {pk: replace(each, flags=(*each.flags, MENDED)) for pk, each in opinions.items()}
        self._take(ended, asking, opinions)

    def fail(self, ended: Ended) -> None:
        """Take a job that brought no answer; each claim it asked about keeps a failed verdict with the reason."""
        job, error = ended.job, ended.error or Exception("it was not asked")
        reason = reason_of(error)
        if job.task in VOTING:
            opinions = {claim.pk: juryflow_replies.failed_opinion("", reason) for claim in claims_of(job)}
            self._take(ended, ended.asking, opinions)
        jobs.end(job, error=sentence_of(error), reason=reason)

    def _take(self, ended: Ended, asking: Asking | None, opinions: dict[int, Opinion]) -> None:
        job = ended.job
        is_review = job.task == Job.Task.REVIEW
        asked = Asked(
            run=job.run,
            judge=jobs.judge_of(job),
            order=job.order,
            sample=job.sample,
            purpose=Verdict.Purpose.REVIEW if is_review else Verdict.Purpose.VOTE,
            prompt=asking.request.prompt if asking else None,
            rubric=tuple((entry.entry_id, entry.version) for entry in asking.subject.rubric) if asking else (),
            rubric_version=asking.rubric_version if asking else None,
            call=ended.call,
        )
        if is_review:
            self._reviews.append((job, (asked, opinions)))
        else:
            self._votes.append((asked, opinions))
        if ended.value is not None:
            self._done.append(job.pk)

    def write(self) -> None:
        """Write it all."""
        verdicts.store_all(cast=self._votes)
        touched = {claim_id for _, opinions in self._votes for claim_id in opinions}
        if touched:
            patterns.refresh(project=self._project, claim_ids=touched)
        for job, cast in self._reviews:
            looking_again.propose(job, verdicts.store_all(cast=[cast]))
        jobs.end_all(self._done)


def _asking_of(ended: Ended) -> Asking:
    if ended.asking is None:
        raise ValueError(f"job {ended.job.pk} brought a value without having been prepared")
    return ended.asking


def reason_of(error: Exception) -> str:
    """Why a job failed, as one word."""
    if isinstance(error, LLMError):
        return error.reason
    return "config" if isinstance(error, JuryFlowError) else "server"


def sentence_of(error: Exception) -> str:
    """What is kept of an error; many that nobody expected say nothing by themselves."""
    return str(error).strip() or f"Something unexpected happened: {error!r}."
