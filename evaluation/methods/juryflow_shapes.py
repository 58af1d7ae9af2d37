"""The JSON shapes judges answer in, and the schemas sent for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from evaluation.llm.presentation import CANNOT_ASSESS
from evaluation.llm.protocol import JsonObject
from evaluation.llm.schema import schema_of
from evaluation.schemas import Label

Text = Annotated[str, StringConstraints(strip_whitespace=True)]
FilledText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Confidence = Annotated[float | None, Field(allow_inf_nan=False)]


class _Reply(BaseModel):
    """Unknown keys are ignored, and a number where a reference should be is read as its digits."""

    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True, frozen=True)


class _Voting(_Reply):
    """Unknown keys are kept: they may contradict the verdict, which counts all the same."""

    model_config = ConfigDict(extra="allow")


class FoundClaimReply(_Voting):
    text: FilledText
    quote: str
    tags: tuple[Text, ...] = ()
    rationale: Text
    verdict: Text
    confidence: Confidence = None


class DecompositionReply(_Reply):
    claims: tuple[FoundClaimReply, ...]


class VerdictReply(_Voting):
    claim: Text
    rationale: Text
    verdict: Text
    confidence: Confidence = None
    tags: tuple[Text, ...] = ()
    precedent_entry: int | None = None


class VerdictsReply(_Voting):
    verdicts: tuple[VerdictReply, ...]


class DraftReply(_Reply):
    criterion: FilledText
    boundary: Text = ""
    dimension: Text = ""
    tags: tuple[Text, ...] = ()
    positive_example: Text | None = None
    positive_missing: Text = ""
    negative_example: Text | None = None
    negative_missing: Text = ""


def decomposition_schema(labels: Sequence[Label]) -> JsonObject:
    """Return the schema of a decomposition in which only these labels and `cannot_assess` are verdicts."""
    schema = schema_of(DecompositionReply)
    _item(schema, "claims")["verdict"]["enum"] = _verdicts(labels)
    return schema


def verdicts_schema(labels: Sequence[Label], refs: Sequence[str]) -> JsonObject:
    """Return the schema of verdicts on exactly these references; the precedent is for providers of our own."""
    schema = schema_of(VerdictsReply)
    properties = _item(schema, "verdicts")
    properties["verdict"]["enum"] = _verdicts(labels)
    properties["claim"]["enum"] = list(refs)
    del properties["precedent_entry"]
    schema["properties"]["verdicts"]["items"]["required"].remove("precedent_entry")
    return schema


def draft_schema() -> JsonObject:
    """Return the schema of a drafted rubric entry."""
    return schema_of(DraftReply)


def _item(schema: JsonObject, name: str) -> JsonObject:
    properties: JsonObject = schema["properties"][name]["items"]["properties"]
    return properties


def _verdicts(labels: Sequence[Label]) -> list[str]:
    return [*(label.value for label in labels), CANNOT_ASSESS]
