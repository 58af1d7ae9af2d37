"""Chooses the judge for second looks and for drafting rules."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.algorithms.reliability import Reliability, estimate
from evaluation.errors import NotAllowedError
from evaluation.models import Judge, Project
from evaluation.services import judges

PROVEN_AFTER = 10
CHANCE = 0.5
DRAFTER = "Drafting rules (offline)"


@dataclass(frozen=True)
class Reviewer:
    """The judge for a second look; unproven until enough rulings say how good it is."""

    judge: Judge
    reliability: Reliability

    @property
    def is_proven(self) -> bool:
        return self.reliability.decided >= PROVEN_AFTER


def pooled(judge: Judge, kind: str) -> Reliability:
    """A judge's track record over both presentation orders."""
    records = list(judge.track_records.filter(kind=kind))
    agreed, decided = sum(record.agreed for record in records), sum(record.decided for record in records)
    return estimate(agreed, decided, len(judge.project.labels(kind)), judge.prior_strength)


def choose(*, project: Project, kind: str) -> Reviewer:
    """The judge with the best track record. Raises NotAllowedError where none can be asked or the best is too bad."""
    asked = [judge for judge in judges.askable(project) if not judges.permission_problem(judge, project)]
    candidates = [Reviewer(judge, pooled(judge, kind)) for judge in asked]
    if not candidates:
        raise NotAllowedError(
            "No AI second opinion: the votes of this project are recorded, or no judge's server may see its text. "
            "Add a judge that can be asked."
        )
    best = max(candidates, key=lambda each: (each.reliability.mean, -each.judge.pk))
    record = best.reliability
    if record.mean < CHANCE or (best.is_proven and record.lower < CHANCE):
        raise NotAllowedError(
            f"No AI second opinion: even the best judge, “{best.judge}”, agreed with experts on only "
            f"{record.agreed:g} of {record.decided:g} claims. Add a better judge."
        )
    return best


def drafter(project: Project, kind: str) -> Judge:
    """Who drafts rules: the reviewer, else rules that need no key; they belong to no panel."""
    try:
        return choose(project=project, kind=kind).judge
    except NotAllowedError:
        judge, _ = Judge.objects.get_or_create(
            project=project,
            name=DRAFTER,
            defaults={"provider": Judge.OFFLINE, "model": next(iter(judges.OFFLINE_JUDGES)), "is_active": False},
        )
        return judge
