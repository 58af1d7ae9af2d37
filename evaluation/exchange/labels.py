"""Labels as files write them: the words of the scheme and the words on screen, in any case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.schemas import LABELS, ClaimKind, Label, VerdictState

SCREEN_WORDS: Mapping[str, Label] = {
    "supported": Label.ACCEPT,
    "not supported": Label.REJECT,
    "sources do not settle it": Label.UNCERTAIN,
    "left": Label.FIRST,
    "right": Label.SECOND,
    "equally good": Label.TIE,
}
WORDS: Mapping[str, Label] = {**{label.value: label for label in Label}, **SCREEN_WORDS}


def parse_label(word: str) -> Label | None:
    """The label a word means, or None; the schemes share no word, so the kind need not be known."""
    return WORDS.get(" ".join(word.split()).casefold())


def kind_of(label: Label) -> ClaimKind:
    """The one kind whose scheme has this label."""
    return next(kind for kind, labels in LABELS.items() if label in labels)


def allowed_words(kind: ClaimKind | None = None) -> str:
    """The words of one scheme (or of all) as a phrase for a message."""
    kinds = [kind] if kind else list(LABELS)
    return " or ".join(f"{', '.join(LABELS[each])} (for a {each})" for each in kinds)


@dataclass(frozen=True)
class VoteWord:
    """What the one word of a vote says: a label, or that the judge abstained or failed."""

    state: VerdictState
    label: Label | None = None


def parse_vote(word: str) -> VoteWord | None:
    """The vote a word means (`abstained` and `failed` are words for no label), or None."""
    if label := parse_label(word):
        return VoteWord(VerdictState.CAST, label)
    state = word.strip().casefold()
    if state in (VerdictState.ABSTAINED, VerdictState.FAILED):
        return VoteWord(VerdictState(state))
    return None
