"""The shapes judges answer in, and the schemas sent for them."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from evaluation.llm.protocol import JsonObject
from evaluation.methods.juryflow_shapes import (
    DecompositionReply,
    DraftReply,
    VerdictReply,
    VerdictsReply,
    decomposition_schema,
    draft_schema,
    verdicts_schema,
)
from evaluation.schemas import Label

BINARY = (Label.FIRST, Label.SECOND)
VERDICT = {"claim": "11", "rationale": "Because.", "verdict": "accept"}
FOUND = {"text": "It holds.", "quote": "It holds.", "rationale": "Because.", "verdict": "accept"}


def nodes(schema: object) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [node for each in schema for node in nodes(each)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(node for each in schema.values() for node in nodes(each))]


def test_only_labels_of_the_project_and_the_way_out_are_verdicts() -> None:
    of_verdicts = verdicts_schema(BINARY, ["7"])["properties"]["verdicts"]["items"]["properties"]
    of_claims = decomposition_schema(BINARY)["properties"]["claims"]["items"]["properties"]

    assert of_verdicts["verdict"]["enum"] == of_claims["verdict"]["enum"] == ["first", "second", "cannot_assess"]


def test_only_claims_that_were_asked_about_have_a_reference() -> None:
    schema = verdicts_schema(BINARY, ["11", "12"])
    invented = {"verdicts": [VERDICT | {"claim": "99", "verdict": "first", "confidence": None, "tags": []}]}

    with pytest.raises(jsonschema.ValidationError, match="'99' is not one of"):
        jsonschema.validate(invented, schema)


def test_one_request_never_leaves_its_labels_in_the_next() -> None:
    verdicts_schema(BINARY, ["7"])

    other = verdicts_schema((Label.ACCEPT,), ["8"])["properties"]["verdicts"]["items"]["properties"]

    assert (other["verdict"]["enum"], other["claim"]["enum"]) == (["accept", "cannot_assess"], ["8"])


def test_remote_judges_are_not_asked_for_a_precedent_but_ours_may_name_one() -> None:
    item = verdicts_schema(BINARY, ["7"])["properties"]["verdicts"]["items"]

    assert "precedent_entry" not in {*item["properties"], *item["required"]}
    assert VerdictReply.model_validate(VERDICT | {"precedent_entry": 7}).precedent_entry == 7


@pytest.mark.parametrize("schema", [decomposition_schema(BINARY), verdicts_schema(BINARY, ["7"]), draft_schema()])
def test_every_schema_is_in_the_strict_dialect(schema: JsonObject) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    objects = [node for node in nodes(schema) if node.get("type") == "object"]

    assert objects
    for node in objects:
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])
    assert not [node for node in nodes(schema) if "$ref" in node]


def test_a_number_where_a_reference_should_be_is_read_as_its_digits() -> None:
    huge = 2**63 + 1

    assert VerdictReply.model_validate(VERDICT | {"claim": huge}).claim == str(huge)


def test_what_a_talkative_judge_adds_is_kept_beside_and_space_is_stripped() -> None:
    read = VerdictsReply.model_validate({"verdicts": [VERDICT | {"verdict": " accept\n", "mood": "good"}], "note": 1})

    assert read.verdicts[0].verdict == "accept"
    assert (read.verdicts[0].model_extra, read.model_extra) == ({"mood": "good"}, {"note": 1})
    assert VerdictsReply.model_validate(read.model_dump()) == read


@pytest.mark.parametrize("confidence", [float("nan"), float("inf")])
def test_a_confidence_that_no_database_keeps_is_refused(confidence: float) -> None:
    with pytest.raises(ValidationError, match="confidence"):
        VerdictReply.model_validate(VERDICT | {"confidence": confidence})


@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_claim_or_rule_without_words_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="text"):
        DecompositionReply.model_validate({"claims": [FOUND | {"text": text}]})
    with pytest.raises(ValidationError, match="criterion"):
        DraftReply.model_validate({"criterion": text})


def test_a_quote_keeps_its_space_because_it_is_looked_for_as_it_is() -> None:
    read = DecompositionReply.model_validate({"claims": [FOUND | {"quote": " It holds. "}]})

    assert read.claims[0].quote == " It holds. "
