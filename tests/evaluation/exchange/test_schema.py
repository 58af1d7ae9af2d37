"""The JSON schema file and the documents say the same as the reader."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from evaluation.exchange import jsonl
from evaluation.exchange.export_jsonl import jsonl_chunks

ROOT = Path(jsonl.__file__).parents[2]
GUIDE = (ROOT / "docs" / "import-formats.md").read_text()
BLOCKS = re.findall(r"```jsonl\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = json.loads(Path(jsonl.__file__).with_name("juryflow.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_guide_has_an_example_of_every_form():
    assert len(BLOCKS) == 4


@pytest.mark.parametrize("block", BLOCKS)
def test_every_example_of_the_guide_is_valid_and_imports(read_text, validator, block):
    parsed = read_text(block)

    assert parsed.refusals == ()
    assert parsed.warnings == ()
    for line in block.splitlines():
        validator.validate(json.loads(line))


def test_the_votes_example_of_the_guide_imports(read_text):
    block = re.search(r"```csv\n(.*?)```", GUIDE, re.DOTALL)

    assert read_text(block[1], "v.csv").refusals == ()


@pytest.mark.parametrize("block", BLOCKS)
def test_every_exported_line_is_valid(read_text, validator, block):
    bundle = read_text(block).bundle

    for line in jsonl_chunks(bundle.records(), bundle.project_hints):
        validator.validate(json.loads(line))


@pytest.mark.parametrize(
    "line",
    [
        {"id": "r", "response": "A"},
        {"id": "r", "question": "Q", "response": 7},
        {"id": "r", "question": "Q", "response": "A", "extra": 1},
        {"id": " r", "question": "Q", "response": "A"},
        {"id": 2**64, "prompt": "p"},
        {"type": "verdict", "claim": "c", "judge": "j"},
        {"type": "verdict", "claim": "c", "judge": "j", "label": "yes"},
        {"type": "claim", "id": "c"},
        {"type": "decision", "id": "1", "claim": "c", "expert": "A", "at": "2024-06-01T12:00:00Z"},
        {"type": "thing"},
    ],
)
def test_what_the_schema_rejects_the_reader_refuses(read_text, validator, line):
    assert not validator.is_valid(line)
    assert read_text(json.dumps(line)).refusals
