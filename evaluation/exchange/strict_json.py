"""JSON read strictly: what other readers bend or drop (NaN, double keys, NUL, lone surrogates) is refused."""

from __future__ import annotations

import json
from math import isfinite

from evaluation.exchange.records import JsonObject, JsonValue

MAX_DEPTH = 32
MAX_DIGITS = 20
SMALLEST_INT, LARGEST_INT = -(2**63), 2**64 - 1


class JsonRefusedError(ValueError):
    """A text that is not the JSON we take; `field` is the path to the place, where there is one."""

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.field = field


class JsonBrokenError(JsonRefusedError):
    """A text that is no JSON at all, perhaps because its end is missing."""


def loads(text: str) -> JsonValue:
    """Read one JSON text; raises JsonRefusedError with a sentence."""
    try:
        value: JsonValue = json.loads(
            text,
            object_pairs_hook=_unique_keys,
            parse_constant=_no_constant,
            parse_int=_bounded_int,
            parse_float=_finite_float,
        )
    except json.JSONDecodeError as error:
        raise JsonBrokenError(
            f"This is not valid JSON: {_lower_first(error.msg).removesuffix(' at')} at column {error.colno}."
        ) from error
    except RecursionError as error:
        raise JsonRefusedError(f"The lists and objects are nested more than {MAX_DEPTH} deep.") from error
    _check_values(value)
    return value


def text_problem(text: str) -> str | None:
    """Say why a text cannot be stored and shown as it is, or None."""
    if "\x00" in text:
        return "The text holds a NUL character (U+0000), which databases cannot store; remove it."
    try:
        text.encode()
    except UnicodeEncodeError:
        return "The text holds half of a surrogate pair, which is no character; write the whole character."
    return None


def _lower_first(message: str) -> str:
    return message[:1].lower() + message[1:]


def _unique_keys(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    result: JsonObject = {}
    for key, value in pairs:
        if key in result:
            raise JsonRefusedError("The field is given twice in one object; keep one of them.", key)
        result[key] = value
    return result


def _no_constant(word: str) -> JsonValue:
    raise JsonRefusedError(f"{word} is not a number that JSON knows; leave the field out if there is no value.")


def _bounded_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS or not SMALLEST_INT <= int(digits) <= LARGEST_INT:
        raise JsonRefusedError(f"The number {_short(digits)} does not fit 64 bits; write it as text in quotes.")
    return int(digits)


def _finite_float(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise JsonRefusedError(f"The number {_short(digits)} is too large to be stored.")
    return number


def _short(digits: str) -> str:
    return digits if len(digits) <= 24 else f"{digits[:20]}…"


def _check_values(value: JsonValue) -> None:
    """Walk without recursion, so that depth is a refusal and never a crash."""
    open_values: list[tuple[str, int, JsonValue]] = [("", 0, value)]
    while open_values:
        path, depth, current = open_values.pop()
        if depth >= MAX_DEPTH and isinstance(current, list | dict):
            raise JsonRefusedError(f"The lists and objects are nested more than {MAX_DEPTH} deep.", path)
        if isinstance(current, str):
            _check_text(current, path)
        elif isinstance(current, list):
            open_values += [(f"{path}[{index}]", depth + 1, item) for index, item in enumerate(current, start=1)]
        elif isinstance(current, dict):
            for key, item in current.items():
                _check_text(key, path)
                open_values.append((f"{path}.{key}" if path else key, depth + 1, item))


def _check_text(text: str, path: str) -> None:
    if problem := text_problem(text):
        raise JsonRefusedError(problem, path)
