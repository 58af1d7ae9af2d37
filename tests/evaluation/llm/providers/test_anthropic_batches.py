"""Anthropic's message batches with the real client over HTTP."""

from __future__ import annotations

import json

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import BatchProgress, ChatReply
from evaluation.llm.providers.anthropic_batches import AnthropicBatches
from tests.evaluation.llm.builders import SCHEMA, chat_request, judge

KEY = "key-1234567"


@pytest.fixture
def batches(server: LocalServer) -> AnthropicBatches:
    return AnthropicBatches(judge("anthropic_messages", server.url), KEY)


def test_it_brings_back_each_reply_under_its_own_id(batches: AnthropicBatches, server: LocalServer) -> None:
    server.script_batched(Step(answer={"colour": "blue"}), Step(answer={"colour": "red"}))

    name = batches.submit({"17": chat_request(), "18": chat_request()}, "t1")

    assert batches.progress(name) == BatchProgress(is_ended=True, n_done=2, n_failed=0)
    replies = dict(batches.results(name))
    parsed = {each: reply.parsed for each, reply in replies.items() if isinstance(reply, ChatReply)}
    assert parsed == {"17": {"colour": "blue"}, "18": {"colour": "red"}}


def test_requests_go_out_as_single_ones_do(batches: AnthropicBatches, server: LocalServer) -> None:
    batches.submit({"17": chat_request(max_tokens=77)}, "t1")

    (row,) = server.received[0].body["requests"]
    assert (row["custom_id"], row["params"]["max_tokens"]) == ("17", 77)
    assert row["params"]["tools"][0]["input_schema"] == SCHEMA


def test_provider_cannot_say_which_batch_has_a_token(batches: AnthropicBatches) -> None:
    batches.submit({"17": chat_request()}, "t1")

    assert batches.find("t1") is None


def test_failed_requests_are_classified_one_by_one(batches: AnthropicBatches, server: LocalServer) -> None:
    server.script_batched(
        Step(status=400, message="prompt is too long: 9 tokens"),
        Step(did="expired"),
        Step(text="I will not.", finish="refused"),
        Step(answer={"colour": "bl"}, finish="length"),
        Step(status=529),
        Step(status=401, message=f"Key {KEY} is unknown."),
    )

    name = batches.submit({str(number): chat_request() for number in range(6)}, "t1")

    results = dict(batches.results(name))
    said = {
        each: reply.reason if isinstance(reply, LLMError) else reply.finish_reason for each, reply in results.items()
    }
    assert said == {
        "0": "context_length",
        "1": "timeout",
        "2": "refused",
        "3": "length",
        "4": "server",
        "5": "auth",
    }
    assert KEY not in str(results["5"])


def test_unfinished_batch_says_how_far_it_is_and_can_be_cancelled() -> None:
    with LocalServer(behaviour=Behaviour(batch_seconds=3_600)) as server:
        batches = AnthropicBatches(judge("anthropic_messages", server.url), KEY)
        name = batches.submit({"17": chat_request()}, "t1")

        before = batches.progress(name)
        batches.cancel(name)
        after = batches.progress(name)
        results = dict(batches.results(name))

    assert (before.is_ended, after.is_ended) == (False, True)
    assert isinstance(results["17"], LLMError)
    assert results["17"].retryable


def test_answer_without_an_id_is_no_batch(batches: AnthropicBatches, server: LocalServer) -> None:
    server.script(Step(raw=b"{}"), path="/v1/messages/batches")

    with pytest.raises(LLMError, match="no reply of its protocol"):
        batches.submit({"17": chat_request()}, "t1")


def test_odd_result_is_an_error_of_its_request_alone(batches: AnthropicBatches, server: LocalServer) -> None:
    rows = [{"custom_id": "1", "result": {"type": "succeeded", "message": {}}}, {"custom_id": "2", "result": None}]
    server.script(Step(raw="\n".join(map(json.dumps, rows)).encode()), path="/v1/messages/batches")

    results = dict(batches.results("b"))

    assert [type(each) for each in results.values()] == [LLMError] * 2
