"""The judges Words, Meaning, and Names and new words: traps of the trial, and each of their answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evaluation.llm.providers.offline.finding import Finding, Side
from evaluation.llm.providers.offline.overlap_judges import judge_meaning, judge_names, judge_words
from evaluation.llm.providers.offline.reading import ClaimReading
from tests.evaluation.llm.providers.offline.panel import Panel
from tests.evaluation.llm.providers.offline.readings import claim_in

Judge = Callable[[ClaimReading], Finding]

YES = "accept"
OFFER = "Delivery takes six weeks after the order. Installation by Tern is not included."


def test_a_word_hyphenated_at_a_line_end_is_found(panel: Panel) -> None:
    votes = panel.votes("Installation is included.", "The instal-\nlation is included.")

    assert votes["words"] == YES
    assert votes["names"] == YES


def test_a_sentence_ends_after_a_unit(panel: Panel) -> None:
    panel.votes("Weight 61 kg.", "Keeps 8 °C. Weight 61 kg.")

    assert panel.rationales["words"] == 'The words are found in "Weight 61 kg."'


def test_the_end_of_a_long_source_sentence_is_read(panel: Panel) -> None:
    clauses = [f"item {at} of the long list was packed into box {at} by the crew" for at in range(30)]
    source = ", ".join([*clauses, "and the crew was thanked by the harbour master for the work on the boat"]) + "."

    panel.votes("The harbour master thanked the crew for the work on the boat.", source)

    assert panel.rationales["meaning"].startswith("It reads much like")


def test_a_sentence_with_two_facts_is_told_to_be_split(panel: Panel) -> None:
    panel.votes("Delivery takes six weeks after order to the ground floor, and the supplier trains nurses.")

    assert panel.rationales["words"].endswith("If this sentence holds two facts, split it.")


@pytest.mark.parametrize(
    ("claim", "side"),
    [
        ("Delivery takes six weeks.", Side.SUPPORTED),
        ("Delivery takes six weeks of patience.", Side.IN_BETWEEN),
        ("The supplier trains nurses.", Side.NOT_SUPPORTED),
        ("It is.", Side.CANNOT_SAY),
    ],
)
def test_words_votes_by_the_share_it_finds(claim: str, side: Side) -> None:
    assert judge_words(claim_in(claim, OFFER)).side is side


def test_words_names_what_no_passage_has() -> None:
    finding = judge_words(claim_in("The supplier trains nurses.", OFFER))

    assert finding.rationale.startswith("No passage has: supplier, trains, nurses. The nearest is")


def test_meaning_votes_by_the_nearest_sentence() -> None:
    same = judge_meaning(claim_in("Delivery takes six weeks after the order.", OFFER, has_model=True))
    other = judge_meaning(claim_in("The supplier trains nurses.", OFFER, has_model=True))

    assert (same.side, other.side) == (Side.SUPPORTED, Side.NOT_SUPPORTED)
    assert same.rationale == 'It reads much like "Delivery takes six weeks after the order."'


def test_meaning_without_a_model_says_so_instead_of_guessing() -> None:
    finding = judge_meaning(claim_in("Delivery takes six weeks.", OFFER))

    assert (finding.side, finding.rationale) == (Side.CANNOT_SAY, "There is no model to compare meanings with.")


@pytest.mark.parametrize(
    ("claim", "side"),
    [
        ("Delivery by Tern takes six weeks.", Side.SUPPORTED),
        ("Delivery by Gull takes six weeks.", Side.NOT_SUPPORTED),
        ("Delivery by Tern's crew of six takes weeks after an order.", Side.IN_BETWEEN),
        ("The supplier trains nurses.", Side.NOT_SUPPORTED),
    ],
)
def test_names_votes_by_unknown_names_and_new_words(claim: str, side: Side) -> None:
    assert judge_names(claim_in(claim, OFFER)).side is side


def test_names_lists_an_unknown_name_before_any_word() -> None:
    finding = judge_names(claim_in("The supplier Gull trains nurses.", OFFER))

    assert finding.rationale == "No source has the name: Gull."


def test_a_long_list_of_new_words_is_cut() -> None:
    finding = judge_names(
        claim_in("The lorry carried apples, pears, plums, cherries, melons, grapes and dates.", OFFER)
    )

    assert finding.rationale.count(",") == 5


@pytest.mark.parametrize("judge", [judge_words, judge_meaning, judge_names])
def test_a_text_without_content_words_is_never_a_no(judge: Judge) -> None:
    assert judge(claim_in("It is.", OFFER)).side is Side.CANNOT_SAY
