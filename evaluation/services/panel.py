"""Opens and stops runs of the panel and says beforehand what one takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from evaluation.errors import ConflictError
from evaluation.models import Job, Project, Run
from evaluation.selectors import runs
from evaluation.services import estimating, jobs, judges, patterns, planning, projects
from evaluation.services.planning import Step

BLOCK = 1_000


def open_run(*, project: Project, by: User | None, decompose: str = "", again: bool = False) -> Run:
    """Open a run with all its jobs; where one is open already, that one is returned.

    The caller wakes a worker with `tasks.drive_run`. Raises ConflictError with the first thing that stands in its way.
    """
    if running := runs.open_panel_run(project=project):
        return running
    decompose = decompose or project.method_parameters.decompose
    if blockers := estimating.estimate(project=project, decompose=decompose, again=again).blockers:
        raise ConflictError(blockers[0])
    try:
        with transaction.atomic():
            projects.hold(project)
            return _open(project, by, decompose, again=again)
    except IntegrityError:
        return project.runs.filter(kind=Run.Kind.PANEL, state__in=Run.OPEN_STATES).latest("pk")


def _open(project: Project, by: User | None, decompose: str, *, again: bool) -> Run:
    run = Run.objects.create(
        project=project,
        kind=Run.Kind.PANEL,
        panel=patterns.current_panel(project),
        decompose=decompose,
        started_by=by,
    )
    add_jobs(run, planning.plan(project, judges.askable(project), decompose, again=again))
    return run


def add_jobs(run: Run, steps: Iterable[Step]) -> list[Job]:
    """Make a job for each step, once per key, in a few queries per thousand; call it while the project is held."""
    made: list[Job] = []
    rest = iter(steps)
    while block := {step.key: step for step in islice(rest, BLOCK)}:
        known = set(run.jobs.filter(key__in=block).values_list("key", flat=True))
        made += _add_block(run, [step for key, step in block.items() if key not in known])
    return made


def _add_block(run: Run, steps: Sequence[Step]) -> list[Job]:
    made = Job.objects.bulk_create(
        Job(run=run, key=step.key, task=step.task, judge=step.judge, response=step.response, order=step.order)
        for step in steps
    )
    link = Job.claims.through
    pairs = zip(made, steps, strict=True)
    links = (link(job_id=job.pk, claim_id=claim.pk) for job, step in pairs for claim in step.claims)
    link.objects.bulk_create(links, batch_size=BLOCK)
    return made


def stop(*, run: Run) -> Run:
    """Stop a run: nothing new is sent; what came and what is on its way is kept, and claims found so far are joined."""
    Run.objects.filter(pk=run.pk, state__in=[Run.State.QUEUED, Run.State.RUNNING]).update(
        state=Run.State.STOPPING, message="Stopped by hand: start a new run to go on where it stopped."
    )
    jobs.cancel_asking(run)
    jobs.queue_merges(run)
    run.refresh_from_db()
    if not jobs.unfinished(run).exists():
        close(run, Run.State.STOPPED)
    return run


def close(run: Run, state: str, message: str = "") -> bool:
    """End an open run once; False where it was ended already."""
    changes: dict[str, object] = {"state": state, "ended_at": timezone.now()}
    if message:
        changes["message"] = message
    closed = Run.objects.filter(pk=run.pk, state__in=Run.OPEN_STATES).update(**changes)
    run.refresh_from_db()
    return bool(closed)
