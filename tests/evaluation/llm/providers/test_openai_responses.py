"""What goes over the wire to a server of OpenAI's responses protocol."""

from __future__ import annotations

import json

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.local_server.script import Received, Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import ChatReply, ChatRequest, ImagePart, JsonObject, Message, TextPart
from evaluation.llm.providers.openai_responses import OpenAIResponses
from evaluation.schemas import JudgeSettings, Usage
from tests.evaluation.llm.builders import SCHEMA, chat_request, judge


def _exchange(step: Step, request: ChatRequest, **parameters: float | int | str) -> tuple[Received, ChatReply]:
    with LocalServer([step]) as server:
        reply = OpenAIResponses(judge("openai_responses", server.openai_url, **parameters), "key-1234").complete(
            request
        )
    return server.received[0], reply


def _response(*content: JsonObject, **fields: object) -> Step:
    output = [{"type": "reasoning", "summary": []}, {"type": "message", "role": "assistant", "content": list(content)}]
    return Step(raw=json.dumps({"model": "m", "status": "completed", "output": output, **fields}).encode())


def test_it_sends_key_messages_schema_and_parameters() -> None:
    received, reply = _exchange(
        Step(answer={"colour": "blue"}), chat_request(max_tokens=77, parameters={"temperature": 0.5})
    )

    assert received.path == "/v1/responses"
    assert received.headers["authorization"] == "Bearer key-1234"
    assert received.body == {
        "model": "test-model",
        "max_output_tokens": 77,
        "store": False,
        "instructions": "Be brief.",
        "input": [{"role": "user", "content": [{"type": "input_text", "text": "Which colour?"}]}],
        "temperature": 0.5,
        "text": {"format": {"type": "json_schema", "name": "colour", "schema": SCHEMA, "strict": True}},
    }
    assert json.loads(reply.text) == {"colour": "blue"}


def test_flat_parameters_go_where_the_protocol_has_them() -> None:
    received, _ = _exchange(
        Step(answer={"colour": "blue"}), chat_request(parameters={"reasoning_effort": "low", "verbosity": "low"})
    )

    assert received.body["reasoning"] == {"effort": "low"}
    assert received.body["text"]["verbosity"] == "low"
    assert received.body["text"]["format"]["type"] == "json_schema"


@pytest.mark.parametrize(("way", "sent"), [("json_object", {"format": {"type": "json_object"}}), ("off", None)])
def test_schema_is_told_in_words_where_it_is_not_sent(way: str, sent: JsonObject | None) -> None:
    received, _ = _exchange(Step(text="{}"), chat_request(), structured=way)

    assert received.body.get("text") == sent
    assert json.dumps(SCHEMA) in received.body["input"][-1]["content"][-1]["text"]


def test_earlier_answer_and_image_are_sent_as_their_kinds() -> None:
    messages = (
        Message("user", (TextPart("What is this?"), ImagePart("aGk=", "image/png"))),
        Message("assistant", (TextPart("A chart."),)),
        Message("user", (TextPart("Of what?"),)),
    )

    received, _ = _exchange(Step(text="rain"), chat_request(messages=messages, schema=None))

    assert [turn["content"] for turn in received.body["input"]] == [
        [
            {"type": "input_text", "text": "What is this?"},
            {"type": "input_image", "image_url": "data:image/png;base64,aGk="},
        ],
        [{"type": "output_text", "text": "A chart."}],
        [{"type": "input_text", "text": "Of what?"}],
    ]


def test_openai_itself_gets_a_hint_for_its_cache() -> None:
    body = OpenAIResponses(JudgeSettings("A", "openai_responses", "m"), "key-1234").body(chat_request())

    assert len(body["prompt_cache_key"]) == 32


@pytest.mark.parametrize(
    ("reason", "finish"),
    [("max_output_tokens", "length"), ("content_filter", "refused"), ("steered", "steered"), (None, "stop")],
)
def test_incomplete_response_says_why(reason: str | None, finish: str) -> None:
    step = _response({"type": "output_text", "text": "bl"}, incomplete_details={"reason": reason})

    _, reply = _exchange(step, chat_request())

    assert (reply.text, reply.finish_reason) == ("bl", finish)


def test_refusal_stands_for_the_reply() -> None:
    _, reply = _exchange(_response({"type": "refusal", "refusal": "I will not."}), chat_request())

    assert (reply.text, reply.finish_reason) == ("I will not.", "refused")


def test_tokens_are_read_with_what_was_cached() -> None:
    details = {"cached_tokens": 5, "cache_write_tokens": 3}
    usage = {"input_tokens": 9, "output_tokens": 4, "input_tokens_details": details}

    _, reply = _exchange(_response({"type": "output_text", "text": "blue"}, usage=usage), chat_request())

    assert reply.usage == Usage(9, 4, 5, 3)


@pytest.mark.parametrize(
    ("code", "reason", "is_retryable"),
    [("server_error", "server", True), ("rate_limit_exceeded", "rate_limit", True), ("invalid_image", "config", False)],
)
def test_failed_response_is_an_error(code: str, reason: str, is_retryable: bool) -> None:
    step = _response(status="failed", error={"code": code, "message": "It did not work."})

    with pytest.raises(LLMError, match="It did not work") as caught:
        _exchange(step, chat_request())

    assert (caught.value.reason, caught.value.retryable) == (reason, is_retryable)
