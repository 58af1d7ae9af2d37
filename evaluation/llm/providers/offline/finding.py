"""What an offline judge finds about a claim, and which label that is under a project's settings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from evaluation.llm.presentation import CANNOT_ASSESS
from evaluation.schemas import Label, Subject

NOT_ENGLISH = "text is not English"
SILENCE_JUDGES = frozenset({"words", "meaning", "names"})


class Side(Enum):
    """Where a score falls."""

    SUPPORTED = auto()
    NOT_SUPPORTED = auto()
    IN_BETWEEN = auto()
    CANNOT_SAY = auto()


@dataclass(frozen=True)
class Finding:
    """A judge's side with the passage and the cause; `entry` names the rubric entry that decided."""

    side: Side
    rationale: str
    label: Label | None = None
    entry: int | None = None


def verdict_word(finding: Finding, judge: str, subject: Subject) -> str:
    """Return the label, or `cannot_assess`, for a finding.

    `silence_means` turns "not supported" of the judges that only see absence; `in_between` says whether a score in
    between is a vote. Where the project has no label "uncertain", both fall back.
    """
    if finding.label is not None:
        return finding.label.value
    has_uncertain = Label.UNCERTAIN in subject.labels
    if finding.side is Side.SUPPORTED:
        return Label.ACCEPT.value
    if finding.side is Side.NOT_SUPPORTED:
        is_silence = judge in SILENCE_JUDGES and subject.silence_means == "unsettled"
        return (Label.UNCERTAIN if is_silence and has_uncertain else Label.REJECT).value
    is_vote = finding.side is Side.IN_BETWEEN and subject.in_between == "uncertain" and has_uncertain
    return Label.UNCERTAIN.value if is_vote else CANNOT_ASSESS


def supported(rationale: str) -> Finding:
    """Return a finding for "supported"."""
    return Finding(Side.SUPPORTED, rationale)


def not_supported(rationale: str) -> Finding:
    """Return a finding for "not supported"."""
    return Finding(Side.NOT_SUPPORTED, rationale)


def in_between(rationale: str) -> Finding:
    """Return a finding for a score in between."""
    return Finding(Side.IN_BETWEEN, rationale)


def cannot_say(rationale: str) -> Finding:
    """Return an abstention with its reason."""
    return Finding(Side.CANNOT_SAY, rationale)
