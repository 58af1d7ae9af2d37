"""Whole numbers out of addresses."""

from __future__ import annotations

LARGEST = 2**63 - 1


def whole(text: str | None) -> int | None:
    """The number a query string names; None where it names none that a row could have."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 19:
        return None
    number = int(text)
    return number if number <= LARGEST else None
