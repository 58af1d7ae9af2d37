"""Replies read as opinions, found claims and a drafted rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from evaluation.methods.juryflow_replies import (
    ReadOpinions,
    known_tags,
    read_decomposition,
    read_draft,
    read_opinions,
)
from evaluation.methods.juryflow_shapes import DecompositionReply, DraftReply, VerdictsReply
from evaluation.schemas import FoundClaim, Label, PresentationOrder, RubricText, Subject, VerdictState
from tests.evaluation.llm.builders import pair_subject, statement_subject


def _verdict(claim: str | int, verdict: str, **more: object) -> dict[str, object]:
    return {"claim": claim, "rationale": "Because.", "verdict": verdict, **more}


def _read(subject: Subject, *verdicts: dict[str, object]) -> ReadOpinions:
    return read_opinions(VerdictsReply.model_validate({"verdicts": verdicts}), subject)


def _found(subject: Subject, *claims: Mapping[str, object]) -> list[FoundClaim]:
    whole = [{"tags": [], "rationale": "", "verdict": "accept", "confidence": None} | dict(claim) for claim in claims]
    return read_decomposition(DecompositionReply.model_validate({"claims": whole}), subject)


def test_it_gives_every_asked_claim_one_opinion_in_the_order_asked() -> None:
    read = _read(statement_subject(), _verdict("12", "reject", confidence=0.8), _verdict(11, "accept"))

    assert [(each.ref, each.label, each.confidence) for each in read.opinions] == [
        ("11", Label.ACCEPT, None),
        ("12", Label.REJECT, 0.8),
    ]
    assert (read.gaps, read.invented) == ((), ())


def test_missing_and_invented_references_are_reported_and_never_votes() -> None:
    read = _read(statement_subject(), _verdict("12", "reject"), _verdict("99", "accept"))

    assert [each.ref for each in read.opinions] == ["12"]
    assert (read.gaps, read.invented) == (("11",), ("99",))


@pytest.mark.parametrize(
    ("verdict", "state", "label"),
    [
        ("cannot_assess", VerdictState.ABSTAINED, None),
        (" Accept ", VerdictState.CAST, Label.ACCEPT),
        ("Not supported", VerdictState.CAST, Label.REJECT),
        ("first", VerdictState.FAILED, None),
        ("probably", VerdictState.FAILED, None),
        ("", VerdictState.FAILED, None),
    ],
)
def test_verdict_is_a_label_of_the_project_an_abstention_or_failed(
    verdict: str, state: VerdictState, label: Label | None
) -> None:
    opinion = _read(statement_subject(), _verdict("11", verdict)).opinions[0]

    assert (opinion.state, opinion.label) == (state, label)
    assert opinion.failure_reason == ("shape" if state is VerdictState.FAILED else "")


def test_tie_is_outside_the_labels_of_a_project_without_ties() -> None:
    binary = replace(pair_subject(), labels={Label.FIRST: "Left", Label.SECOND: "Right"})

    assert _read(binary, _verdict("7", "tie")).opinions[0].state is VerdictState.FAILED


def test_two_different_verdicts_on_one_claim_are_no_vote_and_two_equal_ones_are_one() -> None:
    torn = _read(statement_subject(), _verdict("11", "accept"), _verdict("11", "reject"))
    sure = _read(statement_subject(), _verdict("11", "accept"), _verdict("11", "accept"))

    assert (torn.opinions[0].state, torn.opinions[0].failure_reason) == (VerdictState.FAILED, "shape")
    assert [each.label for each in sure.opinions] == [Label.ACCEPT]


@pytest.mark.parametrize(
    ("said", "meant"),
    [("first", Label.SECOND), ("Right", Label.FIRST), ("tie", Label.TIE)],
)
def test_label_of_a_swapped_pair_comes_back_in_given_order(said: str, meant: Label) -> None:
    read = _read(pair_subject(PresentationOrder.SWAPPED), _verdict("7", said))

    assert read.opinions[0].label is meant


@pytest.mark.parametrize(("confidence", "said"), [(95, "of 95 lies outside"), (-0.1, "of -0.1 lies"), (None, "")])
def test_confidence_that_is_no_probability_is_dropped_and_said_and_the_vote_stands(
    confidence: float | None, said: str
) -> None:
    opinion = _read(statement_subject(), _verdict("11", "accept", confidence=confidence)).opinions[0]

    assert (opinion.confidence, opinion.label) == (None, Label.ACCEPT)
    assert said in "".join(opinion.flags)
    assert len(opinion.flags) == (confidence is not None)


def test_the_declared_verdict_counts_and_a_contradicting_field_beside_it_is_said() -> None:
    read = _read(statement_subject(), _verdict("11", "accept", label="reject"), _verdict("12", "reject", score=4))

    assert [(each.label, len(each.flags)) for each in read.opinions] == [(Label.ACCEPT, 1), (Label.REJECT, 0)]
    assert 'also says label: "Not supported"' in read.opinions[0].flags[0]


def test_a_field_beside_the_list_contradicts_only_the_one_verdict_in_it() -> None:
    one = VerdictsReply.model_validate({"verdicts": [_verdict("11", "accept")], "decision": "reject"})
    two = VerdictsReply.model_validate({"verdicts": [_verdict("11", "accept"), _verdict("12", "accept")], "label": "x"})

    assert [len(each.flags) for each in read_opinions(one, statement_subject()).opinions] == [1]
    assert [each.flags for each in read_opinions(two, statement_subject()).opinions] == [(), ()]


def test_a_found_claim_says_what_contradicts_its_verdict() -> None:
    claim = {"text": "A.", "quote": "", "verdict": "accept", "supported": False, "confidence": 7}

    (found,) = _found(statement_subject("decompose"), claim)

    assert found.opinion is not None
    assert (found.opinion.label, len(found.opinion.flags)) == (Label.ACCEPT, 2)


def test_precedent_is_kept_only_if_the_judge_was_shown_it() -> None:
    subject = replace(statement_subject(), rubric=(RubricText(5, 1, "Check 'not'."),))

    read = _read(subject, _verdict("11", "accept", precedent_entry=5), _verdict("12", "accept", precedent_entry=6))

    assert [each.precedent_entry for each in read.opinions] == [5, None]


def test_review_expects_an_opinion_on_its_first_claim_only() -> None:
    read = _read(statement_subject("review"), _verdict("11", "accept"), _verdict("12", "accept"))

    assert [each.ref for each in read.opinions] == ["11"]
    assert (read.gaps, read.invented) == ((), ("12",))


def test_span_counts_code_points_after_an_emoji() -> None:
    subject = replace(statement_subject("decompose"), response="👩‍⚕️🇫🇷 Hello. Delivery takes six weeks.")

    (found,) = _found(subject, {"text": "Delivery takes six weeks.", "quote": "Delivery takes six weeks."})

    assert found.span is not None
    assert subject.response[found.span[0] : found.span[1]] == "Delivery takes six weeks."
    assert found.span[0] == 14


def test_found_claim_carries_its_opinion_and_its_tags() -> None:
    claim = {"text": "A.", "quote": "nowhere", "verdict": "reject", "tags": ["Numbers", "tone"], "confidence": 0.5}

    (found,) = _found(statement_subject("decompose"), claim)

    assert found.opinion is not None
    assert (found.span, found.tags) == (None, ("numbers", "other:tone"))
    assert (found.opinion.label, found.opinion.confidence, found.opinion.ref) == (Label.REJECT, 0.5, "1")


def test_claim_named_twice_is_one_claim_and_no_vote_if_its_verdicts_differ() -> None:
    claim = {"text": "Installation is included.", "quote": "Installation is included."}

    found = _found(statement_subject("decompose"), claim, claim | {"verdict": "reject"}, {"text": "B.", "quote": ""})

    assert [each.text for each in found] == ["Installation is included.", "B."]
    assert [each.opinion.state for each in found if each.opinion] == [VerdictState.FAILED, VerdictState.CAST]


def test_sentence_that_stands_twice_gives_two_claims_with_places_of_their_own() -> None:
    subject = replace(statement_subject("decompose"), response="It works. Really. It works.")

    found = _found(
        subject, {"text": "The pump works.", "quote": "It works."}, {"text": "The alarm works.", "quote": "It works."}
    )

    assert [each.span for each in found] == [(0, 9), (18, 27)]


def test_tags_are_mapped_to_the_vocabulary_once_and_unknown_ones_marked() -> None:
    tags = ["Who-does_what", "numbers", "NUMBERS", "other:Tone", " ", "tone"]

    assert known_tags(tags, ("numbers", "who does what")) == ("who does what", "numbers", "other:tone")


def test_draft_has_an_example_with_its_label_and_a_reason_for_the_missing_one() -> None:
    subject = replace(statement_subject("draft"), ruling=Label.REJECT)
    reply = DraftReply(
        criterion="A service is included only if the source says so.",
        boundary="a price is given",
        tags=("numbers",),
        positive_example=" ",
        negative_example="Installation is included.",
    )

    draft = read_draft(reply, subject)

    assert (draft.positive, draft.positive_missing) == (None, "The judge named no example and no reason.")
    assert draft.negative is not None
    assert (draft.negative.label, draft.negative_missing) == (Label.REJECT, "")


def test_ruled_claim_as_an_example_carries_the_ruling() -> None:
    subject = replace(statement_subject("draft"), ruling=Label.UNCERTAIN)
    reply = DraftReply(
        criterion="C.", positive_example="Some other claim.", negative_example="Installation is included."
    )

    draft = read_draft(reply, subject)

    assert draft.positive is not None
    assert draft.negative is not None
    assert (draft.positive.label, draft.negative.label) == (Label.ACCEPT, Label.UNCERTAIN)


def test_examples_of_a_pair_are_the_favoured_and_the_other_answer() -> None:
    subject = replace(pair_subject(), task="draft", ruling=Label.SECOND)

    draft = read_draft(DraftReply(criterion="C.", positive_example="Essay", negative_example="Poem"), subject)

    assert draft.positive is not None
    assert draft.negative is not None
    assert (draft.positive.label, draft.negative.label) == (Label.SECOND, Label.FIRST)
