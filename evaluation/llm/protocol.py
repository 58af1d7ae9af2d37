"""The one protocol every provider of judges speaks: a request in, a reply out, synchronously."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from evaluation.llm.errors import LLMError
from evaluation.schemas import PromptStamp, RateHint, Subject, Usage

JsonObject = dict[str, Any]


@dataclass(frozen=True)
class TextPart:
    """A piece of text of a message."""

    text: str


@dataclass(frozen=True)
class ImagePart:
    """An image of a message: its bytes in base64 and its media type."""

    data: str
    media_type: str


@dataclass(frozen=True)
class Message:
    """One message; `role` is system, user or assistant."""

    role: str
    parts: tuple[TextPart | ImagePart, ...]


@dataclass(frozen=True)
class ChatRequest:
    """What a judge is asked.

    `schema` is the JSON schema the reply must fit (None: free text) and `schema_name` its name at the provider.
    `subject` carries the same matter as plain data and is never sent. `prompt` says which prompt file was used.
    """

    model: str
    messages: tuple[Message, ...]
    subject: Subject
    schema: JsonObject | None = None
    schema_name: str = "reply"
    parameters: Mapping[str, float | int | str] = field(default_factory=dict)
    max_tokens: int = 4096
    prompt: PromptStamp | None = None


@dataclass(frozen=True)
class ChatReply:
    """What a provider answered; `finish_reason` is stop, length, refused or another word of the provider."""

    text: str
    model: str
    parsed: JsonObject | None = None
    usage: Usage = field(default_factory=Usage)
    latency: float = 0.0
    finish_reason: str = "stop"
    hint: RateHint | None = None


class ChatModel(Protocol):
    """The one method a provider writes. It classifies errors as LLMError and never retries."""

    def complete(self, request: ChatRequest) -> ChatReply:
        """Return the provider's reply or raise LLMError."""
        ...


@dataclass(frozen=True)
class BatchProgress:
    """How far a batch is at its provider; with `is_ended` its results can be fetched, with `error` there are none."""

    is_ended: bool
    n_done: int = 0
    n_failed: int = 0
    error: str = ""


class BatchModel(Protocol):
    """What a provider with a batch API offers besides `complete`; every method raises LLMError, classified."""

    def submit(self, requests: Mapping[str, ChatRequest], token: str) -> str:
        """Hand over requests by their own ids, marked with a token, and return the provider's id of the batch."""
        ...

    def find(self, token: str) -> str | None:
        """Return the id of a batch submitted with this token, None where there is none or the provider cannot say."""
        ...

    def progress(self, batch_id: str) -> BatchProgress:
        """Return how far a batch is."""
        ...

    def results(self, batch_id: str) -> Iterator[tuple[str, ChatReply | LLMError]]:
        """Yield what came of each request of an ended batch, by the request's own id."""
        ...

    def cancel(self, batch_id: str) -> None:
        """Ask the provider to stop a batch; what it answered by then is still among the results."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors; row i of the result belongs to text i."""

    name: str

    def embed(self, texts: list[str]) -> Any:
        """Return a float32 array of shape (len(texts), d) with rows of norm 1."""
        ...
