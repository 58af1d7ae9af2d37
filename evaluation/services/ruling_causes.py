"""What kind of cause stands behind a ruling, so that a rule rests only on rulings that fit it."""

from __future__ import annotations

from evaluation.algorithms.voters import judge_of, leading_labels
from evaluation.llm.providers.offline.drafting import ruling_cause
from evaluation.llm.providers.offline.library import shared_library
from evaluation.llm.providers.offline.reading import ClaimReading
from evaluation.models import Decision, Judge
from evaluation.schemas import ClaimKind, Label, SourceText
from evaluation.services import vectors

SHARE_IN_COMMON = 0.5


def is_same(one: Decision, other: Decision) -> bool:
    """Whether two rulings with the same label have the same kind of cause.

    Where only offline judges voted it is what the checkers object to in the claims; else at least half of the judges
    that either ruling goes against are the same ones.
    """
    if _is_offline(one) and _is_offline(other):
        return _offline_cause(one) == _offline_cause(other)
    mine, theirs = _overruled(one), _overruled(other)
    return len(mine & theirs) >= SHARE_IN_COMMON * len(mine | theirs)


def _is_offline(decision: Decision) -> bool:
    if decision.claim.kind != ClaimKind.STATEMENT or not decision.votes:
        return False
    behind = {judge_of(voter) for voter, _, _ in decision.votes}
    return not decision.project.judges.filter(pk__in=behind).exclude(provider=Judge.OFFLINE).exists()


def _offline_cause(decision: Decision) -> str:
    documents = decision.claim.instance.documents.all()
    sources = tuple(SourceText(document.title, document.text) for document in documents)
    reading = ClaimReading(decision.claim.text, shared_library(vectors.embedder()).sources(sources))
    return ruling_cause(reading, Label(decision.label))


def _overruled(decision: Decision) -> set[str]:
    return {voter for voter, label in leading_labels(decision.votes).items() if label != decision.label}
