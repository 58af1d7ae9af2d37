"""What is read from a request, whichever protocol it speaks."""

from __future__ import annotations

import json

import pytest

from evaluation.llm.fence import fence
from evaluation.llm.local_server.reading import about, digest_of_text, prompt_text, schema_of, told_text
from evaluation.llm.protocol import JsonObject
from tests.evaluation.llm.builders import SCHEMA, SECRET


def test_every_text_of_a_request_is_read() -> None:
    body = {
        "system": [{"type": "text", "text": "Be brief."}],
        "messages": [
            {"role": "user", "content": "One."},
            {"role": "user", "content": [{"type": "text", "text": "Two."}, {"type": "image", "source": {}}]},
            {"role": "assistant", "content": None},
        ],
    }

    assert prompt_text(body).split() == ["Be", "brief.", "One.", "Two."]


@pytest.mark.parametrize("sent", ["Two.", [{"role": "user", "content": [{"type": "input_text", "text": "Two."}]}]])
def test_a_response_is_asked_for_with_instructions_and_input(sent: object) -> None:
    assert prompt_text({"instructions": "One.", "input": sent}).split() == ["One.", "Two."]


def test_what_the_judge_said_before_is_told_apart() -> None:
    messages = [{"role": "user", "content": "One."}, {"role": "assistant", "content": "verdict: accept"}]

    assert told_text({"messages": messages}) == "One."


@pytest.mark.parametrize(
    "body",
    [
        {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": SCHEMA}}},
        {"text": {"format": {"type": "json_schema", "name": "a", "schema": SCHEMA}}},
        {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
        {"tools": [{"type": "web_search"}, {"name": "a", "input_schema": SCHEMA}]},
    ],
)
def test_the_schema_is_found_where_each_protocol_has_it(body: JsonObject) -> None:
    assert schema_of(body, "") == SCHEMA


def test_a_plain_server_finds_the_schema_in_the_words_but_not_in_a_fence() -> None:
    written = json.dumps(SCHEMA, indent=1)

    assert schema_of({}, f'Like {{"colour": "…"}}. The schema:\n{written}\nThat is all.') == SCHEMA
    assert schema_of({}, fence(SECRET, "response", written)) == {}


@pytest.mark.parametrize("body", [{}, {"messages": 5, "tools": 3}, {"messages": [1, {"content": 2}], "text": []}])
def test_nonsense_is_read_as_nothing(body: JsonObject) -> None:
    assert (prompt_text(body).strip(), schema_of(body, "")) == ("", {})


def test_a_request_is_about_the_claims_it_asks_for_or_about_its_response() -> None:
    blocks = [("response", "All of it."), ("claim 1", "Loud."), ("source 1", "Quiet."), ("claim 2", "A precedent.")]
    prompt = "\n".join(fence(SECRET, name, text) for name, text in blocks)
    schema = {"properties": {"verdicts": {"items": {"properties": {"claim": {"enum": ["1"]}}}}}}

    assert about(schema, prompt) == (digest_of_text("Loud."),)
    assert about({}, prompt) == (digest_of_text("Loud."), digest_of_text("A precedent."))
    assert about({}, fence(SECRET, *blocks[0])) == (digest_of_text("All of it."),)
    assert about(schema, "Which colour?") == about(SCHEMA, prompt) == ()
