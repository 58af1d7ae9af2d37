"""A response as paragraphs in which its claims are marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.models import Claim

_PARAGRAPH = re.compile(r"\S[\s\S]*?(?=\n\s*\n|\Z)")


@dataclass(frozen=True)
class Piece:
    """A stretch of text: plain, part of this claim, or part of another claim of the response."""

    text: str
    is_this: bool = False
    claim_id: int | None = None
    is_disputed: bool = False


@dataclass(frozen=True)
class Paragraph:
    """A paragraph in pieces; `holds_claim` says that this claim is in it."""

    number: int
    pieces: tuple[Piece, ...]
    holds_claim: bool


@dataclass(frozen=True)
class ResponseText:
    """A response with its paragraphs; `is_found` is false where the claim has no span in it."""

    paragraphs: tuple[Paragraph, ...]
    is_found: bool

    @property
    def near(self) -> tuple[Paragraph, ...]:
        """Paragraphs that hold the claim; all where it has no place in the text."""
        return tuple(p for p in self.paragraphs if p.holds_claim) or self.paragraphs

    @property
    def n_hidden(self) -> int:
        return len(self.paragraphs) - len(self.near)


def response_text(text: str, this: Claim, others: Sequence[Claim], disputed: frozenset[int]) -> ResponseText:
    """Cut a response into paragraphs and pieces; where claims overlap, this claim and then the earlier one win."""
    spans = [claim for claim in (this, *others) if claim.span_start is not None and claim.span_end is not None]
    owner: list[Claim | None] = [None] * len(text)
    for claim in reversed(spans):
        start, stop = claim.span_start or 0, min(claim.span_end or 0, len(text))
        owner[start:stop] = [claim] * max(0, stop - start)
    paragraphs = tuple(
        _paragraph(number, text, owner, match.span(), this, disputed)
        for number, match in enumerate(_PARAGRAPH.finditer(text), start=1)
    )
    return ResponseText(paragraphs, any(paragraph.holds_claim for paragraph in paragraphs))


def _paragraph(
    number: int,
    text: str,
    owner: Sequence[Claim | None],
    span: tuple[int, int],
    this: Claim,
    disputed: frozenset[int],
) -> Paragraph:
    pieces: list[Piece] = []
    at, stop = span
    while at < stop:
        end = at
        while end < stop and owner[end] is owner[at]:
            end += 1
        pieces.append(_piece(text[at:end], owner[at], this, disputed))
        at = end
    return Paragraph(number, tuple(pieces), any(piece.is_this for piece in pieces))


def _piece(text: str, claim: Claim | None, this: Claim, disputed: frozenset[int]) -> Piece:
    if claim is None:
        return Piece(text)
    return Piece(text, is_this=claim is this, claim_id=claim.pk, is_disputed=claim.pk in disputed)
