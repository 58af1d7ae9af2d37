"""What goes over the wire to a server of the OpenAI protocol."""

from __future__ import annotations

import json

import pytest

from evaluation.llm.local_server.script import Received, Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import ChatReply, ChatRequest, ImagePart, JsonObject, Message, TextPart
from evaluation.llm.providers.openai_chat import OpenAIChat
from tests.evaluation.llm.builders import SCHEMA, chat_request, judge


def _exchange(step: Step, request: ChatRequest, **parameters: float | int | str) -> tuple[Received, ChatReply]:
    with LocalServer([step]) as server:
        reply = OpenAIChat(judge("openai_chat", server.openai_url, **parameters), "key-1234").complete(request)
    return server.received[0], reply


def test_it_sends_key_messages_schema_and_parameters() -> None:
    received, _ = _exchange(Step(), chat_request(max_tokens=77, parameters={"temperature": 0.5, "top_k": 3}))

    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == "Bearer key-1234"
    assert received.body == {
        "model": "test-model",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Which colour?"}],
        "max_tokens": 77,
        "temperature": 0.5,
        "top_k": 3,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "colour", "schema": SCHEMA, "strict": True},
        },
    }


@pytest.mark.parametrize(("way", "sent"), [("json_object", {"type": "json_object"}), ("off", None)])
def test_schema_can_be_asked_for_in_other_ways(way: str, sent: dict[str, str] | None) -> None:
    received, _ = _exchange(Step(text="{}"), chat_request(), structured=way)

    assert received.body.get("response_format") == sent


def test_image_is_sent_as_data() -> None:
    parts = (TextPart("What is this?"), ImagePart("aGk=", "image/png"))

    received, _ = _exchange(Step(text="a chart"), chat_request(messages=(Message("user", parts),), schema=None))

    assert received.body["messages"][0]["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
    ]


def test_reply_without_usage_counts_no_tokens() -> None:
    message = {"role": "assistant", "content": "blue"}
    body: JsonObject = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
    body |= {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}

    _, reply = _exchange(Step(raw=json.dumps(body).encode()), chat_request())

    assert (reply.text, reply.usage.input_tokens, reply.usage.output_tokens) == ("blue", 0, 0)


def test_filtered_content_is_a_refusal() -> None:
    _, reply = _exchange(Step(text="", finish="content_filter"), chat_request())

    assert reply.finish_reason == "refused"
