"""Anthropic's message batches: requests go out in one body and come back as lines, within a day at half the price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from evaluation.llm.errors import LLMError
from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.protocol import BatchProgress, ChatReply, ChatRequest, JsonObject
from evaluation.llm.providers.anthropic_messages import STRUCTURED, AnthropicMessages, sender
from evaluation.llm.providers.batch_ids import TRANSFER_SECONDS, checked, path_step
from evaluation.llm.providers.json_reading import inner, words
from evaluation.llm.providers.sender import JsonReply, problem_in
from evaluation.llm.providers.status import undone, unreadable
from evaluation.llm.storable import storable_count
from evaluation.schemas import JudgeSettings

PATH = f"{AnthropicMessages.path}/batches"
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}


class AnthropicBatches:
    """Hands requests of one judge to the batch API of its server."""

    def __init__(self, settings: JudgeSettings, api_key: str | None) -> None:
        own = OwnParameters.of(settings, structured=STRUCTURED)
        own = replace(own, timeout=max(own.timeout, TRANSFER_SECONDS))
        self._single = AnthropicMessages(settings, api_key)
        self._sender = sender(settings, api_key, own)

    def submit(self, requests: Mapping[str, ChatRequest], token: str) -> str:  # noqa: ARG002  (nothing carries it)
        """Start a batch; the API has no place for the token. Raises LLMError, classified."""
        rows = [{"custom_id": checked(each), "params": self._single.body(asked)} for each, asked in requests.items()]
        found = words(self._sender.post(PATH, {"requests": rows}).said.get("id"))
        if not found:
            raise unreadable(self._sender.who)
        return found

    def find(self, token: str) -> str | None:  # noqa: ARG002  (nothing carries it)
        """Return None: the API cannot say."""
        return None

    def progress(self, batch_id: str) -> BatchProgress:
        """Return how far a batch is; raises LLMError, classified."""
        batch = self._sender.get(f"{PATH}/{path_step(batch_id)}").said
        counts = inner(batch.get("request_counts"))
        done, *failed = (storable_count(counts.get(name)) for name in ("succeeded", "errored", "canceled", "expired"))
        return BatchProgress(batch.get("processing_status") == "ended", done, sum(failed))

    def results(self, batch_id: str) -> Iterator[tuple[str, ChatReply | LLMError]]:
        """Yield what came of each request, in no order; raises LLMError, classified."""
        for line in self._sender.lines(f"{PATH}/{path_step(batch_id)}/results"):
            yield words(line.get("custom_id")), self._result(inner(line.get("result")))

    def cancel(self, batch_id: str) -> None:
        """Ask the server to stop a batch; raises LLMError, classified."""
        self._sender.post(f"{PATH}/{path_step(batch_id)}/cancel", {})

    def _result(self, result: JsonObject) -> ChatReply | LLMError:
        kind = words(result.get("type"))
        if kind == "errored":
            error = inner(result.get("error"))
            code = _STATUS.get(words(inner(error.get("error", error)).get("type")), 500)
            return self._sender.failure(code, problem_in(error))
        if kind != "succeeded":
            return undone(self._sender.who, kind or "no reason given")
        try:
            return self._single.reply(JsonReply(inner(result.get("message"))))
        except LLMError as error:
            return error
