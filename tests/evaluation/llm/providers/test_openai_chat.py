"""What goes over the wire to a server of the OpenAI protocol."""

from __future__ import annotations

import json

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.local_server.script import Received, Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import ChatReply, ChatRequest, ImagePart, JsonObject, Message, TextPart
from evaluation.llm.providers.openai_chat import OpenAIChat
from evaluation.schemas import JudgeSettings, Usage
from tests.evaluation.llm.builders import SCHEMA, chat_request, judge, pair_subject


def _exchange(step: Step, request: ChatRequest, **parameters: float | int | str) -> tuple[Received, ChatReply]:
    with LocalServer([step]) as server:
        reply = OpenAIChat(judge("openai_chat", server.openai_url, **parameters), "key-1234").complete(request)
    return server.received[0], reply


def _completion(message: JsonObject, **fields: object) -> Step:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    return Step(raw=json.dumps({"model": "m", "choices": [choice], **fields}).encode())


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
def test_schema_is_told_in_words_where_it_is_not_sent(way: str, sent: dict[str, str] | None) -> None:
    received, _ = _exchange(Step(text="{}"), chat_request(), structured=way)

    assert received.body.get("response_format") == sent
    question = received.body["messages"][-1]["content"]
    assert question.startswith("Which colour?\n\n")
    assert question.endswith(json.dumps(SCHEMA))


def test_openai_itself_gets_its_own_names_and_a_hint_for_its_cache() -> None:
    model = OpenAIChat(JudgeSettings("A", "openai_chat", "m"), "key-1234")

    first, second = (model.body(chat_request(max_tokens=77, subject=pair_subject())) for _ in range(2))
    other = model.body(chat_request(messages=(Message("system", (TextPart("Be long."),)),)))

    assert first["max_completion_tokens"] == 77
    assert "max_tokens" not in first
    assert first["prompt_cache_key"] == second["prompt_cache_key"] != other["prompt_cache_key"]
    assert len(first["prompt_cache_key"]) <= 64


def test_gateway_that_knows_only_the_new_name_of_the_limit_gets_it_the_next_time() -> None:
    said = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    with LocalServer([Step(status=400, message=said)]) as server:
        model = OpenAIChat(judge("openai_chat", server.openai_url), "key-1234")

        with pytest.raises(LLMError) as caught:
            model.complete(chat_request(max_tokens=77))
        model.complete(chat_request(max_tokens=77))

    assert (caught.value.retryable, caught.value.stops_judge) == (True, False)
    assert server.received[1].body["max_completion_tokens"] == 77
    assert "max_tokens" not in server.received[1].body


def test_error_told_with_status_200_is_an_error() -> None:
    body = {"error": {"message": "Upstream is busy.", "code": 429}}

    with pytest.raises(LLMError, match="Upstream is busy") as caught:
        _exchange(Step(raw=json.dumps(body).encode()), chat_request())

    assert (caught.value.reason, caught.value.retryable) == ("rate_limit", True)


def test_content_in_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "bl"}, {"type": "text", "text": "ue"}]

    _, reply = _exchange(_completion({"content": parts}), chat_request())

    assert reply.text == "bl\nue"


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}, Usage(9, 4)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 33}, Usage(9, 24)),
        ({"prompt_tokens": 9, "completion_tokens": 4}, Usage(9, 4)),
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 4,
                "prompt_tokens_details": {"cached_tokens": 5, "cache_write_tokens": 3},
            },
            Usage(9, 4, 5, 3),
        ),
        (None, Usage()),
        ("free", Usage()),
    ],
)
def test_tokens_are_read_with_what_was_cached_and_what_was_thought(usage: object, read: Usage) -> None:
    _, reply = _exchange(_completion({"content": "blue"}, usage=usage), chat_request())

    assert (reply.text, reply.usage) == ("blue", read)


def test_image_is_sent_as_data() -> None:
    parts = (TextPart("What is this?"), ImagePart("aGk=", "image/png"))

    received, _ = _exchange(Step(text="a chart"), chat_request(messages=(Message("user", parts),), schema=None))

    assert received.body["messages"][0]["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
    ]


def test_filtered_content_is_a_refusal() -> None:
    _, reply = _exchange(Step(text="", finish="content_filter"), chat_request())

    assert reply.finish_reason == "refused"
