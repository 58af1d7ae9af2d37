"""Rubric entries drafted by template."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.llm.protocol import JsonObject
from evaluation.schemas import Label, Subject
from tests.evaluation.llm.providers.offline.panel import Panel, statement


def _draft(panel: Panel, subject: Subject, ruling: Label, reason: str = "") -> JsonObject:
    return panel.ask("words", replace(subject, task="draft", ruling=ruling, ruling_reason=reason))


def test_a_draft_from_a_denied_statement_has_both_examples(panel: Panel) -> None:
    subject = replace(statement("Installation is included in the price."), tag_vocabulary=("included or not", "price"))

    draft = _draft(panel, subject, Label.REJECT, reason="The offer says not included.")

    assert draft == {
        "criterion": 'A statement counts as "Supported" only if the source says so without a "not", "no" or an '
        "opposite. Reason given: The offer says not included.",
        "boundary": "The source denies something else, or denies it for another case.",
        "dimension": "included or not",
        "tags": ["included or not", "price"],
        "positive_example": "Installation is not included.",
        "positive_missing": "",
        "negative_example": "Installation is included in the price.",
        "negative_missing": "",
    }


@pytest.mark.parametrize(
    ("claim", "ruling", "words"),
    [
        ("The contents stay cold for 18 hours without power.", Label.REJECT, "A figure counts as"),
        ("The contents always stay below 8 °C for 11 hours without power.", Label.REJECT, "about all cases"),
        ("The alarm also sends a text message.", Label.REJECT, "What no source mentions"),
        ("The alarm sounds after 5 minutes without power.", Label.REJECT, "joins them in another way"),
        ("At most 84 litres may be filled.", Label.ACCEPT, "plain arithmetic counts"),
        ("The price leaves out the installation.", Label.ACCEPT, "Other wording"),
        ("The alarm is battery-backed, so the rule is met.", Label.UNCERTAIN, "Sources do not settle it"),
    ],
)
def test_the_rule_follows_the_ruling_and_the_cause(panel: Panel, claim: str, ruling: Label, words: str) -> None:
    assert words in _draft(panel, statement(claim), ruling)["criterion"]


def test_an_accepted_claim_is_the_positive_example_and_the_other_says_why_it_is_missing(panel: Panel) -> None:
    draft = _draft(panel, statement("At most 84 litres may be filled."), Label.ACCEPT)

    assert draft["positive_example"] == "At most 84 litres may be filled."
    assert draft["negative_example"] is None
    assert draft["negative_missing"] == "No ruled claim or source sentence shows this side yet."


def test_without_sources_a_draft_says_that_an_example_is_missing(panel: Panel) -> None:
    draft = _draft(panel, statement("It is cold.", sources=()), Label.REJECT)

    assert draft["positive_example"] is None
    assert draft["positive_missing"] == "No source sentence is near enough to serve as an example."


def test_a_claims_own_tags_win_over_guessed_ones(panel: Panel) -> None:
    subject = replace(statement("One unit is 1,940 EUR."), tag_vocabulary=("price", "rules"))
    tagged = replace(subject, claims=(replace(subject.claims[0], tags=("rules", "other:x")),))

    assert _draft(panel, tagged, Label.ACCEPT)["tags"] == ["rules"]
