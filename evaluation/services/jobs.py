"""Leases jobs, ends them, and finds those whose worker died; every step is one conditional update."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from evaluation.llm.storable import storable_text
from evaluation.models import Job, Judge, Run

MAX_ERROR = 2_000
NEEDS_VECTORS = Q(task__in=[Job.Task.MERGE, Job.Task.GRAPH]) | Q(judge__provider=Judge.OFFLINE)


class Lane(Enum):
    """Which jobs a worker takes: those that need vectors are for the one process that loads the model."""

    ALL = Q()
    VECTORS = NEEDS_VECTORS
    REMOTE = ~NEEDS_VECTORS


def judge_of(job: Job) -> Judge:
    """The judge a job asks. Raises ValueError for a job that asks nobody."""
    if job.judge is None:
        raise ValueError(f"job {job.pk} ({job.task}) has no judge")
    return job.judge


def _free(now: datetime) -> Q:
    """Jobs that nobody has: they wait, or their worker died; none that a server or a batch is waited for."""
    is_free = Q(state=Job.State.WAITING) | Q(state=Job.State.LEASED, lease_until__lt=now)
    return is_free & (Q(not_before=None) | Q(not_before__lte=now)) & Q(batch=None)


def unfinished(run: Run) -> QuerySet[Job]:
    """Jobs of the run that wait or are at work."""
    return run.jobs.filter(state__in=Job.OPEN_STATES)


def has_free(run: Run, lane: Lane) -> bool:
    """Whether a job of this lane waits for a worker."""
    return run.jobs.filter(_free(timezone.now())).filter(lane.value).exists()


@dataclass(frozen=True)
class Wanted:
    """Which jobs a worker takes: of a lane, of these tasks (none named: of all), and not of these judges.

    `only` narrows it further, `of_batch` names jobs that came back with a batch and that nobody else takes,
    `after` a job that only later ones are taken of. With `is_fresh` only jobs are taken that nobody had before;
    else those come first that were had least often, so that no job is lost in one crash after the other.
    """

    lane: Lane = Lane.ALL
    tasks: tuple[str, ...] = ()
    not_of: frozenset[int] = frozenset()
    of_judge: int | None = None
    only: Q | None = None
    of_batch: int | None = None
    after: int = 0
    is_fresh: bool = False


def lease(run: Run, n: int, wanted: Wanted = Wanted()) -> list[Job]:
    """Take up to `n` free jobs of the run for this worker, each with what it asks about."""
    rows = run.jobs.filter(wanted.lane.value, *([wanted.only] if wanted.only else []))
    if wanted.tasks:
        rows = rows.filter(task__in=wanted.tasks)
    if wanted.not_of:
        rows = rows.exclude(judge__in=wanted.not_of)
    if wanted.of_judge:
        rows = rows.filter(judge=wanted.of_judge)
    if wanted.is_fresh:
        rows = rows.filter(attempt=0)
    if wanted.after:
        rows = rows.filter(pk__gt=wanted.after)
    with transaction.atomic():
        now = timezone.now()
        open_now = _free(now) if wanted.of_batch is None else Q(state=Job.State.WAITING, batch=wanted.of_batch)
        order = ("pk",) if wanted.is_fresh else ("attempt", "pk")
        free = rows.filter(open_now).order_by(*order).select_for_update(skip_locked=True, of=("self",))
        taken = list(free.values_list("pk", flat=True)[:n])
        if taken:
            until = now + timedelta(seconds=settings.JOB_LEASE_SECONDS)
            Job.objects.filter(pk__in=taken).update(
                state=Job.State.LEASED, lease_until=until, not_before=None, batch=None, attempt=F("attempt") + 1
            )
    return _with_run(Job.objects.filter(pk__in=taken), run) if taken else []


def _with_run(jobs: QuerySet[Job], run: Run) -> list[Job]:
    """Jobs with what they ask about; the run and its project are the ones at hand, and not read again."""
    rows = list(jobs.select_related("judge", "response__instance", "decision__claim").order_by("pk"))
    for job in rows:
        job.run = run
        if job.response is not None:
            job.response.project = run.project
    return rows


def held(job: Job) -> QuerySet[Job]:
    """The job's row while this lease of it holds: it was neither cancelled nor taken over by another worker."""
    return Job.objects.filter(pk=job.pk, state=Job.State.LEASED, attempt=job.attempt)


