"""Negation scopes, double negation and opposites."""

from __future__ import annotations

import pytest

from evaluation.language.negation import has_negation, mismatched, negates_on_claim_side, new_universals, opposites


@pytest.mark.parametrize(
    ("claim", "passage", "words"),
    [
        ("Installation is included.", "Installation is not included.", ("included",)),
        ("Installation isn’t included.", "Installation is included.", ("included",)),
        (
            "The ward manager releases the fridge.",
            "The pharmacist, not the ward manager, releases a new fridge.",
            ("ward", "manager"),
        ),
        ("The fridge was tested below 0 °C.", "Not tested below 0 °C.", ("tested", "below")),
        ("A logger is needed.", "The fridge works without a logger, which is needed.", ("logger",)),
        ("It is not safe.", "It is not only safe.", ("safe",)),
        ("No patient was excluded.", "Some patients were excluded.", ("patient",)),
        ("It is not true that installation is included.", "Installation is included.", ("included",)),
    ],
)
def test_a_word_negated_on_one_side_is_found(claim: str, passage: str, words: tuple[str, ...]) -> None:
    assert mismatched(claim, passage) == words


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The drug is safe.", "The drug is not only safe but cheap."),
        ("No patient was excluded.", "Every patient was included."),
        ("Nobody failed.", "Everybody passed."),
        ("It is not true that installation is included.", "Installation is not included."),
        ("No fee is charged.", "A fee is not charged."),
        ("The door is not open.", "The door is closed."),
        ("The offer is well-known.", "The offer is well-known, not new."),
    ],
)
def test_equal_denials_are_no_mismatch(claim: str, passage: str) -> None:
    assert mismatched(claim, passage) == ()
    assert opposites(claim, passage) == ()


def test_a_scope_ends_after_six_content_words() -> None:
    near = "It is not bought, seen red."
    far = "Not apples pears plums figs dates grapes lemons."

    assert mismatched("red", near) == ()
    assert mismatched("grapes", far) == ("grapes",)
    assert mismatched("lemons", far) == ()


def test_opposites_are_named_from_both_sides() -> None:
    assert opposites("The door is open.", "The door is closed.") == (("open", "closed"),)
    assert opposites("The door is open and closed.", "The door is closed.") == ()
    assert opposites("The door is not open.", "The door is not closed.") == (("open", "closed"),)


def test_universal_words_without_counterpart_are_named() -> None:
    assert new_universals("It always works.", "It works.") == ("always",)
    assert new_universals("It always works.", "All of it works.") == ()
    assert new_universals("It is not only safe.", "It is safe.") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [("It is not safe.", True), ("It is safe.", False), ("See No. 5.", False), ("no doubt", False)],
)
def test_has_negation(text: str, *, expected: bool) -> None:
    assert has_negation(text) is expected


def test_the_side_that_negates_is_known() -> None:
    assert negates_on_claim_side("It is not safe.", "safe")
    assert not negates_on_claim_side("It is safe.", "safe")
