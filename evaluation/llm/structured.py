"""Asks for a reply of a given shape, reads it with some tolerance, and asks once more before giving up."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatModel, ChatReply, ChatRequest, Message, TextPart
from evaluation.llm.retry import RetryPolicy, complete_with_retry
from evaluation.llm.storable import storable

Shape = TypeVar("Shape", bound=BaseModel)

_CODE_FENCE = re.compile(r"\A\s*```[\w-]*\s*\n(?P<body>.*?)\n?\s*```\s*\Z", re.DOTALL)
_WORTH_ASKING_AGAIN = frozenset({"truncated", "shape", "parse"})
_SHOWN_PROBLEMS = 5


@dataclass(frozen=True)
class Answer(Generic[Shape]):
    """A validated value and every reply it took, the last one being the one that holds it."""

    value: Shape
    replies: tuple[ChatReply, ...]


def ask(model: ChatModel, request: ChatRequest, shape: type[Shape], *, policy: RetryPolicy) -> Answer[Shape]:
    """Ask one judge and return its reply as a validated value.

    Parameters
    ----------
    model : ChatModel
        Who is asked.
    request : ChatRequest
        What is asked.
    shape : type of pydantic.BaseModel
        What the reply must be.
    policy : RetryPolicy
        How failures of transport are retried; each of the two questions has all its attempts.

    Returns
    -------
    Answer
        The value with its one or two replies.

    Raises
    ------
    LLMError
        With reason truncated, parse or shape if the second reply is no better than the first; refused at once;
        else the error of transport.

    Notes
    -----
    No value is ever made up: a reply that holds two different fitting objects is refused like one without any.
    """
    first = complete_with_retry(model, request, policy)
    try:
        return Answer(read_reply(first, shape, request.max_tokens), (first,))
    except LLMError as error:
        if error.reason not in _WORTH_ASKING_AGAIN:
            raise
        again = _asking_again(request, first, error)
    second = complete_with_retry(model, again, policy)
    return Answer(read_reply(second, shape, request.max_tokens), (first, second))


def read_reply(reply: ChatReply, shape: type[Shape], max_tokens: int) -> Shape:
    """Read one stored or fresh reply as a value.

    Parameters
    ----------
    reply : ChatReply
        The reply; `parsed` is used where the provider gave it, else an object is looked for in `text`.
    shape : type of pydantic.BaseModel
        What the reply must be.
    max_tokens : int
        The limit the request had, named in the error of a truncated reply.

    Returns
    -------
    BaseModel
        The validated value, its texts free of NUL and lone surrogates.

    Raises
    ------
    LLMError
        With reason refused, truncated, parse or shape.
    """
    if reply.finish_reason == "refused":
        raise LLMError(f"{reply.model} refused to answer: {reply.text[:200] or 'no reason given'}", reason="refused")
    if reply.finish_reason == "length":
        message = f"The reply of {reply.model} was cut off at the limit of {max_tokens} tokens: raise max_tokens."
        raise LLMError(message, reason="truncated")
    objects: list[object] = [reply.parsed] if reply.parsed is not None else list(_objects(reply))
    return _the_one_fitting(objects, shape, reply.model)


def _objects(reply: ChatReply) -> Iterator[object]:
    """Yield the JSON values a text holds: the whole of it, or every outermost object with prose around it."""
    text = reply.text
    if fenced := _CODE_FENCE.match(text):
        text = fenced["body"]
    decoder = json.JSONDecoder(strict=False)
    try:
        yield decoder.decode(text)
        return
    except (ValueError, RecursionError):
        start = text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield value
        start = text.find("{", end)


def _the_one_fitting(values: list[object], shape: type[Shape], model: str) -> Shape:
    if not values:
        raise LLMError(f"The reply of {model} holds no JSON object.", reason="parse")
    fitting: list[Shape] = []
    problem = ""
    for value in values:
        try:
            found = shape.model_validate(storable(value))
        except ValidationError as error:
            problem = problem or _said_plainly(error)
            continue
        if found not in fitting:
            fitting.append(found)
    if len(fitting) == 1:
        return fitting[0]
    problem = problem if not fitting else "it holds more than one different answer"
    raise LLMError(f"The reply of {model} does not have the asked shape: {problem}.", reason="shape")


def _said_plainly(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(str(step) for step in each['loc']) or 'reply'}: {each['msg']}"
        for each in error.errors(include_url=False, include_input=False)
    ]
    more = f"; and {len(problems) - _SHOWN_PROBLEMS} more" if len(problems) > _SHOWN_PROBLEMS else ""
    return "; ".join(problems[:_SHOWN_PROBLEMS]) + more


def _asking_again(request: ChatRequest, reply: ChatReply, error: LLMError) -> ChatRequest:
    """Return the request with the reply and what was wrong with it added."""
    if error.reason == "truncated":
        demand = f"{error} Answer again in full, with rationales of at most ten words."
    else:
        demand = f"{error} Answer again with one JSON object of the asked shape and nothing else."
    said = reply.text.strip() or "(empty reply)"
    turns = (Message("assistant", (TextPart(said),)), Message("user", (TextPart(demand),)))
    return replace(request, messages=(*request.messages, *turns))
