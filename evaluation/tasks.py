"""Celery tasks: ids in, one service, nothing out. Messages are wake-ups; the database holds the work."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any, ParamSpec

from celery import shared_task
from celery.contrib.django.task import DjangoTask
from celery.result import AsyncResult
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError
from kombu.exceptions import OperationalError

from evaluation.models import Decision, Project, Run
from evaluation.services import followups, graph, jobs, panel_worker, provider_batches
from evaluation.services.jobs import Lane

SWEEP_SECONDS = 20
P = ParamSpec("P")

logger = logging.getLogger(__name__)


class WakeUp(DjangoTask[P, None]):
    """A message that may be lost: what it was about is in the database, where the sweep finds it."""

    abstract = True

    def apply_async(self, *args: Any, **options: Any) -> AsyncResult[None] | None:  # type: ignore[override]
        """Send the message; a broker that cannot be reached is noted and stops nobody's work."""
        try:
            return super().apply_async(*args, **options)
        except OperationalError as error:
            logger.warning("%s was not sent, the broker cannot be reached: %s", self.name, error)
            return None


@shared_task(base=WakeUp)
def drive_run(run_id: int) -> None:
    """Ask the remote judges of an open run, and send what needs vectors to the worker that has the model."""
    _drive(run_id, Lane.REMOTE)


@shared_task(base=WakeUp)
def drive_vectors(run_id: int) -> None:
    """Do the part of an open run that needs vectors: offline judges, and joining claims."""
    _drive(run_id, Lane.VECTORS)


def _drive(run_id: int, lane: Lane) -> None:
    """Work on one lane of a run and wake the other where it has work; when a panel has voted, queue the graph."""
    run = Run.objects.filter(pk=run_id, state__in=Run.WORKING_STATES).first()
    if run is None:
        return  # a second wake-up, or the project is gone
    if lane is Lane.REMOTE and jobs.has_free(run, Lane.VECTORS):
        _wake(drive_vectors, run_id)
    try:
        run = panel_worker.drive(run_id=run_id, lane=lane)
    except (ObjectDoesNotExist, IntegrityError):
        if Run.objects.filter(pk=run_id).exists():
            raise
        return  # its project was removed in the middle of the work
    other, task = (Lane.VECTORS, drive_vectors) if lane is Lane.REMOTE else (Lane.REMOTE, drive_run)
    if run.state in Run.WORKING_STATES and jobs.has_free(run, other):
        _wake(task, run_id)
    if run.kind == Run.Kind.PANEL and run.ended_at and not graph.was_requested(run.project, since=run.ended_at):
        build_graph.delay(run.project_id)


def _wake(task: DjangoTask[[int], None], run_id: int) -> None:
    """Send a wake-up that a busy worker finds once, not hundreds of times: the sweep sends another in time."""
    task.apply_async((run_id,), expires=SWEEP_SECONDS)


@shared_task(base=WakeUp)
def attend_batches(run_id: int) -> None:
    """Fetch what came back from batch APIs for a run, whatever its state, and go on with it."""
    run = Run.objects.select_related("project", "panel").filter(pk=run_id).first()
    if run is None:
        return
    try:
        provider_batches.attend(run)
    except (ObjectDoesNotExist, IntegrityError):
        if Run.objects.filter(pk=run_id).exists():
            raise
        return  # its project was removed in the middle of the work
    if run_id in jobs.runs_to_wake():
        _wake(drive_run, run_id)


@shared_task(base=WakeUp)
def follow_up(decision_id: int) -> None:
    """Queue and do what follows from a ruling."""
    decision = Decision.objects.filter(pk=decision_id).first()
    for run in followups.queue(decision=decision) if decision else ():
        drive_run.delay(run.pk)


@shared_task(base=WakeUp)
def build_graph(project_id: int) -> None:
    """Queue the building of a project's graph and wake the worker that has the model."""
    if project := Project.objects.filter(pk=project_id).first():
        _wake(drive_vectors, graph.request(project=project).pk)


@shared_task(base=WakeUp)
def sweep() -> None:
    """Wake the runs whose worker died and do what a lost message left undone; safe to run twice."""
    for run_id in jobs.runs_to_wake():
        _wake(drive_run, run_id)
    for run_id in provider_batches.runs_to_attend():
        _wake(attend_batches, run_id)
    for decision_id in followups.due(older_than=timedelta(seconds=SWEEP_SECONDS)).values_list("pk", flat=True):
        follow_up.delay(decision_id)
