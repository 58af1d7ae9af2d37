"""What follows a ruling besides the re-weighting: a second look and, where rulings agree, a drafted rule."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from evaluation.models import Decision, Job, Run, Undo
from evaluation.services import projects, rubric, second_look


def queue(*, decision: Decision) -> list[Run]:
    """Queue what follows from a ruling that stands, once; returns the runs a worker has to be woken for."""
    with transaction.atomic():
        projects.hold(decision.project)
        Decision.objects.filter(pk=decision.pk, followed_up_at=None).update(followed_up_at=timezone.now())
        if Undo.objects.filter(decision=decision).exists():
            return []
        queued = Run.objects.filter(jobs__decision=decision).distinct()
        if queued.exists():
            return list(queued.filter(state__in=Run.OPEN_STATES))
        runs = [second_look.queue(decision=decision), rubric.follow(decision)]
    return [run for run in runs if run is not None]


def pending(decision: Decision) -> int:
    """How many steps that follow from the ruling are still to be done."""
    return decision.jobs.filter(state__in=Job.OPEN_STATES).count()


def due(older_than: timedelta = timedelta()) -> QuerySet[Decision]:
    """Rulings that stand and that nothing was queued for yet: the message that should have done it was lost."""
    rulings = Decision.objects.filter(action=Decision.Action.RULE, followed_up_at=None, undo__isnull=True)
    return rulings.filter(decided_at__lte=timezone.now() - older_than).order_by("pk")
