"""Keys of answered calls."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.llm.cache_key import cache_key
from evaluation.llm.protocol import ChatRequest, Message, TextPart
from evaluation.methods.juryflow import judge_request
from evaluation.schemas import JudgeSettings, PromptStamp, RubricText
from tests.evaluation.llm.builders import chat_request, judge, statement_subject

JUDGE = judge("openai_chat", "")
JUDGE_AT_0 = judge("openai_chat", "", temperature=0)
REQUEST = chat_request(parameters={"temperature": 0, "top_p": 1}, prompt=PromptStamp("judge", 1, "aa"))
RULE = RubricText(5, 1, "Check the word 'not'.")


def _with_rubric(*entries: RubricText) -> ChatRequest:
    return replace(REQUEST, subject=replace(REQUEST.subject, rubric=entries))


def test_it_is_the_same_for_the_same_question_whatever_the_secret_and_the_name_of_the_judge() -> None:
    subject = statement_subject()
    renamed = replace(JUDGE, name="Judge B")

    first = cache_key(JUDGE, judge_request(subject, JUDGE, b"one secret"))
    second = cache_key(renamed, judge_request(subject, renamed, b"another secret"))

    assert first == second


def test_order_of_parameters_does_not_count() -> None:
    turned_round = replace(REQUEST, parameters={"top_p": 1, "temperature": 0})

    assert cache_key(JUDGE, turned_round) == cache_key(JUDGE, REQUEST)


@pytest.mark.parametrize(
    ("settings", "request_"),
    [
        (replace(JUDGE, provider="anthropic_messages"), REQUEST),
        (replace(JUDGE, base_url="http://127.0.0.1:1/v1"), REQUEST),
        (JUDGE, replace(REQUEST, model="other")),
        (JUDGE, replace(REQUEST, parameters={"temperature": 1, "top_p": 1})),
        (JUDGE, replace(REQUEST, max_tokens=800)),
        (JUDGE, replace(REQUEST, schema=None)),
        (JUDGE, replace(REQUEST, prompt=PromptStamp("judge", 2, "bb"))),
        (JUDGE, replace(REQUEST, subject=replace(REQUEST.subject, response="Other."))),
        (JUDGE, replace(REQUEST, messages=(Message("system", (TextPart("Be a sceptic."),)),))),
        (JUDGE, _with_rubric(RULE)),
    ],
    ids=["provider", "url", "model", "parameters", "max_tokens", "schema", "prompt", "content", "persona", "rubric"],
)
def test_key_changes_with_everything_that_can_change_the_reply(settings: JudgeSettings, request_: ChatRequest) -> None:
    assert cache_key(settings, request_) != cache_key(JUDGE, REQUEST)


def test_key_changes_with_the_version_of_a_rule_and_with_the_sample() -> None:
    shown = _with_rubric(RULE)

    keys = {
        cache_key(JUDGE, shown),
        cache_key(JUDGE, _with_rubric(replace(RULE, version=2))),
        cache_key(JUDGE, shown, sample=1),
    }

    assert len(keys) == 3
    assert cache_key(JUDGE, shown, sample=0) in keys


def test_rules_that_did_not_fit_and_the_judge_s_own_limits_do_not_count() -> None:
    crowded = replace(REQUEST, subject=replace(REQUEST.subject, rubric_left_out=("Check the units.",)))
    own = {"timeout": 5, "connect_timeout": 1, "max_concurrency": 2, "requests_per_minute": 9}
    hasty = judge("openai_chat", "", temperature=0, **own)

    asked, asked_hastily = (judge_request(statement_subject(), each, b"s") for each in (JUDGE_AT_0, hasty))

    assert cache_key(JUDGE, crowded) == cache_key(JUDGE, REQUEST)
    assert cache_key(hasty, asked_hastily) == cache_key(JUDGE_AT_0, asked)
