"""Plain tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table: the first column to the left, the others to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(head, *rows, strict=True)]
    return [_line(cells, widths) for cells in (head, *rows)]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    others = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return "  " + "  ".join((first, *others)).rstrip()


def percent(share: float | None) -> str:
    """Return a share in per cent with one decimal, a dash where there is none."""
    return "-" if share is None else f"{100 * share:.1f} %"


def decimals(value: float | None, digits: int = 2) -> str:
    """Return a number with so many decimals, a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def counted(n: int, thing: str) -> str:
    """Return a number with its noun, in the plural unless it is one."""
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"
