"""Each kind of planted error against the demo's three documents: the specialist catches its kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.evaluation.llm.providers.offline.panel import Panel, statement

YES, NO, OUT, UNSURE = "accept", "reject", "cannot_assess", "uncertain"


def test_the_first_claim_of_the_demo_splits_the_panel(panel: Panel) -> None:
    votes = panel.votes("Installation is included in the price.")

    assert votes == {"words": YES, "meaning": OUT, "numbers": OUT, "negation": NO, "names": YES}
    expected = (
        "'included' is negated in the source only. Offer 2214, Tern & Daughter: \"Installation is not included.\""
    )
    assert panel.rationales["negation"] == expected


def test_a_score_in_between_is_a_vote_where_the_project_says_so(panel: Panel) -> None:
    subject = replace(statement("Installation is included in the price."), in_between="uncertain")

    assert panel.votes(subject)["meaning"] == UNSURE


@pytest.mark.parametrize(
    ("claim", "judge"),
    [
        ("The contents stay cold for 18 hours without power.", "numbers"),
        ("Delivery takes 16 weeks after order.", "numbers"),
        ("Fill at most 80 percent of the usable volume.", "numbers"),
        ("Installation is included in the price.", "negation"),
        ("The fridge was tested below 0 °C.", "negation"),
        ("Above 5,000 EUR no two offers are needed.", "negation"),
        ("The ward manager releases the fridge.", "negation"),
        ("The alarm also sends a text message.", "names"),
        ("The alarm also sends a text message.", "words"),
        ("The alarm also sends a text message.", "meaning"),
        ("The fridge is made by Nordfrost.", "names"),
    ],
)
def test_the_specialist_says_no(panel: Panel, claim: str, judge: str) -> None:
    assert panel.votes(claim)[judge] == NO


@pytest.mark.parametrize(
    "claim",
    [
        "Prices hold until 30 September.",
        "Stock must survive 8 hours without power.",
        "With the door shut the contents stay below 8 °C for 11 hours without power.",
        "Delivery six weeks after order, ground floor only.",
    ],
)
def test_a_near_verbatim_true_sentence_has_no_objection(panel: Panel, claim: str) -> None:
    votes = panel.votes(claim)

    assert set(votes.values()) <= {YES, OUT}
    assert list(votes.values()).count(YES) >= 4


def test_an_overclaim_is_in_between_for_negation(panel: Panel) -> None:
    votes = panel.votes("The contents always stay below 8 °C for 11 hours without power.")

    assert votes["negation"] == OUT
    assert panel.rationales["negation"].startswith("'always' has no counterpart in")


def test_the_rationale_of_numbers_names_the_rival(panel: Panel) -> None:
    panel.votes("The contents stay cold for 18 h without power.")

    assert panel.rationales["numbers"].startswith("18 h is in no source; the nearest sentence says 11 hours.")


def test_the_rationale_of_new_words_lists_them(panel: Panel) -> None:
    panel.votes("The alarm also sends a text message.")

    assert panel.rationales["names"] == "No source has: sends, text, message."


@pytest.mark.parametrize("judge", ["words", "meaning", "names"])
def test_silence_can_mean_unsettled_for_judges_of_absence(panel: Panel, judge: str) -> None:
    subject = replace(statement("The alarm also sends a text message."), silence_means="unsettled")

    assert panel.votes(subject)[judge] == UNSURE


def test_silence_never_moves_numbers_and_negation(panel: Panel) -> None:
    numbers = replace(statement("The contents stay cold for 18 hours without power."), silence_means="unsettled")
    negation = replace(statement("Installation is included in the price."), silence_means="unsettled")

    assert panel.votes(numbers)["numbers"] == NO
    assert panel.votes(negation)["negation"] == NO


def test_without_the_label_uncertain_both_settings_fall_back(panel: Panel) -> None:
    labels = {label: words for label, words in statement("x").labels.items() if label != UNSURE}
    subject = replace(statement("Installation is included in the price."), labels=labels, in_between="uncertain")
    silent = replace(statement("The alarm also sends a text message."), labels=labels, silence_means="unsettled")

    assert panel.votes(subject)["meaning"] == OUT
    assert panel.votes(silent)["words"] == NO
