"""Instances, responses and documents of our JSONL."""

from __future__ import annotations

import json

import pytest


def test_it_derives_ids_for_responses_and_claims_without_one(read_text):
    parsed = read_text(
        '{"id":"q","prompt":"p","responses":[{"system":"Birch","text":"x","claims":[{"text":"x"}]},{"text":"y"}]}'
    )

    assert [response.external_id for response in parsed.bundle.responses] == ["q/Birch", "q/response-2"]
    assert parsed.bundle.claims[0].external_id == "q/Birch/claim-1"


def test_it_keeps_64_bit_ids_exactly(read_text):
    parsed = read_text('{"id":9007199254740993,"prompt":"p","responses":[{"id":18446744073709551615,"text":"x"}]}')

    assert parsed.bundle.instances[0].external_id == "9007199254740993"
    assert parsed.bundle.responses[0].external_id == "18446744073709551615"


def test_equal_questions_of_short_rows_are_one_instance(read_text):
    parsed = read_text(
        '{"id":"r1","question":"Q","response":"A"}\n'
        '{"id":"r2","question":"Q","response":"B"}\n'
        '{"id":"r3","question":"Q","response":"A","context":"else"}\n'
    )

    assert len(parsed.bundle.instances) == 2
    assert parsed.bundle.responses[0].instance_id == parsed.bundle.responses[1].instance_id
    assert [response.external_id for response in parsed.bundle.responses] == ["r1", "r2", "r3"]


def test_the_same_document_inside_two_instances_is_one(read_text):
    line = '{"id":"%s","prompt":"p","sources":[{"id":"d","text":"t"}]}\n'

    parsed = read_text(line % "q1" + line % "q2")

    assert parsed.refusals == ()
    assert len(parsed.bundle.documents) == 1


@pytest.mark.parametrize(
    ("line", "field", "words"),
    [
        ({"id": "q", "prompt": "p", "question": "p"}, "question", "keep one"),
        ({"id": "q", "prompt": "p", "sources": [{"text": "t", "id": "d"}, "d"]}, "sources[2]", "named twice"),
        ({"id": "q", "prompt": "p", "sources": [{"title": "t"}]}, "sources[1].text", "missing"),
        ({"id": "q", "prompt": "p", "sources": [{"text": "t", "x": 1}]}, "sources[1].x", "not known"),
        ({"id": "q", "prompt": "p", "responses": [{"texts": "t"}]}, "responses[1].texts", "did you mean “text”"),
    ],
)
def test_a_wrong_part_is_refused_with_its_path(read_text, line, field, words):
    refusal = read_text(json.dumps(line)).refusals[0]

    assert refusal.field == field
    assert words in refusal.reason


def test_two_rows_of_one_instance_must_agree(read_text):
    row = '{"id":"%s","instance":"q","question":"%s","response":"A"}\n'

    parsed = read_text(row % ("r1", "P") + row % ("r2", "other"))

    assert [(refusal.row, refusal.field) for refusal in parsed.refusals] == [(2, "instance")]


def test_sources_without_ids_get_them_from_the_instance_or_their_text(read_text):
    nested = read_text('{"id":"q","prompt":"p","sources":[{"text":"t"},{"text":"u"}]}').bundle
    short = read_text('{"id":"r","question":"p","response":"A","sources":[{"text":"t"}]}').bundle

    assert [document.external_id for document in nested.documents] == ["q/source-1", "q/source-2"]
    assert short.instances[0].document_ids[0].startswith("source-")


def test_two_responses_of_one_system_get_different_ids(read_text):
    responses = [{"system": "S", "text": "x"}, {"system": "S", "text": "y"}]

    parsed = read_text(json.dumps({"id": "q", "prompt": "p", "responses": responses}))

    assert [response.external_id for response in parsed.bundle.responses] == ["q/S", "q/response-2"]
