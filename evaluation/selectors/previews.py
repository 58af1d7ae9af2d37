"""What a ruling would change, in the words of the person who reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.models import Claim
from evaluation.selectors.answers import WARM_UP, Answer, Reader, Shown, Split, panel_answer, split_of

LARGE_MOVE = 0.1


@dataclass(frozen=True)
class PreviewMove:
    """A vote pattern whose answer would move, and for how many open claims."""

    votes: list[list[object]]
    before_state: str
    before_label: str
    after_state: str
    after_label: str
    n_claims: int

    @property
    def is_seen(self) -> bool:
        """Whether the current answer differs: a split between fewer labels is still a split."""
        return (self.before_state, self.before_label) != (self.after_state, self.after_label)


@dataclass(frozen=True)
class Preview:
    """What would follow; `contradicts` holds sentences about earlier rulings on like claims."""

    n_moved: int
    n_open: int
    n_rulings: int
    contradicts: tuple[str, ...]
    moves: tuple[PreviewMove, ...]

    @property
    def opens_by_itself(self) -> bool:
        is_large = self.n_rulings >= WARM_UP and self.n_moved > LARGE_MOVE * self.n_open
        return is_large or bool(self.contradicts)


@dataclass(frozen=True)
class PreviewRow:
    """A vote pattern that would move."""

    split: Split
    before: Answer
    after: Answer
    n_claims: int


@dataclass(frozen=True)
class PreviewView:
    """One possible ruling and what would follow from it."""

    ruling: Shown
    n_moved: int
    n_open: int
    contradicts: tuple[str, ...]
    rows: tuple[PreviewRow, ...]
    is_warning: bool


def preview_view(reader: Reader, claim: Claim, label: str, preview: Preview) -> PreviewView:
    """Put a preview of the preview service into words."""
    words = reader.unplaced_words(claim.kind)
    hollow = reader.is_settling
    rows = [
        PreviewRow(
            split_of(move.votes, words),
            panel_answer(move.before_state, move.before_label, "leans", words, is_hollow=hollow),
            panel_answer(move.after_state, move.after_label, "leans", words, is_hollow=hollow),
            move.n_claims,
        )
        for move in preview.moves
    ]
    return PreviewView(
        ruling=reader.words(claim.kind, claim.pk)[label],
        n_moved=preview.n_moved,
        n_open=preview.n_open,
        contradicts=tuple(preview.contradicts),
        rows=_merged(rows),
        is_warning=preview.opens_by_itself,
    )


def _merged(rows: Sequence[PreviewRow]) -> tuple[PreviewRow, ...]:
    """Rows that read the same as one: who voted what is not told before a ruling."""
    n_claims: dict[tuple[Split, Answer, Answer], int] = {}
    for row in rows:
        key = (row.split, row.before, row.after)
        n_claims[key] = n_claims.get(key, 0) + row.n_claims
    ordered = sorted(n_claims.items(), key=lambda item: -item[1])
    return tuple(PreviewRow(*key, n) for key, n in ordered)
