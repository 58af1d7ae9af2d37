"""Checks that labels belong to the scheme of their claim's kind."""

from __future__ import annotations

from evaluation.exchange.labels import allowed_words
from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import (
    ClaimRecord,
    DecisionRecord,
    OutcomeRecord,
    Position,
    ProjectHints,
    VerdictRecord,
)
from evaluation.schemas import LABELS, ClaimKind, Label, PresentationOrder


def check_gold(claim: ClaimRecord, hints: ProjectHints, log: ProblemLog) -> None:
    """Refuse a gold label of another scheme, and a claim of a kind that the file's project line excludes."""
    if hints.kind and claim.kind is not hints.kind:
        log.refuse(claim.at, "kind", f"The project line says that all claims are {hints.kind}, this is a {claim.kind}.")
    _check_label(claim.gold, claim.kind, hints, claim.at, "gold", log)


def check_verdict(verdict: VerdictRecord, kind: ClaimKind | None, hints: ProjectHints, log: ProblemLog) -> None:
    """Refuse a vote of another scheme, and a presentation order where there is none."""
    _check_label(verdict.label, kind, hints, verdict.at, "label", log)
    if kind is ClaimKind.STATEMENT and verdict.order is PresentationOrder.SWAPPED:
        log.refuse(
            verdict.at, "order", "Only the two answers of a preference can be shown swapped; leave the order out."
        )


def check_outcome_label(
    record: DecisionRecord | OutcomeRecord, kind: ClaimKind | None, hints: ProjectHints, log: ProblemLog
) -> None:
    """Refuse a ruling or current answer of another scheme."""
    _check_label(record.label, kind, hints, record.at, "label", log)


def _check_label(
    label: Label | None, kind: ClaimKind | None, hints: ProjectHints, at: Position, field: str, log: ProblemLog
) -> None:
    if label is None or kind is None:
        return
    if label not in LABELS[kind]:
        log.refuse(at, field, f"“{label}” is no label of this claim; write {allowed_words(kind)}.")
    elif label is Label.TIE and hints.allow_tie is False:
        log.refuse(at, field, "The project line says that there are no ties, but the label here is “tie”.")
