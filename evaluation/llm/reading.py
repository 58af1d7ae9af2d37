"""Reads replies as values of a given shape, with some tolerance and without ever making one up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from evaluation.llm.errors import LLMError
from evaluation.llm.finding import Findings, FoundValue, find_objects
from evaluation.llm.protocol import ChatReply
from evaluation.llm.storable import storable

Shape = TypeVar("Shape", bound=BaseModel)

_SHOWN_PROBLEMS = 5
_NOT_TEXT = frozenset({"list_type", "tuple_type", "dict_type", "model_type"})
_PLACEHOLDERS = frozenset({"…", "..."})


@dataclass(frozen=True)
class Read(Generic[Shape]):
    """A validated value, and whether the text it was read from had to be mended."""

    value: Shape
    is_repaired: bool = False


def read_reply(reply: ChatReply, shape: type[Shape], max_tokens: int) -> Read[Shape]:
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
    Read
        The validated value, its texts free of NUL and lone surrogates, and whether the reply was mended. Text around
        the object is no reason to mend; a list of this one object is.

    Raises
    ------
    LLMError
        With reason refused, truncated, parse or shape.

    Notes
    -----
    There must be one answer: two objects that fit and differ are refused, and so is one that fits beside another
    that was meant as an answer (it has a required key) and does not fit or cannot be read. Repetitions of the schema
    and of the prompt's example (all of whose texts are an ellipsis) are no answers.
    """
    if reply.finish_reason == "refused":
        raise LLMError(f"{reply.model} refused to answer: {reply.text[:200] or 'no reason given'}", reason="refused")
    if reply.finish_reason == "length":
        message = f"The reply of {reply.model} was cut off at the limit of {max_tokens} tokens"
        raise LLMError(f"{message}: raise the judge's longest reply (max_tokens).", reason="truncated")
    try:
        return _the_one_fitting(_found(reply, shape, max_tokens), shape, reply.model)
    except RecursionError as error:
        raise LLMError(f"The reply of {reply.model} is nested too deeply.", reason="shape") from error


def _found(reply: ChatReply, shape: type[BaseModel], max_tokens: int) -> list[FoundValue]:
    if reply.parsed is not None:
        return [FoundValue(reply.parsed, is_mended=False)]
    findings = find_objects(reply.text)
    if findings.is_cut:
        message = f"The reply of {reply.model} stops in the middle (its limit was {max_tokens} tokens)."
        raise LLMError(
            f"{message} If this happens often, raise the judge's longest reply (max_tokens).", reason="truncated"
        )
    _refuse_unreadable(findings, shape, reply)
    return findings.values


def _refuse_unreadable(findings: Findings, shape: type[BaseModel], reply: ChatReply) -> None:
    """Raise where nothing can be read, or where what cannot be read was meant as an answer."""
    keys = "|".join(re.escape(name) for name in _required(shape))
    meant = [problem for text, problem in findings.broken if re.search(rf"\b(?:{keys})[\"']?\s*:", text)]
    if meant:
        raise LLMError(f"The reply of {reply.model} is no readable JSON: {meant[0]}.", reason="parse")
    if not findings.values:
        what = "holds no JSON object" if reply.text.strip() else "is empty"
        why = f" that can be read: {findings.broken[0][1]}" if findings.broken else ""
        raise LLMError(f"The reply of {reply.model} {what}{why}.", reason="parse")


def _the_one_fitting(found: list[FoundValue], shape: type[Shape], model: str) -> Read[Shape]:
    required = _required(shape)
    fitting: list[Read[Shape]] = []
    problems: list[tuple[bool, str]] = []
    for each in _unpacked(found):
        if _is_repetition(each.value, required):
            problems.append((False, "it repeats what was asked and answers nothing"))
            continue
        try:
            read = _validated(each, shape)
        except ValidationError as error:
            problems.append((_has_any(each.value, required), _said_plainly(error, each.value)))
        else:
            if all(read.value != other.value for other in fitting):
                fitting.append(read)
    is_clear = len(fitting) == 1 and not any(is_meant for is_meant, _ in problems)
    if is_clear:
        return fitting[0]
    problems.sort(key=lambda each: not each[0])
    problem = problems[0][1] if problems and len(fitting) < 2 else "it holds more than one different answer"
    raise LLMError(f"The reply of {model} does not have the asked shape: {problem}.", reason="shape")


def _validated(found: FoundValue, shape: type[Shape]) -> Read[Shape]:
    """Validate, and once more with those lists and objects taken out of their quotes that came as texts."""
    value = storable(found.value)
    try:
        return Read(shape.model_validate(value), found.is_mended)
    except ValidationError as error:
        inner = dict(_quoted_members(error))
        if not inner or not isinstance(value, dict):
            raise
        return Read(shape.model_validate(value | inner), is_repaired=True)


def _quoted_members(error: ValidationError) -> Iterator[tuple[str, object]]:
    for each in error.errors(include_url=False):
        if len(each["loc"]) == 1 and each["type"] in _NOT_TEXT and isinstance(each["input"], str):
            inside = find_objects(each["input"])
            if len(inside.values) == 1 and not inside.broken and not inside.is_cut:
                yield str(each["loc"][0]), inside.values[0].value


def _unpacked(found: list[FoundValue]) -> Iterator[FoundValue]:
    """Yield the values, and in the place of a list of one its only member."""
    for each in found:
        value, is_mended = each.value, each.is_mended
        while isinstance(value, list) and len(value) == 1:
            value, is_mended = value[0], True
        yield FoundValue(value, is_mended)


def _required(shape: type[BaseModel]) -> frozenset[str]:
    """Return the keys by which an object is known as meant: the required ones, all where none is."""
    names = frozenset(name for name, each in shape.model_fields.items() if each.is_required())
    return names or frozenset(shape.model_fields)


def _has_any(value: object, keys: frozenset[str]) -> bool:
    if isinstance(value, list):
        return any(_has_any(each, keys) for each in value)
    return isinstance(value, dict) and not keys.isdisjoint(value)


def _is_repetition(value: object, keys: frozenset[str]) -> bool:
    """Whether it is the schema that was sent, or an example that says nothing but an ellipsis."""
    if isinstance(value, dict) and isinstance(value.get("properties"), dict) and keys.isdisjoint(value):
        return True
    texts = list(_texts(value))
    return bool(texts) and _PLACEHOLDERS.issuperset(texts)


def _texts(value: object) -> Iterator[str]:
    """Yield every text in a value that says something; keys do not count."""
    if isinstance(value, str) and value.strip():
        yield value.strip()
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in members:
        yield from _texts(each)


def _said_plainly(error: ValidationError, value: object) -> str:
    if isinstance(value, list):
        return f"it is a list of {len(value)} and not one object"
    problems = [
        f"{'.'.join(str(step) for step in each['loc']) or 'reply'}: {each['msg']}"
        for each in error.errors(include_url=False, include_input=False)
    ]
    more = f"; and {len(problems) - _SHOWN_PROBLEMS} more" if len(problems) > _SHOWN_PROBLEMS else ""
    return "; ".join(problems[:_SHOWN_PROBLEMS]) + more
