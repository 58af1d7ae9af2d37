"""The same claim found by several judges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.algorithms.alignment import Alignment, Candidate, align, is_same_claim, same_claim
from evaluation.embeddings.hashing import HashingEmbedder
from evaluation.language.guard import Match


def _align(*claims: Candidate) -> Alignment:
    return align(claims, HashingEmbedder().embed([claim.text for claim in claims]))


@pytest.mark.parametrize(
    ("a", "b", "cosine", "expected"),
    [
        ("Delivery takes 6 weeks.", "Delivery takes 16 weeks.", 0.95, Match.DIFFERENT),
        ("It is included.", "It is not included.", 0.93, Match.DIFFERENT),
        ("The price includes installation.", "Installation is included in the price.", 0.93, Match.SAME),
        ("The price includes installation.", "Installation is included in the price.", 0.80, Match.DOUBTFUL),
        ("The price includes installation.", "Installation is included in the price.", 0.74, Match.DIFFERENT),
        ("Bert sued Anna.", "Anna sued Bert.", 0.99, Match.DOUBTFUL),
        ("It is cold.", "it is  cold", 0.0, Match.SAME),
    ],
)
def test_same_claim_needs_the_cosine_and_the_guard(a: str, b: str, cosine: float, expected: Match) -> None:
    assert same_claim(a, b, cosine) is expected
    assert is_same_claim(a, b, cosine) is (expected is Match.SAME)


def test_the_threshold_can_be_moved() -> None:
    a, b = "The price includes installation.", "Installation is included in the price."

    assert same_claim(a, b, 0.80, threshold=0.75) is Match.SAME


def test_a_cosine_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not a number"):
        same_claim("a", "b", float("nan"))


def test_claims_of_different_judges_are_grouped_by_wording() -> None:
    found = _align(
        Candidate("a", "Delivery takes 6 weeks."),
        Candidate("a", "The fridge is cold."),
        Candidate("b", "Delivery takes 16 weeks."),
        Candidate("b", "It takes 6 weeks for the delivery."),
        Candidate("c", "delivery takes 6 weeks"),
    )

    assert found.groups == ((0, 3, 4), (1,), (2,))


def test_the_same_span_is_the_same_claim() -> None:
    found = _align(
        Candidate("a", "It weighs 61 kg.", (0, 16)),
        Candidate("b", "The fridge has a weight of 61 kg.", (0, 16)),
    )

    assert found == Alignment(((0, 1),), ())


def test_the_same_span_with_another_number_is_doubtful() -> None:
    found = _align(Candidate("a", "It weighs 61 kg.", (0, 16)), Candidate("b", "It weighs 16 kg.", (0, 16)))

    assert found == Alignment(((0,), (1,)), ((0, 1),))


def test_a_span_that_one_judge_split_is_settled_by_wording() -> None:
    span = (0, 43)

    found = _align(
        Candidate("a", "Parts are covered for 24 months.", span),
        Candidate("a", "Labour is covered for 24 months.", span),
        Candidate("b", "Labour is covered for 24 months.", span),
    )

    assert found.groups == ((0,), (1, 2))


def test_two_claims_of_one_judge_never_merge() -> None:
    found = _align(Candidate("a", "It is cold."), Candidate("a", "It is cold."), Candidate("b", "It is cold."))

    assert found.groups == ((0, 2), (1,))
    assert found.doubtful == ((1, 2),)


def test_a_chain_does_not_join_what_the_guard_keeps_apart() -> None:
    near = np.array([[1.0, 0.0], [0.95, np.sqrt(1 - 0.95**2)], [0.9, np.sqrt(1 - 0.9**2)]], dtype=np.float32)
    claims = [
        Candidate("a", "Delivery takes 6 weeks."),
        Candidate("b", "Delivery takes weeks."),
        Candidate("c", "Delivery takes 16 weeks."),
    ]

    found = align(claims, near)

    assert found == Alignment(((0,), (1,), (2,)), ((0, 1), (1, 2)))


def test_no_claims_give_no_groups() -> None:
    assert align([], np.zeros((0, 0), dtype=np.float32)) == Alignment(())


def test_a_missing_row_is_refused() -> None:
    with pytest.raises(ValueError, match="1 claims but 2 vectors"):
        align([Candidate("a", "It is cold.")], np.eye(2, dtype=np.float32))


_TEXTS = st.sampled_from(
    ["It takes 6 weeks.", "It takes six weeks.", "It takes 16 weeks.", "It is cold.", "It is not cold.", "Cold it is."]
)


@given(st.lists(st.builds(Candidate, st.sampled_from("abc"), _TEXTS, st.sampled_from([None, (0, 5)])), max_size=8))
def test_every_claim_is_in_one_group_and_no_group_has_a_judge_twice(claims: list[Candidate]) -> None:
    found = _align(*claims)

    assert sorted(place for group in found.groups for place in group) == list(range(len(claims)))
    for group in found.groups:
        judges = [claims[place].judge for place in group]
        assert len(judges) == len(set(judges))
