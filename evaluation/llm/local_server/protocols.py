"""Replies written in the three protocols, as plain JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from evaluation.llm.local_server.reading import tokens_of, tool_of
from evaluation.llm.local_server.script import Step, Tokens
from evaluation.llm.protocol import JsonObject

OPENAI_PATH = "/v1/chat/completions"
RESPONSES_PATH = "/v1/responses"
ANTHROPIC_PATH = "/v1/messages"
_OPENAI_FINISH = {"refused": "stop"}
_ANTHROPIC_FINISH = {"stop": "end_turn", "length": "max_tokens", "refused": "refusal"}
_ANTHROPIC_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class Said:
    """A reply before it is put into a protocol; `structured` is its text as an object where it is one."""

    text: str
    structured: JsonObject | None
    tokens: Tokens
    finish: str = "stop"


def said(step: Step, prompt: str, judged: Callable[[], JsonObject]) -> Said:
    """Return what a step says, or what `judged` finds where it says nothing."""
    structured = step.answer
    if step.text is None and structured is None:
        structured = judged()
    text = json.dumps(structured, ensure_ascii=False) if step.text is None else step.text
    if step.is_halved:
        text, structured = text[: len(text) // 2], None if structured is None else {}
    return Said(text, structured, step.tokens or Tokens(tokens_of(prompt), tokens_of(text)), step.finish)


def openai_reply(body: JsonObject, reply: Said) -> JsonObject:
    """Return a chat completion."""
    message = {"role": "assistant", "content": reply.text, "refusal": None}
    if reply.finish == "refused":
        message |= {"content": None, "refusal": reply.text}
    return {
        "id": "chatcmpl-local",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": _OPENAI_FINISH.get(reply.finish, reply.finish)}],
        "usage": {
            "prompt_tokens": reply.tokens.input,
            "completion_tokens": reply.tokens.output,
            "total_tokens": _sum(reply.tokens),
            "prompt_tokens_details": {"cached_tokens": reply.tokens.cached},
        },
    }


def responses_reply(body: JsonObject, reply: Said) -> JsonObject:
    """Return a response with one message; nothing of it is stored."""
    part: JsonObject = {"type": "output_text", "text": reply.text, "annotations": []}
    if reply.finish == "refused":
        part = {"type": "refusal", "refusal": reply.text}
    is_cut = reply.finish == "length"
    status = "incomplete" if is_cut else "completed"
    message = {"id": "msg_local", "type": "message", "role": "assistant", "status": status, "content": [part]}
    return {
        "id": "resp_local",
        "object": "response",
        "created_at": 0,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if is_cut else None,
        "instructions": body.get("instructions"),
        "max_output_tokens": body.get("max_output_tokens"),
        "model": body.get("model", ""),
        "output": [message],
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "store": False,
        "temperature": body.get("temperature"),
        "text": body.get("text", {"format": {"type": "text"}}),
        "tool_choice": "auto",
        "tools": [],
        "top_p": None,
        "truncation": "disabled",
        "usage": {
            "input_tokens": reply.tokens.input,
            "input_tokens_details": {"cached_tokens": reply.tokens.cached},
            "output_tokens": reply.tokens.output,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": _sum(reply.tokens),
        },
        "metadata": {},
    }


def anthropic_reply(body: JsonObject, reply: Said) -> JsonObject:
    """Return a message; structured output is the input of the tool that the request forces.

    A tool call that was cut off has an empty input, as at Anthropic.
    """
    tool = tool_of(body)
    content: list[JsonObject] = [{"type": "text", "text": reply.text}]
    finish = _ANTHROPIC_FINISH.get(reply.finish, reply.finish)
    if tool and reply.structured is not None:
        content = [{"type": "tool_use", "id": "toolu_local", "name": tool["name"], "input": reply.structured}]
        finish = "tool_use" if reply.finish == "stop" else finish
    return {
        "id": "msg_local",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", ""),
        "content": content,
        "stop_reason": finish,
        "stop_sequence": None,
        "usage": {
            "input_tokens": reply.tokens.input,
            "cache_creation_input_tokens": reply.tokens.written,
            "cache_read_input_tokens": reply.tokens.cached,
            "output_tokens": reply.tokens.output,
        },
    }


REPLIES: dict[str, Callable[[JsonObject, Said], JsonObject]] = {
    OPENAI_PATH: openai_reply,
    RESPONSES_PATH: responses_reply,
    ANTHROPIC_PATH: anthropic_reply,
}


def error_body(path: str, status: int, message: str) -> JsonObject:
    """Return an error as the protocol of the path words it."""
    if path.startswith(ANTHROPIC_PATH):
        kind = _ANTHROPIC_ERRORS.get(status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_local"}
    return {"error": {"message": message, "type": "local_server", "param": None, "code": None}}


def _sum(tokens: Tokens) -> int | None:
    if isinstance(tokens.input, int) and isinstance(tokens.output, int):
        return tokens.input + tokens.output
    return None