def lock_held(leased: Iterable[Job]) -> set[int]:
    """Lock the rows of those jobs whose lease holds, until the transaction ends; returns their ids."""
    attempts = {job.pk: job.attempt for job in leased}
    rows = Job.objects.select_for_update(of=("self",)).filter(pk__in=attempts, state=Job.State.LEASED)
    return {pk for pk, attempt in rows.order_by("pk").values_list("pk", "attempt") if attempts[pk] == attempt}


def renew(leased: Iterable[Job]) -> None:
    """Keep the leases of jobs that are being worked on."""
    until = timezone.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)
    with transaction.atomic():
        Job.objects.filter(pk__in=lock_held(leased)).update(lease_until=until)


def end(job: Job, *, error: str = "", reason: str = "", result: object = None) -> bool:
    """End a job as done, or as failed with its sentence; False where the lease was lost meanwhile."""
    state = Job.State.FAILED if error else Job.State.DONE
    ended = held(job).update(
        state=state,
        error=storable_text(error[:MAX_ERROR]),
        reason=reason[:40],
        result=result,
        ended_at=timezone.now(),
        lease_until=None,
    )
    return bool(ended)


def end_all(done: Collection[int]) -> None:
    """End jobs, whose rows are locked, as done without a result."""
    Job.objects.filter(pk__in=done).update(state=Job.State.DONE, ended_at=timezone.now(), lease_until=None)


def release(leased: Iterable[Job], *, not_before: datetime | None = None) -> None:
    """Give jobs back undone: whoever takes them next asks only what was not answered."""
    with transaction.atomic():
        rows = Job.objects.filter(pk__in=lock_held(leased))
        rows.update(state=Job.State.WAITING, lease_until=None, not_before=not_before)


def queue_merges(run: Run) -> None:
    """Queue the joining of claims for every response that some judge has cut and none is at work on any more."""
    cutting = run.jobs.filter(task=Job.Task.DECOMPOSE)
    busy = cutting.filter(state__in=Job.OPEN_STATES).values("response")
    cut = cutting.filter(state=Job.State.DONE).exclude(response__in=busy)
    for response_id in set(cut.values_list("response_id", flat=True)):
        Job.objects.get_or_create(
            run=run, key=f"merge/{response_id}", defaults={"task": Job.Task.MERGE, "response_id": response_id}
        )


def cancel_asking(run: Run) -> int:
    """Cancel the jobs of a run that would ask a judge and that nobody works on; returns how many.

    What is with a provider in a batch is on its way: it stays until the batch comes back.
    """
    now = timezone.now()
    idle = Q(state=Job.State.WAITING) | Q(state=Job.State.LEASED, lease_until__lt=now)
    asking = run.jobs.filter(idle, batch=None).exclude(task=Job.Task.MERGE)
    return asking.update(state=Job.State.CANCELLED, ended_at=now, lease_until=None, not_before=None)


def runs_to_wake() -> list[int]:
    """Open runs that no worker is at: never begun, left by a worker that died, or not closed; safe to call twice.

    A run whose steps all wait for a server's permission or for a batch is left alone.
    """
    now = timezone.now()
    at_work = Job.objects.filter(state=Job.State.LEASED, lease_until__gte=now)
    unfinished = Job.objects.filter(state__in=Job.OPEN_STATES)
    idle = Run.objects.filter(state__in=Run.WORKING_STATES).exclude(pk__in=at_work.values("run"))
    has_work = Q(pk__in=unfinished.filter(_free(now)).values("run"))
    is_to_be_closed = ~Q(pk__in=unfinished.values("run"))
    return sorted(idle.filter(has_work | is_to_be_closed).values_list("pk", flat=True))
