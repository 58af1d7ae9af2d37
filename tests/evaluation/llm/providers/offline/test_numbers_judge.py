"""The judge Numbers: traps on which the trial went wrong, and each of its answers."""

from __future__ import annotations

import pytest

from evaluation.llm.providers.offline.finding import Side
from evaluation.llm.providers.offline.numbers_judge import judge_numbers
from tests.evaluation.llm.providers.offline.panel import Panel
from tests.evaluation.llm.providers.offline.readings import claim_in

YES, NO, OUT = "accept", "reject", "cannot_assess"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The test takes one and a half hours.", "The test takes 90 minutes."),
        ("Prices rose by four and a half percent.", "Prices rose by 4.5 %."),
        ("A quarter of the volume is used.", "25 percent of the volume is used."),
        ("It holds 1½ litres.", "It holds 1.5 litres."),
        ("The trial is in phase III.", "The trial is in phase 3."),
        ("The shop opens at 2:30 pm.", "The shop opens at 14:30."),
        ("The room is kept at 68 °F.", "The room is kept at 20 °C."),
        ("About 1,200 people came.", "On the day 1,234 people came."),
        ("Over a thousand people came.", "On the day 1,234 people came."),
        ("The load is 1.500 kg.", "The load is 1500 g."),
        ("The load is 1.500 kg.", "The load is 1,500 kg."),
        ("It was signed on 2024-03-01.", "It was signed on 1 March 2024."),
        ("Between 10 and 12 members voted.", "Eleven members voted."),
        ("The home side won 6-1.", "The home side won 6 to 1."),
    ],
)
def test_numbers_reads_what_is_written(panel: Panel, claim: str, source: str) -> None:
    assert panel.votes(claim, source)["numbers"] == YES


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The test takes one and a half hours.", "The test takes 4 hours."),
        ("Prices rose by four percent.", "Prices rose by four and a half percent."),
        ("The trial is in phase III.", "The trial is in phase 2."),
        ("The shop opens at 2:30 pm.", "The shop opens at 2:30 am."),
        ("The home side won 6-1.", "The home side lost 1-6."),
        ("It was signed on 2024-03-01.", "In 2024 it was signed on 3 May, in room 1."),
        ("The load is 1.500 kg.", "The load is 15 kg."),
    ],
)
def test_numbers_objects_to_another_figure(panel: Panel, claim: str, source: str) -> None:
    assert panel.votes(claim, source)["numbers"] == NO


def test_a_figure_inside_a_range_of_the_source_is_no_vote(panel: Panel) -> None:
    votes = panel.votes("Eleven members voted.", "Between 10 and 12 members voted.")

    assert votes["numbers"] == OUT
    assert panel.rationales["numbers"] == "The sources give Eleven only within a range or limit."


def test_numbers_votes_on_digits_in_any_language(panel: Panel) -> None:
    source = "Die Lieferung dauert nach der Bestellung 6 Wochen und ist nicht im Preis."

    assert panel.votes("Die Lieferung dauert 6 Wochen.", source)["numbers"] == YES
    assert panel.votes("Die Lieferung dauert 16 Wochen.", source)["numbers"] == NO


def test_a_sentence_without_a_number_is_left_to_others() -> None:
    finding = judge_numbers(claim_in("Prices hold.", "Prices hold until 30 September."))

    assert (finding.side, finding.rationale) == (Side.CANNOT_SAY, "The sentence has no number.")


def test_a_number_word_in_a_foreign_text_is_not_looked_up() -> None:
    claim = claim_in(
        "The twelve members voted and the plan was approved.", "Die Mitglieder haben nicht für den Plan gestimmt."
    )

    assert judge_numbers(claim).side is Side.CANNOT_SAY


def test_one_missing_number_outweighs_another_that_is_found() -> None:
    finding = judge_numbers(claim_in("It weighs 61 kg and costs 900 EUR.", "Weight 61 kg. Price 1,940 EUR."))

    assert finding.side is Side.NOT_SUPPORTED
    assert finding.rationale.startswith("900 EUR is in no source; the nearest sentence says 1,940 EUR.")


def test_a_number_far_from_the_nearest_passages_is_no_vote() -> None:
    near = [f"The fridge keeps the vaccine cold in room {name}." for name in ("north", "south", "east", "west")]
    claim = claim_in("The fridge keeps the vaccine cold in 11 of them.", " ".join(near), "Lunch is for 11.")

    finding = judge_numbers(claim)

    assert finding.side is Side.IN_BETWEEN
    assert finding.rationale == "11 is in the sources, but not in the passages nearest to this sentence."


def test_support_cites_the_passage_of_each_number() -> None:
    finding = judge_numbers(claim_in("It weighs 61 kg and costs 900 EUR.", "Weight 61 kg. Price 900 EUR."))

    assert finding.side is Side.SUPPORTED
    assert finding.rationale == '61 kg in "Weight 61 kg."; 900 EUR in "Price 900 EUR."'
