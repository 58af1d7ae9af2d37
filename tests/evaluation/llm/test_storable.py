"""Text as every database can keep it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.llm.storable import storable, storable_count, storable_text

ANY_TEXT = st.text(st.characters(codec=None) | st.sampled_from("\x00\ud800\udfff"), max_size=40)


@given(ANY_TEXT)
def test_every_text_can_be_stored_and_keeps_its_length(text: str) -> None:
    kept = storable_text(text)

    assert kept.encode().decode() == kept
    assert "\x00" not in kept
    assert len(kept) == len(text)


@given(ANY_TEXT)
def test_only_what_cannot_be_stored_is_changed(text: str) -> None:
    for before, after in zip(text, storable_text(text), strict=True):
        assert after == ("\ufffd" if before == "\x00" or "\ud800" <= before <= "\udfff" else before)


def test_an_emoji_of_a_whole_surrogate_pair_stays() -> None:
    assert storable_text(json.loads(r'"\ud83d\ude00"')) == "😀"


def test_texts_deep_inside_a_value_and_keys_are_cleaned_and_the_rest_stays() -> None:
    value = {"a\x00": ["b\x00", {"c": "\ud83d"}], "n": 2**63, "x": 0.5, "yes": True, "none": None}

    clean = storable(value)

    assert clean == {"a\ufffd": ["b\ufffd", {"c": "\ufffd"}], "n": 2**63, "x": 0.5, "yes": True, "none": None}
    assert value["a\x00"] == ["b\x00", {"c": "\ud83d"}]


@pytest.mark.parametrize(("told", "kept"), [(7, 7), (-1, 0), (10**30, 2**31 - 1), ("many", 0), (None, 0), (1.5, 0)])
def test_a_count_fits_every_database(told: object, kept: int) -> None:
    assert storable_count(told) == kept
