"""Judges behind the OpenAI chat completions protocol, at OpenAI or at any other base URL."""

from __future__ import annotations

from evaluation.llm.errors import LLMError
from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.protocol import ChatReply, ChatRequest, ImagePart, JsonObject, Message, TextPart
from evaluation.llm.providers import openai_client
from evaluation.llm.providers.json_reading import inner, items, words
from evaluation.llm.providers.schema_text import told_schema
from evaluation.llm.providers.sender import JsonReply, problem_in, status_of
from evaluation.llm.providers.status import unreadable
from evaluation.llm.storable import storable_count, storable_text
from evaluation.schemas import JudgeSettings, Usage

NEW_LIMIT = "max_completion_tokens"
_FINISH = {"length": "length", "content_filter": "refused"}


class OpenAIChat:
    """Asks one server; `structured` in the judge's parameters says how the schema is sent."""

    path = "/chat/completions"

    def __init__(self, settings: JudgeSettings, api_key: str | None) -> None:
        own = OwnParameters.of(settings, structured=openai_client.STRUCTURED)
        self._way = own.structured
        self._is_openai = openai_client.is_openai(settings)
        self._limit = NEW_LIMIT if self._is_openai else "max_tokens"
        self._sender = openai_client.sender(settings, api_key, own)

    def complete(self, request: ChatRequest) -> ChatReply:
        """Send one request; raises LLMError, classified, and never retries."""
        try:
            heard = self._sender.post(self.path, self.body(request))
        except LLMError as error:
            if self._limit != NEW_LIMIT and NEW_LIMIT in str(error):  # a gateway to a model that knows only this name
                self._limit = NEW_LIMIT
                error.retryable, error.stops_judge = True, False
            raise
        return self.reply(heard)

    def body(self, request: ChatRequest) -> JsonObject:
        """Return a request as the protocol writes it."""
        is_told = request.schema is not None and self._way != "json_schema"
        messages = told_schema(request.messages, request.schema) if is_told else request.messages
        body: JsonObject = {"model": request.model, "messages": [_message(each) for each in messages]}
        body |= {self._limit: request.max_tokens, **request.parameters}
        if self._is_openai:
            body.setdefault("prompt_cache_key", openai_client.cache_hint(request))
        if request.schema is not None and self._way == "json_schema":
            schema = {"name": request.schema_name, "schema": request.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.schema is not None and self._way == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body

    def reply(self, heard: JsonReply) -> ChatReply:
        """Read a completion; raises LLMError for what is none."""
        said = heard.said
        choices = items(said.get("choices"))
        if not choices and said.get("error"):  # some gateways answer 200 and say what went wrong inside
            raise self._sender.failure(status_of(said["error"]), problem_in(said))
        if not choices:
            raise unreadable(self._sender.who)
        message = inner(choices[0].get("message"))
        refusal = words(message.get("refusal"))
        reason = storable_text(words(choices[0].get("finish_reason")) or "stop")
        return ChatReply(
            text=storable_text(refusal or words(message.get("content"))),
            model=storable_text(words(said.get("model"))),
            usage=_usage(inner(said.get("usage"))),
            latency=heard.seconds,
            finish_reason="refused" if refusal else _FINISH.get(reason, reason),
            hint=heard.hint,
        )


def _usage(usage: JsonObject) -> Usage:
    """Read the tokens; what a total holds beyond prompt and answer is thinking, which some servers count apart."""
    details = inner(usage.get("prompt_tokens_details"))
    asked, said, total = (
        storable_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens", "total_tokens")
    )
    return Usage(
        input_tokens=asked,
        output_tokens=max(said, total - asked),
        cached_tokens=storable_count(details.get("cached_tokens")),
        written_tokens=storable_count(details.get("cache_write_tokens")),
    )


def _message(message: Message) -> JsonObject:
    texts = [part.text for part in message.parts if isinstance(part, TextPart)]
    if len(texts) == len(message.parts):  # many servers take plain text only
        return {"role": message.role, "content": "\n\n".join(texts)}
    return {"role": message.role, "content": [_part(part) for part in message.parts]}


def _part(part: TextPart | ImagePart) -> JsonObject:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{part.data}"}}
