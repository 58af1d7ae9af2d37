"""The local server without a script: a whole walk over HTTP with the real prompts."""

from __future__ import annotations

from typing import TypeVar

import pytest
from pydantic import BaseModel

from evaluation.llm.fence import fence
from evaluation.llm.local_server.judging import Question, answered
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import ChatModel, ChatRequest
from evaluation.llm.providers.anthropic_messages import AnthropicMessages
from evaluation.llm.providers.openai_chat import OpenAIChat
from evaluation.methods.juryflow import decompose_request, draft_request, judge_request
from evaluation.methods.juryflow_replies import read_decomposition, read_draft, read_opinions
from evaluation.methods.juryflow_shapes import DecompositionReply, DraftReply, VerdictsReply
from evaluation.schemas import Label, PresentationOrder, Subject
from tests.evaluation.llm.builders import SECRET, Waits, judge, pair_subject, statement_subject

Shape = TypeVar("Shape", bound=BaseModel)


def asked(model: ChatModel, request: ChatRequest, shape: type[Shape]) -> Shape:
    return Waits().ask(model, request, shape).value


def test_it_judges_claims_by_the_words_of_the_sources(server: LocalServer) -> None:
    settings, subject = judge("openai_chat", server.openai_url), statement_subject()

    value = asked(OpenAIChat(settings, None), judge_request(subject, settings, SECRET), VerdictsReply)
    read = read_opinions(value, subject)

    assert [each.ref for each in read.opinions] == ["11", "12"]
    assert read.opinions[1].label is Label.ACCEPT
    assert read.opinions[1].rationale.startswith("100% of the words")


def test_it_cuts_a_response_into_sentences_with_spans(server: LocalServer) -> None:
    settings, subject = judge("anthropic_messages", server.url), statement_subject("decompose")
    request = decompose_request(subject, settings, SECRET)

    found = read_decomposition(asked(AnthropicMessages(settings, None), request, DecompositionReply), subject)

    assert [subject.response[slice(*(each.span or ()))] for each in found] == [
        "Delivery takes six weeks.",
        "Installation is included.",
    ]


def test_same_answer_of_a_pair_wins_in_either_order(server: LocalServer) -> None:
    settings = judge("openai_chat", server.openai_url)

    def winner(subject: Subject) -> Label | None:
        request = judge_request(subject, settings, SECRET)
        value = asked(OpenAIChat(settings, None), request, VerdictsReply)
        return read_opinions(value, subject).opinions[0].label

    assert [winner(pair_subject(order)) for order in PresentationOrder] == [Label.FIRST, Label.FIRST]


def test_it_drafts_a_rule_whose_example_is_the_ruled_claim(server: LocalServer) -> None:
    settings = judge("anthropic_messages", server.url)
    subject = statement_subject("draft")
    ruled = Subject(**(vars(subject) | {"claims": subject.claims[1:], "ruling": Label.REJECT}))

    value = asked(AnthropicMessages(settings, None), draft_request(ruled, settings, SECRET), DraftReply)
    draft = read_draft(value, ruled)

    assert draft.negative is not None
    assert (draft.negative.text, draft.negative.label) == ("Installation is included.", Label.REJECT)
    assert draft.positive is None
    assert draft.positive_missing


@pytest.mark.parametrize(("order", "given"), [("reject", "reject"), ("tie", "accept"), (None, "accept")])
def test_an_order_stands_above_the_rule_where_there_is_such_a_verdict(order: str | None, given: str) -> None:
    verdicts = {"claim": {"enum": ["1"]}, "verdict": {"enum": ["accept", "reject"]}}
    schema = {"properties": {"verdicts": {"items": {"properties": verdicts}}}}
    prompt = "\n".join(fence(SECRET, name, "Loud.") for name in ("claim 1", "source 1"))

    reply = answered(Question("m", prompt, schema, order))

    assert [each["verdict"] for each in reply["verdicts"]] == [given]
