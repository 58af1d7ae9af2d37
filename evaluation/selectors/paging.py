"""Cuts long lists into pages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """One page of a list: its number from 1, of how many, and which rows stand on it."""

    number: int
    n_pages: int
    rows: slice


def page_of(n: int, size: int, wanted: int) -> Page:
    """The page of `n` rows that is wanted, or the nearest one there is; an empty list has one page."""
    n_pages = max(1, -(-n // size))
    number = min(max(wanted, 1), n_pages)
    start = (number - 1) * size
    return Page(number, n_pages, slice(start, start + size))


class Paged:
    """What shows one page of a list, with the numbers of its neighbours."""

    page: int

    @property
    def before(self) -> int:
        return self.page - 1

    @property
    def after(self) -> int:
        return self.page + 1
