"""How voters are named."""

from __future__ import annotations

import pytest

from evaluation.algorithms.voters import judge_of, leading_labels, order_of, voter_of
from evaluation.schemas import PresentationOrder


@pytest.mark.parametrize("order", list(PresentationOrder))
def test_a_voter_is_a_judge_in_an_order(order: PresentationOrder) -> None:
    voter = voter_of(7, order)

    assert (judge_of(voter), order_of(voter)) == (7, order)


def test_orders_of_one_judge_are_different_voters() -> None:
    assert len({voter_of(7, order) for order in PresentationOrder}) == len(PresentationOrder)


@pytest.mark.parametrize("text", ["", "judge 7", "j7/sideways"])
def test_what_names_no_voter_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        judge_of(text), order_of(text)


def test_a_voter_leads_with_what_most_of_its_samples_gave_and_with_nothing_where_they_are_level() -> None:
    third = 1 / 3
    votes = [["j1", "reject", 2 * third], ["j1", "accept", third], ["j2", "accept", 1], ["j3", "accept", 0.5]]

    assert leading_labels([*votes, ["j3", "reject", 0.5]]) == {"j1": "reject", "j2": "accept", "j3": ""}
    assert leading_labels([["j1", label, third] for label in ("accept", "reject", "uncertain")]) == {"j1": ""}
    assert leading_labels([]) == {}
