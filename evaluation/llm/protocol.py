"""The one protocol every provider of judges speaks: a request in, a reply out, synchronously."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from evaluation.schemas import PromptStamp, Subject, Usage

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


class ChatModel(Protocol):
    """The one method a provider writes. It classifies errors as LLMError and never retries."""

    def complete(self, request: ChatRequest) -> ChatReply:
        """Return the provider's reply or raise LLMError."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors; row i of the result belongs to text i."""

    name: str

    def embed(self, texts: list[str]) -> Any:
        """Return a float32 array of shape (len(texts), d) with rows of norm 1."""
        ...
