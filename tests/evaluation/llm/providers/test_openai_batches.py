"""OpenAI's batch API with the real client over HTTP."""

from __future__ import annotations

import json

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import BatchProgress, ChatReply
from evaluation.llm.providers.openai_batches import OpenAIBatches, of_chat, of_responses
from tests.evaluation.llm.builders import chat_request, judge

KEY = "key-1234567"


@pytest.fixture(params=["openai_chat", "openai_responses"])
def batches(request: pytest.FixtureRequest, server: LocalServer) -> OpenAIBatches:
    make = of_chat if request.param == "openai_chat" else of_responses
    return make(judge(request.param, server.openai_url), KEY)


def _slow(seconds: float) -> LocalServer:
    return LocalServer(behaviour=Behaviour(batch_seconds=seconds))


def _by_id(batches: OpenAIBatches, name: str) -> dict[str, ChatReply | LLMError]:
    return dict(batches.results(name))


def test_it_brings_back_each_reply_under_its_own_id(batches: OpenAIBatches, server: LocalServer) -> None:
    server.script_batched(Step(answer={"colour": "blue"}), Step(answer={"colour": "red"}))

    name = batches.submit({"17": chat_request(), "18": chat_request()}, "t1")

    assert batches.progress(name) == BatchProgress(is_ended=True, n_done=2, n_failed=0)
    replies = _by_id(batches, name)
    texts = {each: json.loads(reply.text) for each, reply in replies.items() if isinstance(reply, ChatReply)}
    assert texts == {"17": {"colour": "blue"}, "18": {"colour": "red"}}
    assert all(isinstance(each, ChatReply) and each.usage.output_tokens > 0 for each in replies.values())


def test_batch_is_found_by_its_token(batches: OpenAIBatches) -> None:
    name = batches.submit({"17": chat_request()}, "t1")
    batches.submit({"18": chat_request()}, "t2")

    assert batches.find("t1") == name
    assert batches.find("t3") is None


def test_batch_is_found_on_a_later_page(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.llm.providers.openai_batches._PAGE", 2)
    batches = of_chat(judge("openai_chat", server.openai_url), KEY)

    names = [batches.submit({"1": chat_request()}, f"t{number}") for number in range(5)]

    assert batches.find("t0") == names[0]


def test_failed_requests_are_classified_one_by_one(batches: OpenAIBatches, server: LocalServer) -> None:
    server.script_batched(
        Step(status=400, message="prompt is too long: 9 tokens"),
        Step(did="expired"),
        Step(text="I will not.", finish="refused"),
        Step(text='{"colour": "bl', finish="length"),
        Step(status=500),
    )

    name = batches.submit({str(number): chat_request() for number in range(5)}, "t1")

    said = {
        each: reply.reason if isinstance(reply, LLMError) else reply.finish_reason
        for each, reply in _by_id(batches, name).items()
    }
    assert said == {"0": "context_length", "1": "timeout", "2": "refused", "3": "length", "4": "server"}
    assert batches.progress(name) == BatchProgress(is_ended=True, n_done=2, n_failed=3)


def test_unfinished_batch_says_how_far_it_is_and_can_be_cancelled() -> None:
    with _slow(3_600) as server:
        batches = of_chat(judge("openai_chat", server.openai_url), KEY)
        name = batches.submit({"17": chat_request()}, "t1")

        before = batches.progress(name)
        batches.cancel(name)
        after = batches.progress(name)
        results = _by_id(batches, name)

    assert (before.is_ended, after.is_ended) == (False, True)
    assert results == {}


def test_file_that_the_server_cannot_use_is_said(server: LocalServer) -> None:
    batches = of_chat(judge("openai_chat", server.openai_url), KEY)
    server.script(Step(raw=b'{"id": "file-1"}'), path="/v1/files")
    refused = {"id": "batch_1", "status": "failed", "errors": {"data": [{"message": f"Line 1 holds {KEY}."}]}}
    server.script(
        Step(raw=json.dumps({"id": "batch_1"}).encode()), Step(raw=json.dumps(refused).encode()), path="/v1/batches"
    )

    progress = batches.progress(batches.submit({"17": chat_request()}, "t1"))

    assert progress.is_ended
    assert progress.error.endswith("Line 1 holds ***.")


def test_reply_that_is_none_is_an_error_of_its_request_alone(server: LocalServer) -> None:
    batches = of_chat(judge("openai_chat", server.openai_url), KEY)
    lines = [
        {"custom_id": "1", "response": {"status_code": 200, "body": {}}},
        {"custom_id": "2", "response": None, "error": None},
        {"custom_id": "3", "response": {"status_code": "odd", "body": []}},
    ]
    server.script(Step(raw=json.dumps({"output_file_id": "f"}).encode()), path="/v1/batches")
    server.script(Step(raw="\n".join(map(json.dumps, lines)).encode()), path="/v1/files")

    results = _by_id(batches, "b")

    assert [type(each) for each in results.values()] == [LLMError] * 3


@pytest.mark.parametrize("status", [401, 404, 429])
def test_refused_upload_is_classified(batches: OpenAIBatches, server: LocalServer, status: int) -> None:
    server.script(Step(status=status), path="/v1/files")

    with pytest.raises(LLMError, match=f"status {status}"):
        batches.submit({"17": chat_request()}, "t1")


def test_answer_without_an_id_is_no_batch(batches: OpenAIBatches, server: LocalServer) -> None:
    server.script(Step(raw=b"{}"), path="/v1/batches")

    with pytest.raises(LLMError, match="no reply of its protocol") as caught:
        batches.submit({"17": chat_request()}, "t1")

    assert caught.value.may_be_billed
