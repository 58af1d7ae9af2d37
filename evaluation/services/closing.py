"""Ends a run when nothing of it is left to be done."""

from __future__ import annotations

from django.db import transaction

from evaluation.models import Job, Run
from evaluation.services import jobs, panel, projects, track_records


def close_if_over(run: Run) -> Run:
    """End the run if no job of it is left, and let track records follow."""
    run.refresh_from_db()
    if run.state == Run.State.STOPPING:
        wind_up(run)
    if run.state not in Run.OPEN_STATES or jobs.unfinished(run).exists():
        return run
    if run.state == Run.State.STOPPING:
        panel.close(run, Run.State.STOPPED, run.message)
        return run
    state = Run.State.FAILED if _is_in_vain(run) else Run.State.DONE
    with transaction.atomic():  # together: a worker that dies in between leaves no run that ended by halves
        projects.hold(run.project)
        if panel.close(run, state, _summary(run)):
            for kind in set(run.project.claims.values_list("kind", flat=True)):
                track_records.remake(project=run.project, kind=kind)
    return run


def wind_up(run: Run) -> None:
    """Leave nothing of a run that is being stopped but what asks nobody: claims that were found are joined."""
    jobs.cancel_asking(run)  # also steps that were found on the way, such as gaps
    jobs.queue_merges(run)


def _is_in_vain(run: Run) -> bool:
    """Whether every step of the run failed."""
    return run.jobs.exists() and not run.jobs.exclude(state=Job.State.FAILED).exists()


def _summary(run: Run) -> str:
    failed = run.jobs.filter(state=Job.State.FAILED)
    if not failed.exists():
        return ""
    return f"{failed.count()} of {run.jobs.count()} steps failed. First reason: {failed.order_by('pk')[0].error}"
