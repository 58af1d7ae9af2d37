"""Replies written in the three protocols."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from evaluation.llm.local_server.protocols import (
    ANTHROPIC_PATH,
    OPENAI_PATH,
    RESPONSES_PATH,
    Said,
    anthropic_reply,
    error_body,
    openai_reply,
    responses_reply,
    said,
)
from evaluation.llm.local_server.script import Step, Tokens
from evaluation.llm.protocol import JsonObject
from tests.evaluation.llm.builders import SCHEMA

BLUE = {"colour": "blue"}
TOOL = {"name": "colour", "input_schema": SCHEMA}

Write = Callable[[JsonObject, Said], JsonObject]


def spoken(step: Step, prompt: str = "Which colour?") -> Said:
    return said(step, prompt, lambda: BLUE)


def test_a_step_that_says_nothing_says_what_the_rule_finds() -> None:
    assert spoken(Step()).structured == BLUE
    assert spoken(Step(text="red")) == Said("red", None, Tokens(4, 1))


def test_openai_puts_a_structured_answer_into_the_text() -> None:
    reply = openai_reply({"model": "m"}, spoken(Step(answer=BLUE)))

    choice = reply["choices"][0]
    assert json.loads(choice["message"]["content"]) == BLUE
    assert (choice["finish_reason"], reply["model"]) == ("stop", "m")


def test_openai_tells_a_refusal_in_its_own_field() -> None:
    reply = openai_reply({}, spoken(Step(text="I will not.", finish="refused")))

    choice = reply["choices"][0]
    assert choice["message"] == {"role": "assistant", "content": None, "refusal": "I will not."}
    assert choice["finish_reason"] == "stop"


@pytest.mark.parametrize(
    ("finish", "status", "part"),
    [
        ("stop", "completed", {"type": "output_text", "text": "x", "annotations": []}),
        ("length", "incomplete", {"type": "output_text", "text": "x", "annotations": []}),
        ("refused", "completed", {"type": "refusal", "refusal": "x"}),
    ],
)
def test_a_response_has_one_message_and_says_how_it_ended(finish: str, status: str, part: JsonObject) -> None:
    reply = responses_reply({"model": "m"}, spoken(Step(text="x", finish=finish)))

    assert (reply["status"], reply["output"][0]["content"]) == (status, [part])
    assert reply["incomplete_details"] == ({"reason": "max_output_tokens"} if finish == "length" else None)


def test_anthropic_puts_a_structured_answer_into_the_tool_that_is_forced() -> None:
    reply = anthropic_reply({"tools": [TOOL]}, spoken(Step(answer=BLUE)))

    assert [(part["type"], part.get("name"), part.get("input")) for part in reply["content"]] == [
        ("tool_use", "colour", BLUE)
    ]
    assert reply["stop_reason"] == "tool_use"


def test_anthropic_without_a_tool_answers_in_text() -> None:
    reply = anthropic_reply({}, spoken(Step(answer=BLUE)))

    assert json.loads(reply["content"][0]["text"]) == BLUE
    assert reply["stop_reason"] == "end_turn"


@pytest.mark.parametrize(
    ("finish", "of_openai", "of_anthropic"),
    [("stop", "stop", "end_turn"), ("length", "length", "max_tokens"), ("refused", "stop", "refusal")],
)
def test_each_protocol_has_its_own_word_for_the_end(finish: str, of_openai: str, of_anthropic: str) -> None:
    reply = spoken(Step(text="x", finish=finish))

    assert openai_reply({}, reply)["choices"][0]["finish_reason"] == of_openai
    assert anthropic_reply({"tools": [TOOL]}, reply)["stop_reason"] == of_anthropic


def test_half_a_reply_is_half_a_text_or_an_empty_tool_call() -> None:
    reply = spoken(Step(finish="length", is_halved=True))

    assert openai_reply({}, reply)["choices"][0]["message"]["content"] == '{"colour"'
    cut = anthropic_reply({"tools": [TOOL]}, reply)
    assert (cut["content"][0]["input"], cut["stop_reason"]) == ({}, "max_tokens")


def test_tokens_are_counted_from_the_texts() -> None:
    usage = openai_reply({}, spoken(Step(text="y" * 8), "x" * 41))["usage"]

    assert (usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]) == (11, 2, 13)


@pytest.mark.parametrize("write", [openai_reply, responses_reply, anthropic_reply])
def test_usage_is_stated_as_the_step_says_even_where_it_is_a_lie(write: Write) -> None:
    usage = write({}, spoken(Step(text="x", tokens=Tokens(-1, "many", 5, 7))))["usage"]

    assert [usage.get(name) for name in ("prompt_tokens", "input_tokens") if name in usage] == [-1]
    assert [usage.get(name) for name in ("completion_tokens", "output_tokens") if name in usage] == ["many"]
    assert "5" in json.dumps(usage)
    assert usage.get("total_tokens") is None


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, "authentication_error"), (429, "rate_limit_error"), (529, "overloaded_error"), (500, "api_error")],
)
def test_errors_are_worded_as_each_protocol_does(status: int, kind: str) -> None:
    assert error_body(ANTHROPIC_PATH, status, "No.")["error"] == {"type": kind, "message": "No."}
    for path in (OPENAI_PATH, RESPONSES_PATH):
        assert error_body(path, status, "No.")["error"]["message"] == "No."
