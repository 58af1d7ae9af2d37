"""Fields beside a verdict that say something else."""

from __future__ import annotations

import pytest

from evaluation.llm.presentation import CANNOT_ASSESS
from evaluation.methods.juryflow_contradictions import confidence_flag, flags, read_label
from evaluation.schemas import Label, Opinion, PresentationOrder, Subject, VerdictState
from tests.evaluation.llm.builders import pair_subject, statement_subject


def _said(vote: Label | None, subject: Subject | None = None, /, **beside: object) -> str:
    state = VerdictState.CAST if vote else VerdictState.ABSTAINED
    return " ".join(flags(Opinion("11", state, vote), beside, subject or statement_subject()))


def test_it_is_said_in_a_sentence_with_the_words_of_the_project() -> None:
    assert _said(Label.ACCEPT, label="reject") == (
        'The judge voted "Supported", which counts, though its reply also says label: "Not supported".'
    )
    assert _said(None, label="reject").startswith("The judge did not vote, which counts, though")


@pytest.mark.parametrize(
    ("vote", "beside"),
    [
        (Label.ACCEPT, {"label": "refuted"}),
        (Label.ACCEPT, {"finalVerdict": "reject"}),
        (Label.ACCEPT, {"my-vote": "Not supported"}),
        (Label.ACCEPT, {"overall_judgment": "mostly true"}),
        (Label.REJECT, {"answer": "Supported"}),
        (Label.REJECT, {"decision": CANNOT_ASSESS}),
        (Label.ACCEPT, {"supported": False}),
        (Label.ACCEPT, {"is_supported": 0}),
        (Label.ACCEPT, {"isCorrect": "no"}),
        (Label.REJECT, {"faithful": True}),
        (Label.UNCERTAIN, {"supported": "yes"}),
        (None, {"supported": True}),
        (Label.ACCEPT, {"not_supported": True}),
        (Label.REJECT, {"not_supported": False}),
        (Label.ACCEPT, {"hallucinated": True}),
        (Label.ACCEPT, {"score": 0}),
    ],
)
def test_what_can_only_mean_another_verdict_is_said(vote: Label | None, beside: dict[str, object]) -> None:
    assert _said(vote, **beside)


@pytest.mark.parametrize(
    ("vote", "beside"),
    [
        (Label.ACCEPT, {"label": "accept", "decision": " SUPPORTED "}),
        (Label.ACCEPT, {"answer": "It does not say reject.", "result": "reject it"}),
        (Label.ACCEPT, {"notes": "reject", "reason": "Not supported"}),
        (Label.ACCEPT, {"label": "", "vote": None, "ruling": ["reject"]}),
        (Label.ACCEPT, {"supported": True, "score": 5, "hallucinated": False}),
        (Label.REJECT, {"supported": False, "score": 0, "refuted": True, "contradicted": False}),
        (Label.UNCERTAIN, {"supported": False}),
        (None, {"label": CANNOT_ASSESS, "supported": False}),
        (Label.REJECT, {"rating": 1, "supported": 0.4}),
    ],
)
def test_what_agrees_or_may_mean_anything_is_not(vote: Label | None, beside: dict[str, object]) -> None:
    assert _said(vote, **beside) == ""


def test_labels_of_a_swapped_pair_are_compared_and_said_in_given_order() -> None:
    swapped = pair_subject(PresentationOrder.SWAPPED)

    assert _said(Label.SECOND, swapped, winner="first", first=True) == ""
    assert 'winner: "Left"' in _said(Label.SECOND, swapped, winner="second")
    assert "first: false" in _said(Label.SECOND, swapped, first=False)


def test_words_about_statements_say_nothing_of_a_pair() -> None:
    assert _said(Label.FIRST, pair_subject(), supported=False, correct=True, hallucinated=True) == ""


def test_a_failed_opinion_contradicts_nothing() -> None:
    assert flags(Opinion("11", VerdictState.FAILED), {"label": "accept"}, statement_subject()) == ()


def test_long_fields_are_shortened() -> None:
    assert len(_said(Label.ACCEPT, label="refuted " * 1_000)) < 250


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("accept", (True, Label.ACCEPT)),
        (" NOT supported ", (True, Label.REJECT)),
        (CANNOT_ASSESS, (True, None)),
        ("accepted", (False, None)),
        ("accept.", (False, None)),
        ("I accept", (False, None)),
        ("", (False, None)),
    ],
)
def test_a_label_is_read_whole_or_not_at_all(said: str, read: tuple[bool, Label | None]) -> None:
    assert read_label(said, statement_subject()) == read


@pytest.mark.parametrize(("confidence", "is_odd"), [(None, False), (0, False), (1, False), (1.01, True), (-1, True)])
def test_a_confidence_outside_its_range_is_said(confidence: float | None, is_odd: bool) -> None:
    assert bool(confidence_flag(confidence)) == is_odd
