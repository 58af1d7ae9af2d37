"""Finds the passage a judge quoted in the response."""

from __future__ import annotations

import re
from collections.abc import Collection

Span = tuple[int, int]

_ALIKE = ("'‘’‚`", '"“”„«»', "-‐‑‒–—")
_ELLIPSES = re.compile(r"\A(?:…|\.\.\.)\s*|\s*(?:…|\.\.\.)\Z")


def locate(quote: str, response: str, taken: Collection[Span] = ()) -> Span | None:
    """Return where a quote stands in a response, as offsets in code points.

    Tried in turn: the quote as it is, then with any white space, any kind of quotation mark and dash, and without
    regard to case. Of several places the first that is not taken wins, else the first. None if there is no place:
    a span is never made up.
    """
    wanted = _ELLIPSES.sub("", quote.strip())
    if not wanted:
        return None
    for pattern in (re.compile(re.escape(wanted)), _tolerant(wanted)):
        spans = [found.span() for found in pattern.finditer(response)]
        if spans:
            return next((span for span in spans if span not in taken), spans[0])
    return None


def _tolerant(quote: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join("".join(map(_any_alike, word)) for word in quote.split()), re.IGNORECASE)


def _any_alike(character: str) -> str:
    for alike in _ALIKE:
        if character in alike:
            return f"[{re.escape(alike)}]"
    return re.escape(character)
