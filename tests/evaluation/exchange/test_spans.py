"""Spans: code points, found or checked by a quote."""

from __future__ import annotations

import json

import pytest

TEXT = "Cold 🙂 box. It lasts 18 hours. Cold."


def line(**claim: object) -> str:
    return json.dumps({"id": "r", "question": "q", "response": TEXT, "claims": [{"id": "c", **claim}]})


def test_a_quote_after_an_emoji_finds_its_span(read_text):
    parsed = read_text(line(text="The box lasts 18 hours.", quote="It lasts 18 hours."))

    start, end = parsed.bundle.claims[0].span
    assert (start, end) == (12, 30)
    assert TEXT[start:end] == "It lasts 18 hours."
    assert parsed.refusals == ()
    assert parsed.warnings == ()


def test_a_span_that_fits_its_quote_is_taken(read_text):
    parsed = read_text(line(text="x", span=[12, 30], quote="It lasts 18 hours."))

    assert parsed.refusals == ()
    assert parsed.bundle.claims[0].span == (12, 30)


@pytest.mark.parametrize(
    ("claim", "field", "words"),
    [
        ({"text": "x", "span": [12, 99]}, "span", "does not lie in the response"),
        ({"text": "x", "span": [-1, 3]}, "span", "does not lie in the response"),
        ({"text": "x", "span": [5, 5]}, "span", "does not lie in the response"),
        ({"text": "x", "span": [1]}, "span", "two whole numbers"),
        ({"text": "x", "span": [0, True]}, "span", "two whole numbers"),
        ({"text": "x", "span": [0, 4], "quote": "Warm"}, "span", "covers “Cold”"),
        ({"text": "x", "quote": "Warm"}, "quote", "does not hold the words"),
        ({"text": "x", "quote": "Cold"}, "quote", "twice"),
    ],
)
def test_a_span_or_quote_that_does_not_fit_is_refused(read_text, claim, field, words):
    parsed = read_text(line(**claim))

    assert parsed.refusals[0].field.endswith(field)
    assert words in parsed.refusals[0].reason


def test_offsets_counted_in_utf16_are_named_as_the_cause(read_text):
    parsed = read_text(line(text="x", span=[13, 31], quote="It lasts 18 hours."))

    assert "UTF-16" in parsed.refusals[0].reason


def test_a_span_over_other_words_than_the_claim_is_a_warning(read_text):
    parsed = read_text(line(text="The box lasts long.", span=[12, 30]))

    assert parsed.refusals == ()
    assert "reworded" in parsed.warnings[0].reason
