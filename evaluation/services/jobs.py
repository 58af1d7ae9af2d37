"""Leases jobs, ends them, and finds those whose worker died; every step is one conditional update."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import Enum

from django.conf import settings
from django.db.models import Q, QuerySet
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
    return Q(state=Job.State.WAITING) | Q(state=Job.State.LEASED, lease_until__lt=now)


def unfinished(run: Run) -> QuerySet[Job]:
    """Jobs of the run that wait or are at work."""
    return run.jobs.filter(state__in=Job.OPEN_STATES)


def has_free(run: Run, lane: Lane) -> bool:
    """Whether a job of this lane waits for a worker."""
    return run.jobs.filter(_free(timezone.now())).filter(lane.value).exists()


def lease(run: Run, *tasks: str, lane: Lane = Lane.ALL) -> Job | None:
    """Take the next free job of the run for this worker, of these tasks if any are named; None where there is none."""
    wanted = run.jobs.filter(lane.value, task__in=tasks) if tasks else run.jobs.filter(lane.value)
    while True:
        now = timezone.now()
        candidate = wanted.filter(_free(now)).order_by("pk").first()
        if candidate is None:
            return None
        taken = Job.objects.filter(_free(now), pk=candidate.pk, attempt=candidate.attempt).update(
            state=Job.State.LEASED,
            lease_until=now + timedelta(seconds=settings.JOB_LEASE_SECONDS),
            attempt=candidate.attempt + 1,
        )
        if taken:
            return Job.objects.select_related("judge", "response", "decision__claim", "run__project").get(
                pk=candidate.pk
            )


def held(job: Job) -> QuerySet[Job]:
    """The job's row while this lease of it holds: it was neither cancelled nor taken over by another worker."""
    return Job.objects.filter(pk=job.pk, state=Job.State.LEASED, attempt=job.attempt)


def renew(leased: Iterable[Job]) -> None:
    """Keep the leases of jobs that are being worked on."""
    until = timezone.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)
    for job in leased:
        held(job).update(lease_until=until)


def end(job: Job, *, error: str = "", result: object = None) -> bool:
    """End a job as done, or as failed with its sentence; False where the lease was lost meanwhile."""
    state = Job.State.FAILED if error else Job.State.DONE
    ended = held(job).update(
        state=state, error=storable_text(error[:MAX_ERROR]), result=result, ended_at=timezone.now(), lease_until=None
    )
    return bool(ended)


def release(job: Job) -> None:
    """Give a job back undone: whoever takes it next asks only what was not answered."""
    held(job).update(state=Job.State.WAITING, lease_until=None)


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
    """Cancel the jobs of a run that would ask a judge and that nobody works on; returns how many."""
    now = timezone.now()
    asking = run.jobs.filter(_free(now)).exclude(task=Job.Task.MERGE)
    return asking.update(state=Job.State.CANCELLED, ended_at=now, lease_until=None)


def runs_to_wake() -> list[int]:
    """Open runs that no worker is at: never begun, left by a worker that died, or not closed; safe to call twice."""
    live = Job.objects.filter(state=Job.State.LEASED, lease_until__gte=timezone.now())
    left = Run.objects.filter(state__in=Run.OPEN_STATES).exclude(jobs__in=live)
    return sorted(left.values_list("pk", flat=True))
