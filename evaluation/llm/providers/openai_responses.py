"""Judges behind OpenAI's responses protocol."""

from __future__ import annotations

from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.protocol import ChatReply, ChatRequest, ImagePart, JsonObject, Message, TextPart
from evaluation.llm.providers import openai_client
from evaluation.llm.providers.json_reading import inner, items, words
from evaluation.llm.providers.schema_text import told_schema
from evaluation.llm.providers.sender import JsonReply, problem_in, status_of
from evaluation.llm.providers.status import unreadable
from evaluation.llm.storable import storable_count, storable_text
from evaluation.schemas import JudgeSettings, Usage

_FINISH = {"max_output_tokens": "length", "content_filter": "refused"}
_NESTED = {"reasoning_effort": ("reasoning", "effort"), "verbosity": ("text", "verbosity")}


class OpenAIResponses:
    """Asks one server; nothing is stored there, and `structured` says how the schema is sent."""

    path = "/responses"

    def __init__(self, settings: JudgeSettings, api_key: str | None) -> None:
        own = OwnParameters.of(settings, structured=openai_client.STRUCTURED)
        self._way = own.structured
        self._is_openai = openai_client.is_openai(settings)
        self._sender = openai_client.sender(settings, api_key, own)

    def complete(self, request: ChatRequest) -> ChatReply:
        """Send one request; raises LLMError, classified, and never retries."""
        return self.reply(self._sender.post(self.path, self.body(request)))

    def body(self, request: ChatRequest) -> JsonObject:
        """Return a request as the protocol writes it."""
        is_told = request.schema is not None and self._way != "json_schema"
        messages = told_schema(request.messages, request.schema) if is_told else request.messages
        body: JsonObject = {"model": request.model, "max_output_tokens": request.max_tokens, "store": False}
        if system := [part.text for each in messages if each.role == "system" for part in _texts(each)]:
            body["instructions"] = "\n\n".join(system)
        body["input"] = [_message(each) for each in messages if each.role != "system"]
        if self._is_openai:
            body["prompt_cache_key"] = openai_client.cache_hint(request)
        for name, value in request.parameters.items():
            outer, within = _NESTED.get(name, (name, ""))
            body[outer] = {**inner(body.get(outer)), within: value} if within else value
        if (form := self._format(request)) is not None:
            body["text"] = {**inner(body.get("text")), "format": form}
        return body

    def _format(self, request: ChatRequest) -> JsonObject | None:
        if request.schema is None or self._way == "off":
            return None
        if self._way == "json_object":
            return {"type": "json_object"}
        return {"type": "json_schema", "name": request.schema_name, "schema": request.schema, "strict": True}

    def reply(self, heard: JsonReply) -> ChatReply:
        """Read a response; raises LLMError for what is none and for one that failed."""
        said = heard.said
        if said.get("error"):
            raise self._sender.failure(status_of(said["error"]), problem_in(said))
        if not isinstance(said.get("output"), list):
            raise unreadable(self._sender.who)
        parts = [part for item in items(said["output"]) for part in items(item.get("content"))]
        refusal = "\n".join(words(part.get("refusal")) for part in parts if part.get("type") == "refusal")
        text = "\n".join(words(part.get("text")) for part in parts if part.get("type") == "output_text")
        reason = words(inner(said.get("incomplete_details")).get("reason")) or "stop"
        return ChatReply(
            text=storable_text(refusal or text),
            model=storable_text(words(said.get("model"))),
            usage=_usage(inner(said.get("usage"))),
            latency=heard.seconds,
            finish_reason="refused" if refusal else storable_text(_FINISH.get(reason, reason)),
            hint=heard.hint,
        )


def _usage(usage: JsonObject) -> Usage:
    details = inner(usage.get("input_tokens_details"))
    return Usage(
        input_tokens=storable_count(usage.get("input_tokens")),
        output_tokens=storable_count(usage.get("output_tokens")),
        cached_tokens=storable_count(details.get("cached_tokens")),
        written_tokens=storable_count(details.get("cache_write_tokens")),
    )


def _texts(message: Message) -> list[TextPart]:
    return [part for part in message.parts if isinstance(part, TextPart)]


def _message(message: Message) -> JsonObject:
    kind = "output_text" if message.role == "assistant" else "input_text"
    return {"role": message.role, "content": [_part(part, kind) for part in message.parts]}


def _part(part: TextPart | ImagePart, kind: str) -> JsonObject:
    if isinstance(part, TextPart):
        return {"type": kind, "text": part.text}
    return {"type": "input_image", "image_url": f"data:{part.media_type};base64,{part.data}"}
