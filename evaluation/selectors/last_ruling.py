"""The strip over the next claim: what the person ruled last and what that ruling did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.models import Decision, Propagation, RubricEntry
from evaluation.selectors.answers import Reader, ruling_words
from evaluation.selectors.causes import firmness, records_of, sided_of
from evaluation.selectors.moves import rulings
from evaluation.selectors.reasons import named

MOST_NAMES = 2
CRITERION_CHARACTERS = 60
IN_WORDS = {RubricEntry.Status.ACTIVE: "the rule", RubricEntry.Status.DRAFT: "the drafted rule"}


@dataclass(frozen=True)
class LastRuling:
    """What was ruled last, how many current answers moved, and what else came of it, in words."""

    decision_id: int
    claim_id: int
    claim: str
    action: str
    ruled: str
    n_moved: int
    n_ties: int
    effects: tuple[str, ...]


def last_ruling(reader: Reader) -> LastRuling | None:
    """The person's last ruling that stands; three queries."""
    own = rulings(reader.project).filter(expert=reader.user_id, undo__isnull=True)
    decision = own.order_by("pk").last()
    if decision is None:
        return None
    propagation = getattr(decision, "propagation", None)
    return LastRuling(
        decision_id=decision.pk,
        claim_id=decision.claim_id,
        claim=decision.claim.text,
        action=decision.action,
        ruled=ruling_words(reader, decision),
        n_moved=propagation.n_moved if propagation else 0,
        n_ties=propagation.n_ties_settled if propagation else 0,
        effects=tuple(_effects(reader, decision, propagation)) if propagation else (),
    )


def _effects(reader: Reader, decision: Decision, propagation: Propagation) -> Iterator[str]:
    if propagation.judges:
        yield _sided(reader, propagation)
    if firmer := firmness(propagation):
        yield firmer
    for rule in decision.rubric_entries.filter(status__in=IN_WORDS):
        name = rule.criterion
        short = name if len(name) <= CRITERION_CHARACTERS else f"{name[: CRITERION_CHARACTERS - 1].rstrip()}…"
        yield f"it counts for {IN_WORDS[RubricEntry.Status(rule.status)]} “{short}”"


def _sided(reader: Reader, propagation: Propagation) -> str:
    sided = sided_of(propagation, {judge.pk: judge for judge in reader.project.judges.all()})
    having = [one for one in sided if one.is_with]
    if not having:
        return "no judge sided with you"
    if len(having) > MOST_NAMES:
        return f"{len(having)} judges sided with you, {len(sided) - len(having)} against"
    return f"{named([one.judge for one in having])} now agreed with experts {records_of(having)}"
