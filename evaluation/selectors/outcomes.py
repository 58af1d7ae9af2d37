"""Outcomes as several pages and services read them: disputed ones, ruled ones, and one as a score takes it."""

from __future__ import annotations

from django.db.models import QuerySet

from evaluation.algorithms.scoring.weakest_link import ClaimReading
from evaluation.models import Decision, Outcome, Project
from evaluation.schemas import Label, OutcomeSource, OutcomeState


def disputed() -> QuerySet[Outcome]:
    """Outcomes of claims on which the judges split enough to ask a person and that nobody has settled."""
    return Outcome.objects.filter(source=OutcomeSource.PANEL, claim__is_void=False, pattern__is_candidate=True)


def undecided(project: Project) -> QuerySet[Outcome]:
    """Outcomes of claims that judges voted on and that nobody has settled."""
    return Outcome.objects.filter(
        project=project, source=OutcomeSource.PANEL, claim__is_void=False, pattern__n_cast__gt=0
    )


def for_audit(project: Project, user_id: int) -> QuerySet[Outcome]:
    """What an audit draws from for this person: undecided claims without those they said they cannot judge."""
    given_up = project.decisions.filter(expert=user_id, action=Decision.Action.CANNOT_JUDGE, undo__isnull=True)
    return undecided(project).exclude(claim__in=given_up.values("claim"))


def ruled(project: Project) -> QuerySet[Outcome]:
    """Outcomes by rulings that count for track records: void claims and adopted second opinions never do."""
    return Outcome.objects.filter(
        project=project,
        source=OutcomeSource.EXPERT,
        claim__is_void=False,
        decision__source=Decision.Source.OWN,
    )


def reading_of(outcome: Outcome) -> ClaimReading:
    """An outcome as scores take it; needs `claim` and `pattern` selected."""
    label = Label(outcome.label) if outcome.label else None
    return ClaimReading(outcome.claim_id, OutcomeState(outcome.state), label, outcome.is_serious)
