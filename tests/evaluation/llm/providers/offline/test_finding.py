"""From what a judge finds to the label of a project."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.llm.providers.offline.finding import (
    SILENCE_JUDGES,
    Finding,
    Side,
    cannot_say,
    in_between,
    not_supported,
    supported,
    verdict_word,
)
from evaluation.llm.providers.offline.model import JUDGES
from evaluation.schemas import Label, Subject
from tests.evaluation.llm.builders import STATEMENT_LABELS, statement_subject

TWO_LABELS = {label: words for label, words in STATEMENT_LABELS.items() if label is not Label.UNCERTAIN}
UNSETTLED = replace(statement_subject(), silence_means="unsettled")
VOTING = replace(statement_subject(), in_between="uncertain")


@pytest.mark.parametrize("judge", JUDGES)
def test_support_is_a_yes_under_every_setting(judge: str) -> None:
    words = {verdict_word(supported("It is."), judge, subject) for subject in (statement_subject(), UNSETTLED, VOTING)}

    assert words == {"accept"}


@pytest.mark.parametrize("judge", JUDGES)
def test_absence_is_a_no_unless_silence_leaves_the_matter_open(judge: str) -> None:
    assert verdict_word(not_supported("None."), judge, statement_subject()) == "reject"
    expected = "uncertain" if judge in SILENCE_JUDGES else "reject"
    assert verdict_word(not_supported("None."), judge, UNSETTLED) == expected


def test_the_judges_of_absence_are_judges() -> None:
    assert set(JUDGES) > SILENCE_JUDGES


@pytest.mark.parametrize(
    ("subject", "word"),
    [
        (statement_subject(), "cannot_assess"),
        (VOTING, "uncertain"),
        (replace(VOTING, labels=TWO_LABELS), "cannot_assess"),
    ],
)
def test_a_score_in_between_is_a_vote_only_where_the_project_has_a_label_for_it(subject: Subject, word: str) -> None:
    assert verdict_word(in_between("Part of it."), "words", subject) == word


def test_silence_is_a_no_where_the_project_has_no_label_for_unsettled() -> None:
    assert verdict_word(not_supported("None."), "words", replace(UNSETTLED, labels=TWO_LABELS)) == "reject"


def test_an_abstention_never_becomes_a_vote() -> None:
    subject = replace(UNSETTLED, in_between="uncertain")

    assert verdict_word(cannot_say("No source."), "words", subject) == "cannot_assess"


def test_a_precedent_overrules_the_side() -> None:
    ruled = Finding(Side.CANNOT_SAY, "Ruled before.", label=Label.REJECT, entry=7)

    assert verdict_word(ruled, "words", VOTING) == "reject"
