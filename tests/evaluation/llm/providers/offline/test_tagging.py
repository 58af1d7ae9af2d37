"""Dimension tags by a plain rule."""

from __future__ import annotations

import pytest

from evaluation.llm.providers.offline.tagging import tag_claim

VOCABULARY = ("numbers and units", "warranty", "included or not", "who does what", "price", "deadlines")


@pytest.mark.parametrize(
    ("claim", "tags"),
    [
        ("Labour is not covered by the warranty.", ["warranty", "included or not"]),
        ("One unit is 1,940 EUR.", ["numbers and units", "price"]),
        ("It is cold.", []),
        ("", []),
    ],
)
def test_tags_fit_by_their_own_words_or_by_what_they_name(claim: str, tags: list[str]) -> None:
    assert tag_claim(claim, VOCABULARY) == tags


def test_tags_come_from_the_vocabulary_only_and_in_its_order() -> None:
    claim = "One unit is 1,940 EUR."

    assert tag_claim(claim, VOCABULARY[::-1]) == tag_claim(claim, VOCABULARY)[::-1]
    assert tag_claim(claim, ()) == []


def test_no_claim_has_more_than_four_tags() -> None:
    vocabulary = [f"warranty {at}" for at in "abcdefg"]

    assert tag_claim("The warranty ends.", vocabulary) == vocabulary[:4]


def test_a_tag_in_another_form_of_the_word_fits() -> None:
    assert tag_claim("It was delivered late.", ["delivery", "deliveries", "delivering"]) == ["delivering"]
