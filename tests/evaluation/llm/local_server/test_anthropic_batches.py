"""Batches as Anthropic's own library sees them."""

from __future__ import annotations

import anthropic
import httpx
import pytest
from anthropic.types import MessageParam, TextBlock
from anthropic.types.messages.batch_create_params import Request

from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer


def client(server: LocalServer) -> anthropic.Anthropic:
    return anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=0)


def requests(*ids: str) -> list[Request]:
    message: MessageParam = {"role": "user", "content": "Which colour?"}
    return [
        Request(custom_id=custom_id, params={"model": "m", "max_tokens": 9, "messages": [message]}) for custom_id in ids
    ]


def test_results_say_of_each_request_what_came_of_it(server: LocalServer) -> None:
    server.script_batched(Step(text="blue"), Step(status=529, message="Busy."), Step(did="expired"))
    api = client(server).messages.batches

    made = api.create(requests=requests("a", "b", "c"))
    ended = api.retrieve(made.id)
    results = {row.custom_id: row.result for row in api.results(made.id)}

    assert (ended.processing_status, ended.request_counts.processing) == ("ended", 0)
    assert (ended.request_counts.succeeded, ended.request_counts.errored, ended.request_counts.expired) == (1, 1, 1)
    assert results["a"].type == "succeeded"
    assert results["a"].message.content == [TextBlock(type="text", text="blue")]
    assert results["b"].type == "errored"
    assert results["b"].error.error.type == "overloaded_error"
    assert results["c"].type == "expired"


def test_one_that_takes_its_time_has_no_results_yet_and_can_be_cancelled() -> None:
    with LocalServer(behaviour=Behaviour(batch_seconds=3_600)) as server:
        api = client(server).messages.batches
        made = api.create(requests=requests("a", "b"))
        early = httpx.get(f"{server.url}/v1/messages/batches/{made.id}/results")
        cancelled = api.cancel(made.id)
        results = [row.result.type for row in api.results(made.id)]

    assert (made.processing_status, made.results_url, early.status_code) == ("in_progress", None, 404)
    assert cancelled.cancel_initiated_at is not None
    assert results == ["canceled", "canceled"]


@pytest.mark.parametrize("ids", [(), ("a", "a"), ("not ok",), ("x" * 65,)])
def test_one_bad_id_refuses_the_whole(server: LocalServer, ids: tuple[str, ...]) -> None:
    with pytest.raises(anthropic.BadRequestError, match="custom_id of their own"):
        client(server).messages.batches.create(requests=requests(*ids))


def test_batches_are_listed_and_deleted(server: LocalServer) -> None:
    api = client(server).messages.batches
    names = [api.create(requests=requests("a")).id for _ in range(3)]

    api.delete(names[1])

    assert [batch.id for batch in api.list(limit=1)] == [names[2], names[0]]
    with pytest.raises(anthropic.NotFoundError, match="is unknown"):
        api.retrieve(names[1])
