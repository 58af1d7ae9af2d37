"""Sends one request through a vendor's client library and brings back plain JSON, or an LLMError."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx2

from evaluation.llm.errors import LLMError
from evaluation.llm.own_parameters import OwnParameters, forwarded
from evaluation.llm.protocol import JsonObject
from evaluation.llm.providers import status
from evaluation.llm.providers.blanking import BLANK, as_written
from evaluation.llm.providers.rate_hints import rate_hint
from evaluation.schemas import JudgeSettings, RateHint

_UNSENT = (httpx2.ConnectError, httpx2.ProxyError, httpx2.WriteError, httpx2.WriteTimeout)
_UNSENDABLE = (httpx2.UnsupportedProtocol, httpx2.LocalProtocolError)
_STATUS = {"rate_limit_exceeded": 429, "insufficient_quota": 429, "server_error": 500}
_OWN_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")


@dataclass(frozen=True)
class Vendor:
    """The errors of a client library; that of a status holds the reply."""

    timeout: type[Exception]
    status: type[Exception]
    any: type[Exception]


@dataclass(frozen=True)
class JsonReply:
    """A reply: the JSON object it holds, what the server said of its limits, and the seconds it took."""

    said: JsonObject
    hint: RateHint | None = None
    seconds: float = 0.0


class Sender:
    """Speaks with the server of one judge.

    `client` is a vendor's client without retries. Its typed methods are passed by: building and checking their models
    takes longer than the call itself.
    """

    def __init__(self, client: Any, vendor: Vendor, settings: JudgeSettings, own: OwnParameters, key: str) -> None:
        self.who = settings.name or settings.model
        self._client = client
        self._vendor = vendor
        self._own = own
        self._key = key
        self._written = as_written(key)
        self._parameters = (*forwarded(settings.parameters), *_OWN_LIMITS)

    def post(self, path: str, body: JsonObject) -> JsonReply:
        """Send JSON and return the JSON that comes back; raises LLMError, classified."""
        return self._heard(lambda: self._client.post(path, cast_to=httpx2.Response, body=body))

    def get(self, path: str) -> JsonReply:
        """Fetch JSON; raises LLMError, classified."""
        return self._heard(lambda: self._client.get(path, cast_to=httpx2.Response))

    def upload(self, path: str, fields: JsonObject, name: str, content: bytes) -> JsonReply:
        """Send a file as a form; raises LLMError, classified."""
        options = {"headers": {"Content-Type": "multipart/form-data"}}
        files = [("file", (name, content, "application/jsonl"))]
        return self._heard(
            lambda: self._client.post(path, cast_to=httpx2.Response, body=fields, files=files, options=options)
        )

    def lines(self, path: str) -> list[JsonObject]:
        """Fetch JSON lines; a line that holds no object is left out. Raises LLMError, classified."""
        text, _ = self._sent(lambda: self._client.get(path, cast_to=httpx2.Response))
        read = (_object(line) for line in text.split("\n"))
        return [line for line in read if line is not None]

    def failure(self, code: int, message: str, headers: Mapping[str, str] | None = None) -> LLMError:
        """Classify a failed call of this judge."""
        return status.classified(
            status.FailedCall(self.who, code, message, headers or {}, self._key, parameters=self._parameters)
        )

    def _heard(self, send: Callable[[], httpx2.Response]) -> JsonReply:
        started = time.perf_counter()
        text, response = self._sent(send)
        said = _object(text)
        if said is None:
            raise status.unreadable(self.who)
        return JsonReply(said, rate_hint(_headers(response), datetime.now(UTC)), time.perf_counter() - started)

    def _sent(self, send: Callable[[], httpx2.Response]) -> tuple[str, httpx2.Response]:
        """Send, and return the reply with its text, in which the key is blanked."""
        try:
            response = send()
            text = response.text
        except (self._vendor.any, httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
            problem = self._problem(error)
        else:
            for written in self._written:
                text = text.replace(written, BLANK)
            return text, response
        raise problem  # outside of the handler: the vendor's error holds the key and must not hang on ours

    def _problem(self, error: Exception) -> LLMError:
        if isinstance(error, self._vendor.status):
            response: httpx2.Response = error.response  # type: ignore[attr-defined]
            return self.failure(response.status_code, problem_in(response.text), _headers(response))
        cause = error.__cause__
        if isinstance(cause, httpx2.ConnectTimeout):
            return status.not_reached(self.who, self._own.connect_timeout)
        if isinstance(cause, _UNSENT):
            return status.unreachable(self.who)
        if isinstance(cause, _UNSENDABLE) or not isinstance(error, self._vendor.any):
            return status.unsendable(self.who)
        if isinstance(error, self._vendor.timeout):
            return status.timed_out(self.who, self._own.timeout)
        return status.broke_off(self.who)


def problem_in(body: str | JsonObject) -> str:
    """Return what an error says: its message with type, code and parameter where they are found, else all of it."""
    said: object = _decoded(body) if isinstance(body, str) else body
    if isinstance(said, list) and said:
        said = said[0]
    error = said.get("error", said) if isinstance(said, dict) else said
    if not isinstance(error, dict):
        return str(body if error is None else error)
    named = [str(error[name]) for name in ("type", "code", "param") if error.get(name)]
    message = str(error.get("message") or error.get("detail") or body)
    return f"{message} ({', '.join(named)})" if named else message


def status_of(error: object) -> int:
    """Return the HTTP status that an error told inside of a reply stands for."""
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and 400 <= code < 600:
        return code
    if isinstance(code, str) and code:
        return _STATUS.get(code, 400)
    return 500


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _object(text: str) -> JsonObject | None:
    value = _decoded(text)
    return value if isinstance(value, dict) else None


def _headers(response: httpx2.Response) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers.raw}
