"""Stretches of a text that were found independently, brought into one row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar


class Placed(Protocol):
    """Something found in a text, by its code points."""

    @property
    def start(self) -> int:
        """The first one."""
        ...

    @property
    def end(self) -> int:
        """The one after the last."""
        ...


Found = TypeVar("Found", bound=Placed)


def without_overlaps(found: Iterable[Found]) -> list[Found]:
    """Return what was found in order of the text; of two that overlap the earlier stays, else the longer."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept
