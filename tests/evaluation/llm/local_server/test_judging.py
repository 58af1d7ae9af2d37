"""The local server without a script: a whole walk over HTTP with the real prompts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.providers.anthropic_messages import AnthropicMessages
from evaluation.llm.providers.openai_chat import OpenAIChat
from evaluation.llm.structured import ask
from evaluation.methods.juryflow import decompose_request, draft_request, judge_request
from evaluation.methods.juryflow_replies import read_decomposition, read_draft, read_opinions
from evaluation.methods.juryflow_shapes import DecompositionReply, DraftReply, VerdictsReply
from evaluation.schemas import Label, PresentationOrder, Subject
from tests.evaluation.llm.builders import SECRET, Waits, judge, pair_subject, statement_subject


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with LocalServer() as running:
        yield running


def test_it_judges_claims_by_the_words_of_the_sources(server: LocalServer) -> None:
    settings, subject = judge("openai_chat", server.openai_url), statement_subject()

    answer = ask(
        OpenAIChat(settings, None), judge_request(subject, settings, SECRET), VerdictsReply, policy=Waits().policy()
    )
    read = read_opinions(answer.value, subject)

    assert [each.ref for each in read.opinions] == ["11", "12"]
    assert read.opinions[1].label is Label.ACCEPT
    assert read.opinions[1].rationale.startswith("100% of the words")


def test_it_cuts_a_response_into_sentences_with_spans(server: LocalServer) -> None:
    settings, subject = judge("anthropic_messages", server.url), statement_subject("decompose")
    request = decompose_request(subject, settings, SECRET)

    answer = ask(AnthropicMessages(settings, None), request, DecompositionReply, policy=Waits().policy())
    found = read_decomposition(answer.value, subject)

    assert [subject.response[slice(*(each.span or ()))] for each in found] == [
        "Delivery takes six weeks.",
        "Installation is included.",
    ]


def test_same_answer_of_a_pair_wins_in_either_order(server: LocalServer) -> None:
    settings = judge("openai_chat", server.openai_url)

    def winner(subject: Subject) -> Label | None:
        request = judge_request(subject, settings, SECRET)
        answer = ask(OpenAIChat(settings, None), request, VerdictsReply, policy=Waits().policy())
        return read_opinions(answer.value, subject).opinions[0].label

    assert [winner(pair_subject(order)) for order in PresentationOrder] == [Label.FIRST, Label.FIRST]


def test_it_drafts_a_rule_whose_example_is_the_ruled_claim(server: LocalServer) -> None:
    settings = judge("anthropic_messages", server.url)
    subject = statement_subject("draft")
    ruled = Subject(**(vars(subject) | {"claims": subject.claims[1:], "ruling": Label.REJECT}))

    answer = ask(
        AnthropicMessages(settings, None), draft_request(ruled, settings, SECRET), DraftReply, policy=Waits().policy()
    )
    draft = read_draft(answer.value, ruled)

    assert draft.negative is not None
    assert (draft.negative.text, draft.negative.label) == ("Installation is included.", Label.REJECT)
    assert draft.positive is None
    assert draft.positive_missing
