"""Judges behind the OpenAI chat completions protocol, at OpenAI or at any other base URL."""

from __future__ import annotations

import time
from typing import Any

import openai
from openai.types.chat import ChatCompletion

from evaluation.llm.errors import LLMError
from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.protocol import ChatReply, ChatRequest, ImagePart, JsonObject, Message, TextPart
from evaluation.llm.providers.status import FailedCall, classified, timed_out, unreachable, unreadable
from evaluation.llm.storable import storable_count, storable_text
from evaluation.schemas import JudgeSettings, Usage

OPENAI_URL = "https://api.openai.com/v1"
STRUCTURED = ("json_schema", "json_object", "off")
_FINISH = {"length": "length", "content_filter": "refused"}


class OpenAIChat:
    """Asks one server; `structured` in the judge's parameters says how the schema is sent."""

    def __init__(self, settings: JudgeSettings, api_key: str | None) -> None:
        self._own = OwnParameters.of(settings, structured=STRUCTURED)
        self._url = settings.base_url or OPENAI_URL
        self._key = api_key or ""
        self._who = settings.name or settings.model
        self._client = openai.OpenAI(
            api_key=api_key or "none", base_url=self._url, timeout=self._own.timeout, max_retries=0
        )

    def complete(self, request: ChatRequest) -> ChatReply:
        """Send one request; raises LLMError, classified, and never retries."""
        started = time.perf_counter()
        try:
            completion: Any = self._client.chat.completions.create(
                model=request.model,
                messages=[_message(each) for each in request.messages],  # type: ignore[misc]
                extra_body=self._extra_body(request),
            )
        except openai.APITimeoutError as error:
            raise timed_out(self._who, self._own.timeout) from error
        except openai.APIConnectionError as error:
            raise unreachable(self._who) from error
        except openai.APIStatusError as error:
            raise self._classified(error) from error
        except (openai.OpenAIError, ValueError) as error:
            raise unreadable(self._who) from error
        return self._reply(completion, time.perf_counter() - started)

    def _classified(self, error: openai.APIStatusError) -> LLMError:
        message = f"{error.code or ''} {error.message}"
        return classified(FailedCall(self._who, error.status_code, message, error.response.headers, self._key))

    def _extra_body(self, request: ChatRequest) -> JsonObject:
        """Everything besides model and messages: servers know parameters that the library does not."""
        limit = "max_completion_tokens" if self._url.rstrip("/") == OPENAI_URL else "max_tokens"
        body: JsonObject = {limit: request.max_tokens, **request.parameters}
        if request.schema is not None and self._own.structured == "json_schema":
            schema = {"name": request.schema_name, "schema": request.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.schema is not None and self._own.structured == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body

    def _reply(self, completion: Any, latency: float) -> ChatReply:
        if not isinstance(completion, ChatCompletion) or not completion.choices:
            raise unreadable(self._who)
        choice = completion.choices[0]
        refusal = getattr(choice.message, "refusal", None)
        reason = storable_text(str(getattr(choice, "finish_reason", None) or "stop"))
        return ChatReply(
            text=storable_text(str(refusal or getattr(choice.message, "content", None) or "")),
            model=storable_text(str(completion.model or "")),
            usage=_usage(completion),
            latency=latency,
            finish_reason="refused" if refusal else _FINISH.get(reason, reason),
        )


def _usage(completion: ChatCompletion) -> Usage:
    usage = completion.usage
    if usage is None:
        return Usage()
    cached = getattr(usage.prompt_tokens_details, "cached_tokens", 0)
    return Usage(*(storable_count(each) for each in (usage.prompt_tokens, usage.completion_tokens, cached)))


def _message(message: Message) -> JsonObject:
    texts = [part.text for part in message.parts if isinstance(part, TextPart)]
    if len(texts) == len(message.parts):  # many servers take plain text only
        return {"role": message.role, "content": "\n\n".join(texts)}
    return {"role": message.role, "content": [_part(part) for part in message.parts]}


def _part(part: TextPart | ImagePart) -> JsonObject:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{part.data}"}}
