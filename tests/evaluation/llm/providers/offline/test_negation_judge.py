"""The judge Negation and opposites: traps on which the trial went wrong, and each of its answers."""

from __future__ import annotations

import pytest

from evaluation.llm.providers.offline.finding import NOT_ENGLISH, Side
from evaluation.llm.providers.offline.negation_judge import judge_negation
from tests.evaluation.llm.providers.offline.panel import Panel
from tests.evaluation.llm.providers.offline.readings import claim_in

YES, NO = "accept", "reject"


@pytest.mark.parametrize(
    ("claim", "source", "expected"),
    [
        ("The drug is safe.", "The drug is not only safe but cheap.", YES),
        ("The drug is not safe.", "The drug is not only safe but cheap.", NO),
        ("No patient was excluded.", "No patient was excluded from the study.", YES),
        ("No patient was excluded from the study.", "Every patient was included in the study.", YES),
        ("No patient was excluded from the study.", "Some patients were excluded from the study.", NO),
        ("Nobody failed the exam.", "Everybody passed the exam.", YES),
        ("It is not true that installation is included.", "Installation is not included.", YES),
        ("It is not true that installation is included.", "Installation is included.", NO),
    ],
)
def test_negation_reads_double_and_wide_denials(panel: Panel, claim: str, source: str, expected: str) -> None:
    assert panel.votes(claim, source)["negation"] == expected


@pytest.mark.parametrize(
    ("claim", "source", "said"),
    [
        ("Installation is not included.", "Installation is included.", "'included' is negated in the claim only."),
        ("Installation is included.", "Installation is not included.", "'included' is negated in the source only."),
        (
            "The main door of the old fridge room upstairs is open.",
            "The main door of the old fridge room upstairs is closed.",
            "The claim says 'open' where the source says 'closed'.",
        ),
    ],
)
def test_the_reason_names_the_word_and_the_side(claim: str, source: str, said: str) -> None:
    finding = judge_negation(claim_in(claim, source))

    assert finding.side is Side.NOT_SUPPORTED
    assert finding.rationale == f'{said} "{source}"'


def test_a_wider_claim_than_the_source_is_in_between() -> None:
    finding = judge_negation(claim_in("Every nurse was trained.", "Nurses were trained."))

    assert finding.side is Side.IN_BETWEEN


def test_nothing_near_enough_is_no_comparison() -> None:
    finding = judge_negation(claim_in("Installation is not included.", "The fridge weighs 61 kg."))

    assert finding.side is Side.CANNOT_SAY
    assert finding.rationale.startswith("No source sentence is near enough to compare")


def test_a_foreign_text_on_either_side_is_not_judged() -> None:
    german, english = "Die Installation ist nicht im Preis enthalten.", "Installation is included in the price."

    findings = [judge_negation(claim_in(german, english)), judge_negation(claim_in(english, german))]

    assert [(each.side, each.rationale) for each in findings] == [(Side.CANNOT_SAY, NOT_ENGLISH)] * 2
