"""What word matching cannot get right; each test asserts the wrong vote, so that mending it is noticed."""

from __future__ import annotations

import pytest

from tests.evaluation.llm.providers.offline.panel import Panel

YES, NO, OUT = "accept", "reject", "cannot_assess"


@pytest.mark.parametrize("claim", ["At most 84 litres may be filled.", "Three units cost 5,370 EUR."])
def test_known_limit_a_computed_figure_counts_as_missing(panel: Panel, claim: str) -> None:
    votes = panel.votes(claim)

    assert votes["numbers"] == NO
    assert panel.rationales["numbers"].endswith("A computed figure cannot be checked here.")


def test_known_limit_a_right_number_beside_the_wrong_thing_passes(panel: Panel) -> None:
    assert panel.votes("Labour is under warranty for 24 months.")["numbers"] == YES


def test_known_limit_a_claim_taken_from_an_allegation_passes_all_five(panel: Panel) -> None:
    votes = panel.votes("The firm hid 3 losses.", "Allegedly the firm hid 3 losses.")

    assert set(votes.values()) == {YES}


def test_known_limit_a_critics_word_counts_as_fact(panel: Panel) -> None:
    votes = panel.votes("The plan is reckless.", 'A critic said: "The plan is reckless."')

    assert set(votes.values()) == {YES, OUT}


def test_known_limit_swapped_roles_pass_all_that_vote(panel: Panel) -> None:
    votes = panel.votes("Bert sued Anna.", "Anna sued Bert.")

    assert set(votes.values()) == {YES, OUT}


def test_known_limit_words_of_one_document_in_another_order_pass(panel: Panel) -> None:
    votes = panel.votes("A vaccine fridge has a battery-backed logger and an alarm read twice a day.")

    assert set(votes.values()) == {YES, OUT}


def test_known_limit_a_condition_left_out_passes(panel: Panel) -> None:
    assert set(panel.votes("The alarm sounds after 5 minutes.").values()) <= {YES, OUT}


def test_known_limit_a_lower_case_name_is_a_new_word_at_best(panel: Panel) -> None:
    source = "The offer comes from Tern and holds until the end of the month for all clinics of the town."

    panel.votes("the offer comes from gull and holds until the end of the month for all clinics.", source)

    assert "name" not in panel.rationales["names"]


def test_known_limit_a_table_head_is_not_bound_to_its_cells(panel: Panel) -> None:
    table = "| model | weight |\n| Nook 140 | 61 kg |\n| Nook 200 | 75 kg |"

    assert panel.votes("The weight of the model Nook 140 is 75 kg.", table)["numbers"] == YES


def test_known_limit_half_of_a_double_claim_is_enough_for_numbers(panel: Panel) -> None:
    votes = panel.votes("Delivery takes six weeks and the supplier trains nurses.")

    assert votes["numbers"] == YES
    assert votes["words"] != YES


def test_known_limit_two_languages_without_function_words_are_compared(panel: Panel) -> None:
    assert panel.votes("Montage enthalten.", "Installation is included in the price.")["words"] == NO
