"""JSON schemas of reply shapes in the strict dialect that every provider of structured output takes."""

from __future__ import annotations

import json
from functools import cache
from typing import cast

from pydantic import BaseModel

from evaluation.llm.protocol import JsonObject

_KEPT = frozenset({"type", "properties", "items", "anyOf", "enum", "description", "required", "additionalProperties"})


def schema_of(shape: type[BaseModel]) -> JsonObject:
    """Return the JSON schema of a shape as providers take it.

    Parameters
    ----------
    shape : type of pydantic.BaseModel
        A shape that does not contain itself.

    Returns
    -------
    dict
        The schema without references, titles, defaults and value limits; every property is required and no other
        is allowed.

    Notes
    -----
    Structured output of OpenAI needs all properties required and `additionalProperties` false; compatible servers
    and tool schemas stumble over references and limits. Limits still hold when the reply is validated.
    """
    return cast(JsonObject, json.loads(_as_text(shape)))


@cache
def _as_text(shape: type[BaseModel]) -> str:
    """The schema as text: made once for each shape, and read anew so that every caller may change its own."""
    schema = shape.model_json_schema()
    definitions = cast(JsonObject, schema.get("$defs", {}))
    return json.dumps(_strict(schema, definitions))


def _strict(node: object, definitions: JsonObject) -> object:
    if isinstance(node, list):
        return [_strict(each, definitions) for each in node]
    if not isinstance(node, dict):
        return node
    if reference := node.get("$ref"):
        return _strict(definitions[str(reference).rsplit("/", 1)[-1]], definitions)
    kept = {key: _strict(value, definitions) for key, value in node.items() if key in _KEPT - {"properties"}}
    if "properties" in node:
        properties = {name: _strict(value, definitions) for name, value in node["properties"].items()}
        kept |= {"properties": properties, "required": list(properties), "additionalProperties": False}
    return kept
