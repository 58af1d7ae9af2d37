"""Recorded verdicts played again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatRequest
from evaluation.llm.providers.replay import RecordedKey, RecordedVerdict, ReplayModel
from evaluation.methods.juryflow_replies import ReadOpinions, read_opinions
from evaluation.methods.juryflow_shapes import VerdictsReply
from evaluation.schemas import Label, PresentationOrder, Subject, VerdictState
from tests.evaluation.llm.builders import Waits, chat_request, pair_subject, statement_subject


def _played(recorded: dict[RecordedKey, RecordedVerdict], subject: Subject) -> ReadOpinions:
    request = chat_request(subject=subject)
    answer = Waits().ask(ReplayModel(recorded), request, VerdictsReply)
    return read_opinions(answer.value, subject)


def test_it_plays_labels_abstentions_and_gaps() -> None:
    subject = statement_subject()
    third = replace(subject.claims[0], ref="13")
    recorded = {
        RecordedKey("q1", "11"): RecordedVerdict(Label.ACCEPT, "It says six weeks.", 0.9),
        RecordedKey("q1", "12"): RecordedVerdict(None),
    }

    read = _played(recorded, replace(subject, claims=(*subject.claims, third)))

    assert [(each.ref, each.state, each.label) for each in read.opinions] == [
        ("11", VerdictState.CAST, Label.ACCEPT),
        ("12", VerdictState.ABSTAINED, None),
    ]
    assert read.opinions[0].confidence == 0.9
    assert read.gaps == ("13",)


@pytest.mark.parametrize("order", list(PresentationOrder))
def test_label_of_a_pair_comes_back_in_given_order(order: PresentationOrder) -> None:
    recorded = {RecordedKey("pair-1", "7", order): RecordedVerdict(Label.SECOND)}

    read = _played(recorded, pair_subject(order))

    assert read.opinions[0].label is Label.SECOND


def test_order_that_was_not_recorded_is_an_error_and_no_vote() -> None:
    recorded = {RecordedKey("pair-1", "7"): RecordedVerdict(Label.SECOND)}

    with pytest.raises(LLMError, match="'pair-1' in the order swapped"):
        _played(recorded, pair_subject(PresentationOrder.SWAPPED))


def test_recording_cannot_draft() -> None:
    request: ChatRequest = chat_request(subject=replace(statement_subject(), task="draft"))

    with pytest.raises(LLMError, match="cannot draft") as caught:
        ReplayModel({}).complete(request)

    assert caught.value.reason == "config"
