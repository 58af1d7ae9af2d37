"""Requests read and replies written in the two protocols."""

from __future__ import annotations

import json

import pytest

from evaluation.llm.local_server.protocols import (
    ANTHROPIC_PATH,
    OPENAI_PATH,
    anthropic_reply,
    error_body,
    openai_reply,
    prompt_text,
)
from evaluation.llm.local_server.script import Step
from tests.evaluation.llm.builders import SCHEMA

BLUE = {"colour": "blue"}
TOOL = {"name": "colour", "input_schema": SCHEMA}
MESSAGES = [{"role": "user", "content": "Which colour?"}]


def test_every_text_of_a_request_is_read_whatever_the_protocol() -> None:
    body = {
        "system": [{"type": "text", "text": "Be brief."}],
        "messages": [
            {"role": "user", "content": "One."},
            {"role": "user", "content": [{"type": "text", "text": "Two."}, {"type": "image", "source": {}}]},
            {"role": "assistant", "content": None},
        ],
    }

    assert prompt_text(body).split() == ["Be", "brief.", "One.", "Two."]


def test_openai_puts_a_structured_answer_into_the_text() -> None:
    reply = openai_reply({"model": "m", "messages": MESSAGES}, Step(answer=BLUE))

    choice = reply["choices"][0]
    assert json.loads(choice["message"]["content"]) == BLUE
    assert (choice["finish_reason"], reply["model"]) == ("stop", "m")


def test_openai_tells_a_refusal_in_its_own_field() -> None:
    reply = openai_reply({"messages": MESSAGES}, Step(text="I will not.", finish="refused"))

    choice = reply["choices"][0]
    assert choice["message"] == {"role": "assistant", "content": None, "refusal": "I will not."}
    assert choice["finish_reason"] == "stop"


def test_anthropic_puts_a_structured_answer_into_the_tool_that_is_forced() -> None:
    reply = anthropic_reply({"messages": MESSAGES, "tools": [TOOL]}, Step(answer=BLUE))

    assert [(part["type"], part.get("name"), part.get("input")) for part in reply["content"]] == [
        ("tool_use", "colour", BLUE)
    ]
    assert reply["stop_reason"] == "tool_use"


def test_anthropic_without_a_tool_answers_in_text() -> None:
    reply = anthropic_reply({"messages": MESSAGES}, Step(answer=BLUE))

    assert json.loads(reply["content"][0]["text"]) == BLUE
    assert reply["stop_reason"] == "end_turn"


@pytest.mark.parametrize(
    ("finish", "of_openai", "of_anthropic"),
    [("stop", "stop", "end_turn"), ("length", "length", "max_tokens"), ("refused", "stop", "refusal")],
)
def test_each_protocol_has_its_own_word_for_the_end(finish: str, of_openai: str, of_anthropic: str) -> None:
    body, step = {"messages": MESSAGES, "tools": [TOOL]}, Step(text="x", finish=finish)

    assert openai_reply(body, step)["choices"][0]["finish_reason"] == of_openai
    assert anthropic_reply(body, step)["stop_reason"] == of_anthropic


def test_a_cut_tool_call_is_still_told_as_cut() -> None:
    reply = anthropic_reply({"messages": MESSAGES, "tools": [TOOL]}, Step(answer=BLUE, finish="length"))

    assert reply["stop_reason"] == "max_tokens"


def test_tokens_are_counted_from_the_texts() -> None:
    reply = openai_reply({"messages": [{"role": "user", "content": "x" * 41}]}, Step(text="y" * 8))

    usage = reply["usage"]
    assert usage["completion_tokens"] == 2
    assert usage["prompt_tokens"] >= 11
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, "authentication_error"), (429, "rate_limit_error"), (529, "overloaded_error"), (500, "api_error")],
)
def test_errors_are_worded_as_each_protocol_does(status: int, kind: str) -> None:
    assert error_body(ANTHROPIC_PATH, status, "No.")["error"] == {"type": kind, "message": "No."}
    assert error_body(OPENAI_PATH, status, "No.")["error"]["message"] == "No."
