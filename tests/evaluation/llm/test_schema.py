"""Schemas in the strict dialect."""

from __future__ import annotations

from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field

from evaluation.llm.schema import schema_of


class Part(BaseModel):
    title: str = "none"
    share: float | None = Field(default=None, ge=0, le=1)


class Whole(BaseModel):
    parts: list[Part]


def test_it_has_no_references_and_requires_every_property() -> None:
    item = schema_of(Whole)["properties"]["parts"]["items"]

    assert item == {
        "type": "object",
        "properties": {"title": {"type": "string"}, "share": {"anyOf": [{"type": "number"}, {"type": "null"}]}},
        "required": ["title", "share"],
        "additionalProperties": False,
    }


def test_it_is_a_schema_that_a_value_of_the_shape_fits() -> None:
    schema = schema_of(Whole)

    Draft202012Validator.check_schema(schema)

    assert Draft202012Validator(schema).is_valid(Whole(parts=[Part()]).model_dump())
    assert not Draft202012Validator(schema).is_valid({"parts": [{"title": "a"}]})
