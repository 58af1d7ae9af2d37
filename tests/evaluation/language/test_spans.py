"""Stretches of a text in one row."""

from __future__ import annotations

from evaluation.language.numerals import Numeral
from evaluation.language.spans import without_overlaps


def numeral(start: int, end: int) -> Numeral:
    return Numeral((1.0,), start, end)


def test_they_come_in_the_order_of_the_text() -> None:
    assert without_overlaps([numeral(5, 7), numeral(0, 2), numeral(2, 5)]) == [
        numeral(0, 2),
        numeral(2, 5),
        numeral(5, 7),
    ]


def test_of_two_that_overlap_the_earlier_stays() -> None:
    assert without_overlaps([numeral(1, 9), numeral(0, 2)]) == [numeral(0, 2)]


def test_of_two_that_begin_together_the_longer_stays() -> None:
    assert without_overlaps([numeral(0, 2), numeral(0, 4)]) == [numeral(0, 4)]


def test_nothing_found_is_nothing_kept() -> None:
    assert without_overlaps([]) == []
