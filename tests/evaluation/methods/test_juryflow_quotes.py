"""Quotes found in a response."""

from __future__ import annotations

import pytest

from evaluation.methods.juryflow_quotes import locate

RESPONSE = "🙂 She said: “It’s 5–7\nweeks” (approx.). Prices hold."


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("Prices hold.", "Prices hold."),
        ("  Prices hold. ", "Prices hold."),
        ("prices HOLD", "Prices hold"),
        ('"It\'s 5-7 weeks"', "“It’s 5–7\nweeks”"),
        ("(approx.)", "(approx.)"),
        ("… Prices hold...", "Prices hold"),
    ],
)
def test_it_finds_a_quote_whatever_its_spaces_marks_and_case(quote: str, passage: str) -> None:
    span = locate(quote, RESPONSE)

    assert span is not None
    assert RESPONSE[span[0] : span[1]] == passage


@pytest.mark.parametrize("quote", ["", "   ", "…", "Prices fall.", "5 to 7 weeks"])
def test_span_is_never_made_up(quote: str) -> None:
    assert locate(quote, RESPONSE) is None


def test_places_that_are_taken_are_passed_over_while_there_is_another() -> None:
    assert locate("ab", "ab ab") == (0, 2)
    assert locate("ab", "ab ab", {(0, 2)}) == (3, 5)
    assert locate("ab", "ab ab", {(0, 2), (3, 5)}) == (0, 2)
