"""Judges behind the Anthropic messages protocol; a schema is asked for as the input of a tool."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import Any

import anthropic
from anthropic.types import Message as AnthropicMessage

from evaluation.llm.errors import LLMError
from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.protocol import ChatReply, ChatRequest, ImagePart, JsonObject, Message, TextPart
from evaluation.llm.providers.status import FailedCall, classified, timed_out, unreachable, unreadable
from evaluation.llm.storable import storable_count, storable_text
from evaluation.schemas import JudgeSettings, Usage

ANTHROPIC_URL = "https://api.anthropic.com"
STRUCTURED = ("tool", "json_schema", "off")
_FINISH = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
    "tool_use": "stop",
    "end_turn": "stop",
}


class AnthropicMessages:
    """Asks one server; `structured` in the judge's parameters says how the schema is sent."""

    def __init__(self, settings: JudgeSettings, api_key: str | None) -> None:
        self._own = OwnParameters.of(settings, structured=STRUCTURED)
        self._key = api_key or ""
        self._who = settings.name or settings.model
        self._client = anthropic.Anthropic(
            api_key=api_key or "none",
            base_url=settings.base_url or ANTHROPIC_URL,
            timeout=self._own.timeout,
            max_retries=0,
        )

    def complete(self, request: ChatRequest) -> ChatReply:
        """Send one request; raises LLMError, classified, and never retries."""
        started = time.perf_counter()
        try:
            message: Any = self._client.messages.create(
                model=request.model,
                max_tokens=request.max_tokens,
                messages=_turns(request.messages),
                extra_body=self._extra_body(request),
                timeout=self._own.timeout,
            )
        except anthropic.APITimeoutError as error:
            raise timed_out(self._who, self._own.timeout) from error
        except anthropic.APIConnectionError as error:
            raise unreachable(self._who) from error
        except anthropic.APIStatusError as error:
            raise self._classified(error) from error
        except (anthropic.AnthropicError, ValueError) as error:
            raise unreadable(self._who) from error
        return self._reply(message, time.perf_counter() - started)

    def _classified(self, error: anthropic.APIStatusError) -> LLMError:
        return classified(FailedCall(self._who, error.status_code, error.message, error.response.headers, self._key))

    def _extra_body(self, request: ChatRequest) -> JsonObject:
        """Everything besides model and turns: the library no longer names sampling parameters that servers take."""
        body: JsonObject = dict(request.parameters)
        if system := "\n\n".join(_texts(each for each in request.messages if each.role == "system")):
            body["system"] = system
        if request.schema is not None and self._own.structured == "tool":
            tool = {"name": request.schema_name, "description": "Gives the answer.", "input_schema": request.schema}
            body["tools"] = [tool]
            body["tool_choice"] = {"type": "tool", "name": request.schema_name, "disable_parallel_tool_use": True}
        elif request.schema is not None and self._own.structured == "json_schema":
            body["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
        return body

    def _reply(self, message: Any, latency: float) -> ChatReply:
        if not isinstance(message, AnthropicMessage) or not isinstance(message.content, list):
            raise unreadable(self._who)
        reason = storable_text(str(message.stop_reason or "stop"))
        parsed = _tool_input(message)
        said = "\n".join(str(block.text or "") for block in message.content if block.type == "text")
        return ChatReply(
            text=storable_text(said if parsed is None else json.dumps(parsed, ensure_ascii=False)),
            model=storable_text(str(message.model or "")),
            parsed=parsed,
            usage=_usage(message),
            latency=latency,
            finish_reason=_FINISH.get(reason, reason),
        )


def _tool_input(message: AnthropicMessage) -> JsonObject | None:
    for block in message.content:
        if block.type == "tool_use" and isinstance(block.input, dict):
            return dict(block.input)
    return None


def _usage(message: AnthropicMessage) -> Usage:
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    fresh, written, cached, said = (storable_count(getattr(message.usage, name, 0)) for name in names)
    return Usage(input_tokens=storable_count(fresh + written + cached), output_tokens=said, cached_tokens=cached)


def _texts(messages: Iterable[Message]) -> list[str]:
    return [part.text for message in messages for part in message.parts if isinstance(part, TextPart)]


def _turns(messages: tuple[Message, ...]) -> Any:
    return [
        {"role": message.role, "content": [_part(part) for part in message.parts]}
        for message in messages
        if message.role != "system"
    ]


def _part(part: TextPart | ImagePart) -> JsonObject:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    return {"type": "image", "source": {"type": "base64", "media_type": part.media_type, "data": part.data}}
