"""Looks into decoded JSON of a server without trusting its shape."""

from __future__ import annotations

from evaluation.llm.protocol import JsonObject


def inner(value: object) -> JsonObject:
    """Return an object, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[JsonObject]:
    """Return the objects of a list, none for anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def words(value: object) -> str:
    """Return a text, the texts of a list of parts, or an empty text."""
    if isinstance(value, str):
        return value
    return "\n".join(words(each.get("text")) for each in items(value) if "text" in each)
