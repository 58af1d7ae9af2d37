"""What goes over the wire to a server of the Anthropic protocol."""

from __future__ import annotations

import json

from evaluation.llm.local_server.script import Received, Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import ChatReply, ChatRequest, ImagePart, JsonObject, Message, TextPart
from evaluation.llm.providers.anthropic_messages import AnthropicMessages
from evaluation.schemas import Usage
from tests.evaluation.llm.builders import SCHEMA, chat_request, judge


def _exchange(step: Step, request: ChatRequest, **parameters: float | int | str) -> tuple[Received, ChatReply]:
    with LocalServer([step]) as server:
        model = AnthropicMessages(judge("anthropic_messages", server.url, **parameters), "key-1234")
        reply = model.complete(request)
    return server.received[0], reply


def test_it_sends_key_turns_and_the_schema_as_a_forced_tool() -> None:
    received, reply = _exchange(
        Step(answer={"colour": "blue"}), chat_request(max_tokens=77, parameters={"temperature": 0.5})
    )

    assert received.path == "/v1/messages"
    assert received.headers["authorization"] == "Bearer key-1234"
    assert received.body == {
        "model": "test-model",
        "max_tokens": 77,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Which colour?"}]}],
        "temperature": 0.5,
        "tools": [{"name": "colour", "description": "Gives the answer.", "input_schema": SCHEMA}],
        "tool_choice": {"type": "tool", "name": "colour", "disable_parallel_tool_use": True},
    }
    assert (reply.parsed, reply.text) == ({"colour": "blue"}, '{"colour": "blue"}')


def test_schema_can_be_asked_for_as_output_format() -> None:
    received, reply = _exchange(Step(answer={"colour": "blue"}), chat_request(), structured="json_schema")

    assert received.body["output_config"] == {"format": {"type": "json_schema", "schema": SCHEMA}}
    assert "tools" not in received.body
    assert (reply.parsed, reply.text) == (None, '{"colour": "blue"}')


def test_image_is_sent_as_data() -> None:
    parts = (TextPart("What is this?"), ImagePart("aGk=", "image/png"))

    received, _ = _exchange(Step(text="a chart"), chat_request(messages=(Message("user", parts),), schema=None))

    assert received.body["messages"][0]["content"][1] == {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "aGk="},
    }


def test_tokens_written_to_and_read_from_the_cache_are_input_tokens() -> None:
    usage = {"input_tokens": 5, "cache_creation_input_tokens": 7, "cache_read_input_tokens": 11, "output_tokens": 3}
    body: JsonObject = {"id": "1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn"}
    body |= {"content": [{"type": "text", "text": "blue"}], "usage": usage}

    _, reply = _exchange(Step(raw=json.dumps(body).encode()), chat_request())

    assert reply.usage == Usage(input_tokens=23, output_tokens=3, cached_tokens=11, written_tokens=7)


def test_full_context_window_is_a_cut_reply() -> None:
    _, reply = _exchange(Step(text="half", finish="model_context_window_exceeded"), chat_request())

    assert reply.finish_reason == "length"


def test_long_system_text_is_marked_for_the_cache_and_reads_the_same() -> None:
    long = "Judge with care. " * 300
    messages = (Message("system", (TextPart(long),)), Message("user", (TextPart("Which colour?"),)))

    received, _ = _exchange(Step(answer={"colour": "blue"}), chat_request(messages=messages))

    assert received.body["system"] == [{"type": "text", "text": long, "cache_control": {"type": "ephemeral"}}]
    assert "cache_control" not in str(received.body["messages"])


def test_schema_is_told_in_words_to_a_plain_server() -> None:
    received, reply = _exchange(Step(text="blue"), chat_request(), structured="off")

    first, *_, last = received.body["messages"][-1]["content"]
    assert not {"tools", "output_config"} & set(received.body)
    assert first["text"] == "Which colour?"
    assert json.dumps(SCHEMA) in last["text"]
    assert (reply.parsed, reply.text) == (None, "blue")
