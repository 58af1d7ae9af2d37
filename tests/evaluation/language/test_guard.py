"""The guard of alignment, without vectors."""

from __future__ import annotations

import pytest

from evaluation.language.guard import Match, guard, is_same_text


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Delivery takes 6 weeks.", "Delivery takes 16 weeks.", Match.DIFFERENT),
        ("Delivery takes 6 weeks.", "Delivery takes 6 days.", Match.DIFFERENT),
        ("Delivery takes 6 weeks.", "Delivery takes six weeks.", Match.SAME),
        ("It is included.", "It is not included.", Match.DIFFERENT),
        ("The door is open.", "The door is closed.", Match.DIFFERENT),
        ("We visited Paris.", "We visited Lyon.", Match.DIFFERENT),
        ("We visited Paris.", "We visited Paris and Lyon.", Match.DOUBTFUL),
        ("Bert sued Anna.", "Anna sued Bert.", Match.DOUBTFUL),
        ("The contents stay cold.", "The contents always stay cold.", Match.DOUBTFUL),
        ("The alarm is loud.", "The alarm is blue.", Match.DOUBTFUL),
        ("Parts are covered.", "Parts and labour are covered.", Match.DOUBTFUL),
        ("Delivery takes 6 weeks.", "Delivery takes weeks.", Match.DOUBTFUL),
        ("Installation is included in the price.", "The price includes installation.", Match.SAME),
    ],
)
def test_the_guard_says_what_may_match(a: str, b: str, expected: Match) -> None:
    assert guard(a, b) is expected
    assert guard(b, a) is expected


def test_known_limit_swapped_roles_without_names_pass() -> None:
    assert guard("The price is included in the installation.", "Installation is included in the price.") is Match.SAME


def test_same_text_ignores_case_space_and_end_marks() -> None:
    assert is_same_text("It is  cold.", "it is cold")
    assert not is_same_text("It is cold.", "It is cool.")
