"""OpenAI's batch API: requests go out as a file of lines and come back as files, within a day at half the price."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from evaluation.llm.errors import LLMError
from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.protocol import BatchProgress, ChatReply, ChatRequest, JsonObject
from evaluation.llm.providers import openai_client
from evaluation.llm.providers.batch_ids import TRANSFER_SECONDS, checked, path_step
from evaluation.llm.providers.json_reading import inner, items, words
from evaluation.llm.providers.openai_chat import OpenAIChat
from evaluation.llm.providers.openai_responses import OpenAIResponses
from evaluation.llm.providers.sender import JsonReply, problem_in
from evaluation.llm.providers.status import undone, unreadable
from evaluation.llm.storable import storable_count
from evaluation.schemas import JudgeSettings

MARK = "juryflow"
_PAGES = 10
_PAGE = 100
_ENDED = ("completed", "expired", "cancelled")


class _Single(Protocol):
    """What a provider offers besides `complete`: how it writes a request and reads a reply."""

    path: str

    def body(self, request: ChatRequest) -> JsonObject: ...

    def reply(self, heard: JsonReply) -> ChatReply: ...


class OpenAIBatches:
    """Hands requests of one judge to the batch API of its server, through either protocol."""

    def __init__(self, single: _Single, settings: JudgeSettings, api_key: str | None) -> None:
        own = OwnParameters.of(settings, structured=openai_client.STRUCTURED)
        own = replace(own, timeout=max(own.timeout, TRANSFER_SECONDS))
        self._single = single
        self._sender = openai_client.sender(settings, api_key, own)

    def submit(self, requests: Mapping[str, ChatRequest], token: str) -> str:
        """Upload the requests and start a batch that carries the token; raises LLMError, classified."""
        endpoint = f"/v1{self._single.path}"
        lines = (
            {"custom_id": checked(each), "method": "POST", "url": endpoint, "body": self._single.body(request)}
            for each, request in requests.items()
        )
        content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        file = self._sender.upload("/files", {"purpose": "batch"}, f"{token}.jsonl", content)
        order: JsonObject = {"input_file_id": self._id(file), "endpoint": endpoint, "completion_window": "24h"}
        return self._id(self._sender.post("/batches", {**order, "metadata": {MARK: token}}))

    def find(self, token: str) -> str | None:
        """Return the batch among the newest thousand that carries the token; raises LLMError, classified."""
        after = ""
        for _ in range(_PAGES):
            page = self._sender.get(f"/batches?limit={_PAGE}{after}").said
            batches = items(page.get("data"))
            for batch in batches:
                if words(inner(batch.get("metadata")).get(MARK)) == token:
                    return words(batch.get("id")) or None
            if not batches or not page.get("has_more"):
                return None
            after = f"&after={path_step(words(batches[-1].get('id')))}"
        return None

    def progress(self, batch_id: str) -> BatchProgress:
        """Return how far a batch is; raises LLMError, classified."""
        batch = self._batch(batch_id)
        counts = inner(batch.get("request_counts"))
        done, failed = (storable_count(counts.get(name)) for name in ("completed", "failed"))
        if batch.get("status") != "failed":
            return BatchProgress(batch.get("status") in _ENDED, done, failed)
        problems = [words(each.get("message")) for each in items(inner(batch.get("errors")).get("data"))]
        error = self._sender.failure(400, " ".join(problems) or "The batch failed and no reason was given.")
        return BatchProgress(is_ended=True, n_done=done, n_failed=failed, error=str(error))

    def results(self, batch_id: str) -> Iterator[tuple[str, ChatReply | LLMError]]:
        """Yield what came of each request, in no order; raises LLMError, classified."""
        batch = self._batch(batch_id)
        for name in ("output_file_id", "error_file_id"):
            if file := words(batch.get(name)):
                for line in self._sender.lines(f"/files/{path_step(file)}/content"):
                    yield words(line.get("custom_id")), self._result(line)

    def cancel(self, batch_id: str) -> None:
        """Ask the server to stop a batch; raises LLMError, classified."""
        self._sender.post(f"/batches/{path_step(batch_id)}/cancel", {})

    def _batch(self, batch_id: str) -> JsonObject:
        return self._sender.get(f"/batches/{path_step(batch_id)}").said

    def _id(self, heard: JsonReply) -> str:
        if not (found := words(heard.said.get("id"))):
            raise unreadable(self._sender.who)
        return found

    def _result(self, line: JsonObject) -> ChatReply | LLMError:
        response = inner(line.get("response"))
        if not response:
            error = inner(line.get("error"))
            return undone(self._sender.who, words(error.get("code")) or "no reason given")
        body = inner(response.get("body"))
        if response.get("status_code") != 200:
            return self._sender.failure(storable_count(response.get("status_code")) or 500, problem_in(body))
        try:
            return self._single.reply(JsonReply(body))
        except LLMError as error:
            return error


def of_chat(settings: JudgeSettings, api_key: str | None) -> OpenAIBatches:
    """Return the batch API for judges of `openai_chat`."""
    return OpenAIBatches(OpenAIChat(settings, api_key), settings, api_key)


def of_responses(settings: JudgeSettings, api_key: str | None) -> OpenAIBatches:
    """Return the batch API for judges of `openai_responses`."""
    return OpenAIBatches(OpenAIResponses(settings, api_key), settings, api_key)
