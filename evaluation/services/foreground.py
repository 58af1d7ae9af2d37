"""Does work in this process, without a worker: a run until it has ended, and what follows from rulings."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from evaluation.errors import ConflictError
from evaluation.models import Decision, Job, Project, Proposal, RubricEntry, Run
from evaluation.services import followups, panel, panel_worker

FOLLOWING = (Run.Kind.SECOND_LOOK, Run.Kind.DRAFT)
Said = Callable[[Run], None]


@dataclass(frozen=True)
class FollowedUp:
    """What following up rulings brought."""

    n_rulings: int
    runs: tuple[Run, ...]
    n_proposals: int
    n_drafts: int
    failures: tuple[str, ...]


def finish(*, run: Run, said: Said | None = None, pause: Callable[[float], None] = time.sleep) -> Run:
    """Work on a run until it has ended, waiting for jobs that other workers have; an interrupt stops the run."""
    try:
        run = panel_worker.drive(run_id=run.pk, said=said)
        while run.state in Run.WORKING_STATES:
            pause(1.0)
            run = panel_worker.drive(run_id=run.pk, said=said)
    except KeyboardInterrupt:
        panel.stop(run=run)
        raise
    return run


def not_followed_up(project: Project) -> list[Decision]:
    """Rulings that stand and that nothing was ever queued for, the oldest first."""
    return list(followups.due().filter(project=project))


def follow_up(*, decision: Decision, said: Said | None = None) -> FollowedUp:
    """Queue what follows from one ruling, if that was not done, and do it. Raises ConflictError if it was undone."""
    if hasattr(decision, "undo"):
        raise ConflictError(f"Ruling {decision.pk} was undone: nothing follows from it.")
    runs = [finish(run=run, said=said) for run in followups.queue(decision=decision)]
    return _followed_up(1, runs)


def catch_up(*, project: Project, said: Said | None = None) -> FollowedUp:
    """Do every open second look and draft, then what follows from rulings that nothing was queued for."""
    waiting = project.runs.filter(kind__in=FOLLOWING, state__in=Run.WORKING_STATES).order_by("pk")
    runs = [finish(run=run, said=said) for run in waiting]
    rulings = {pk for run in runs for pk in run.jobs.values_list("decision_id", flat=True) if pk}
    for decision in not_followed_up(project):
        rulings.add(decision.pk)
        # one after the other: an entry drafted for one ruling covers the next one like it
        runs += [finish(run=run, said=said) for run in followups.queue(decision=decision)]
    return _followed_up(len(rulings), runs)


def _followed_up(n_rulings: int, runs: list[Run]) -> FollowedUp:
    jobs = Job.objects.filter(run__in=runs)
    failed = jobs.filter(state=Job.State.FAILED).order_by("pk")
    return FollowedUp(
        n_rulings=n_rulings,
        runs=tuple(runs),
        n_proposals=Proposal.objects.filter(verdict__run__in=runs, state=Proposal.State.OPEN).count(),
        n_drafts=RubricEntry.objects.filter(
            decisions__in=jobs.filter(task=Job.Task.DRAFT, state=Job.State.DONE).values("decision"),
            status=RubricEntry.Status.DRAFT,
        )
        .distinct()
        .count(),
        failures=tuple(failed.values_list("error", flat=True)),
    )
