"""Cuts a JSON list into its members, each with the row it begins in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder

IS_BROKEN = "The list is cut off or broken here; get the whole file, or put one object per line without the brackets."
_OPENS = re.compile(r"[ \t\r\n]*\[[ \t\r\n]*")
_ENDS = re.compile(r"[ \t\r\n]*\][ \t\r\n]*$")
_GOES_ON = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")


@dataclass(frozen=True)
class Member:
    """The text of one member, exactly as it stands, and its row; or the problem that ended the reading there."""

    row: int
    text: str
    problem: str = ""


def members_of(text: str) -> Iterator[Member]:
    """The members of the list that a text consists of; where the list breaks, a last one says so."""
    decoder = JSONDecoder()
    step = _OPENS.match(text)
    row, counted = 1, 0
    if step and _ENDS.match(text, step.end()):
        return
    while step:
        row, counted = row + text.count("\n", counted, step.end()), step.end()
        try:
            _, end = decoder.raw_decode(text, step.end())
        except (JSONDecodeError, RecursionError):
            break
        yield Member(row, text[step.end() : end])
        if _ENDS.match(text, end):
            return
        row, counted = row + text.count("\n", counted, end), end
        step = _GOES_ON.match(text, end)
    yield Member(row, "", IS_BROKEN)
