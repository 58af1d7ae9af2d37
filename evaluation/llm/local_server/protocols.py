"""Requests read and replies written in the two protocols, as plain JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass

from evaluation.llm.local_server.judging import Question, answered
from evaluation.llm.local_server.script import Step
from evaluation.llm.protocol import JsonObject

OPENAI_PATH = "/v1/chat/completions"
ANTHROPIC_PATH = "/v1/messages"
_OPENAI_FINISH = {"refused": "stop"}
_ANTHROPIC_FINISH = {"stop": "end_turn", "length": "max_tokens", "refused": "refusal"}
_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class _Said:
    """A reply before it is put into a protocol."""

    text: str
    structured: JsonObject | None
    prompt_tokens: int
    reply_tokens: int


def openai_reply(body: JsonObject, step: Step) -> JsonObject:
    """Return a chat completion."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
    said = _said(body, schema, step)
    message = {"role": "assistant", "content": said.text, "refusal": None}
    if step.finish == "refused":
        message |= {"content": None, "refusal": said.text}
    return {
        "id": "chatcmpl-local",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": _OPENAI_FINISH.get(step.finish, step.finish)}],
        "usage": {
            "prompt_tokens": said.prompt_tokens,
            "completion_tokens": said.reply_tokens,
            "total_tokens": said.prompt_tokens + said.reply_tokens,
            "prompt_tokens_details": {"cached_tokens": 0},
        },
    }


def anthropic_reply(body: JsonObject, step: Step) -> JsonObject:
    """Return a message; structured output is the input of the tool that the request forces."""
    tool = next(iter(body.get("tools", [])), None)
    format_schema = body.get("output_config", {}).get("format", {}).get("schema")
    said = _said(body, tool["input_schema"] if tool else format_schema, step)
    content: list[JsonObject] = [{"type": "text", "text": said.text}]
    finish = _ANTHROPIC_FINISH.get(step.finish, step.finish)
    if tool and said.structured is not None:
        content = [{"type": "tool_use", "id": "toolu_local", "name": tool["name"], "input": said.structured}]
        finish = "tool_use" if step.finish == "stop" else finish
    return {
        "id": "msg_local",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", ""),
        "content": content,
        "stop_reason": finish,
        "stop_sequence": None,
        "usage": {"input_tokens": said.prompt_tokens, "output_tokens": said.reply_tokens},
    }


def error_body(path: str, status: int, message: str) -> JsonObject:
    """Return an error as the protocol of the path words it."""
    if path == ANTHROPIC_PATH:
        return {"type": "error", "error": {"type": _anthropic_error(status), "message": message}}
    return {"error": {"message": message, "type": "local_server", "param": None, "code": None}}


def _said(body: JsonObject, schema: JsonObject | None, step: Step) -> _Said:
    prompt = prompt_text(body)
    structured = step.answer
    if step.text is None and structured is None:
        structured = answered(Question(model=str(body.get("model", "")), prompt=prompt, schema=schema or {}))
    text = json.dumps(structured, ensure_ascii=False) if step.text is None else step.text
    return _Said(text, structured, _tokens(prompt), _tokens(text))


def prompt_text(body: JsonObject) -> str:
    """Return every text of a request, one after the other."""
    parts = [body.get("system", ""), *(message.get("content", "") for message in body.get("messages", []))]
    return "\n\n".join(_flat(part) for part in parts)


def _flat(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return ""


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def _anthropic_error(status: int) -> str:
    known = {
        400: "invalid_request_error",
        401: "authentication_error",
        403: "permission_error",
        404: "not_found_error",
        429: "rate_limit_error",
        529: "overloaded_error",
    }
    return known.get(status, "api_error")
