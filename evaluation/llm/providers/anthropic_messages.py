"""Judges behind the Anthropic messages protocol; a schema is asked for as the input of a tool."""

from __future__ import annotations

import json
from collections.abc import Iterable

import anthropic

from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.protocol import ChatReply, ChatRequest, ImagePart, JsonObject, Message, TextPart
from evaluation.llm.providers import timed_http
from evaluation.llm.providers.json_reading import inner, items, words
from evaluation.llm.providers.schema_text import told_schema
from evaluation.llm.providers.sender import JsonReply, Sender, Vendor
from evaluation.llm.providers.status import unreadable
from evaluation.llm.storable import storable_count, storable_text
from evaluation.schemas import JudgeSettings, Usage

ANTHROPIC_URL = "https://api.anthropic.com"
STRUCTURED = ("tool", "json_schema", "off")
LEAST_CACHED = 4_000  # characters, about the 1,024 tokens below which no model caches
_VENDOR = Vendor(timeout=anthropic.APITimeoutError, status=anthropic.APIStatusError, any=anthropic.AnthropicError)
_FINISH = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
    "tool_use": "stop",
    "end_turn": "stop",
}


class AnthropicMessages:
    """Asks one server; `structured` in the judge's parameters says how the schema is sent."""

    path = "/v1/messages"

    def __init__(self, settings: JudgeSettings, api_key: str | None) -> None:
        own = OwnParameters.of(settings, structured=STRUCTURED)
        self._way = own.structured
        self._sender = sender(settings, api_key, own)

    def complete(self, request: ChatRequest) -> ChatReply:
        """Send one request; raises LLMError, classified, and never retries."""
        return self.reply(self._sender.post(self.path, self.body(request)))

    def body(self, request: ChatRequest) -> JsonObject:
        """Return a request as the protocol writes it."""
        messages = told_schema(request.messages, request.schema) if self._way == "off" else request.messages
        body: JsonObject = {"model": request.model, "max_tokens": request.max_tokens, "messages": _turns(messages)}
        body |= request.parameters
        if request.schema is not None and self._way == "tool":
            tool = {"name": request.schema_name, "description": "Gives the answer.", "input_schema": request.schema}
            body["tools"] = [tool]
            body["tool_choice"] = {"type": "tool", "name": request.schema_name, "disable_parallel_tool_use": True}
        elif request.schema is not None and self._way == "json_schema":
            body["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
        if system := "\n\n".join(_texts(each for each in messages if each.role == "system")):
            body["system"] = _kept_warm(system, body.get("tools"))
        return body

    def reply(self, heard: JsonReply) -> ChatReply:
        """Read a message; raises LLMError for what is none."""
        said = heard.said
        if not isinstance(said.get("content"), list):
            raise unreadable(self._sender.who)
        blocks = items(said["content"])
        parsed = next((inner(each.get("input")) for each in blocks if each.get("type") == "tool_use"), None)
        text = "\n".join(words(each.get("text")) for each in blocks if each.get("type") == "text")
        reason = storable_text(words(said.get("stop_reason")) or "stop")
        return ChatReply(
            text=storable_text(text if parsed is None else json.dumps(parsed, ensure_ascii=False)),
            model=storable_text(words(said.get("model"))),
            parsed=parsed,
            usage=_usage(inner(said.get("usage"))),
            latency=heard.seconds,
            finish_reason=_FINISH.get(reason, reason),
            hint=heard.hint,
        )


def sender(settings: JudgeSettings, api_key: str | None, own: OwnParameters) -> Sender:
    """Return what sends for a judge."""
    url = settings.base_url or ANTHROPIC_URL
    http = timed_http.client(url, own)
    client = anthropic.Anthropic(api_key=api_key or "none", base_url=url, max_retries=0, http_client=http)
    return Sender(client, _VENDOR, settings, own, api_key or "")


def _kept_warm(system: str, tools: object) -> str | list[JsonObject]:
    """Mark the system text, which all calls of a judge share, for the provider's cache where it is long enough.

    The marker covers the tools too, which come before it. What calls about one response share is not marked: they
    go out together, and a prompt is in the cache only once its first answer has begun; all would pay for writing.
    """
    if len(system) + len(json.dumps(tools or "")) < LEAST_CACHED:
        return system
    return [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]


def _usage(usage: JsonObject) -> Usage:
    """Read the tokens; the protocol counts what was read from or written to the cache beside the input."""
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    fresh, written, cached, said = (storable_count(usage.get(name)) for name in names)
    return Usage(
        input_tokens=storable_count(fresh + written + cached),
        output_tokens=said,
        cached_tokens=cached,
        written_tokens=written,
    )


def _texts(messages: Iterable[Message]) -> list[str]:
    return [part.text for message in messages for part in message.parts if isinstance(part, TextPart)]


def _turns(messages: tuple[Message, ...]) -> list[JsonObject]:
    return [
        {"role": message.role, "content": [_part(part) for part in message.parts]}
        for message in messages
        if message.role != "system"
    ]


def _part(part: TextPart | ImagePart) -> JsonObject:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    return {"type": "image", "source": {"type": "base64", "media_type": part.media_type, "data": part.data}}
