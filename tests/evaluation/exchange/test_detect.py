"""Finding the format, and files that cannot be read at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.errors import InvalidInputError
from evaluation.exchange.detect import ReadOptions, read
from evaluation.exchange.records import ExistingIndex, KnownResponse, RecordType
from evaluation.schemas import ClaimKind

ROW = '{"id":"r","question":"q","response":"x"}'


@pytest.mark.parametrize(
    ("name", "content", "fmt"),
    [
        ("a.jsonl", ROW, "jsonl"),
        ("a.NDJSON", ROW, "jsonl"),
        ("a.csv", "item,judge,label\nc,j,accept\n", "votes"),
        ("upload", ROW, "jsonl"),
        ("upload", "item,judge,label\nc,j,accept\n", "votes"),
    ],
)
def test_it_finds_the_format_by_ending_or_first_character(read_text, name, content, fmt):
    parsed = read_text(content, name)

    assert (parsed.format, parsed.refusals) == (fmt, ())


def test_an_unknown_format_is_an_error_that_names_the_formats(tmp_path):
    with pytest.raises(InvalidInputError, match="jsonl, llmbar, votes"):
        read(tmp_path / "x", "xml")


def test_the_hash_is_of_the_bytes_and_messages_use_the_given_name(tmp_path):
    for name, content in (("a.jsonl", ROW), ("b.jsonl", ROW), ("c.jsonl", ROW + "x")):
        Path(tmp_path / name).write_text(content)

    first, same, other = (
        read(tmp_path / name, None, ReadOptions(name="mine.jsonl")) for name in ("a.jsonl", "b.jsonl", "c.jsonl")
    )

    assert first.sha256 == same.sha256 != other.sha256
    assert other.refusals[0].file == "mine.jsonl"


def test_lines_may_refer_to_what_is_stored(tmp_path):
    path = tmp_path / "more.jsonl"
    path.write_text(
        '{"type":"verdict","claim":"c1","judge":"j","label":"accept"}\n'
        '{"type":"verdict","claim":"c1","judge":"k","label":"first"}\n'
        '{"type":"claim","id":"c2","response":"r1","quote":"lasts","text":"x"}\n'
    )
    existing = ExistingIndex(
        {(RecordType.CLAIM, "c1"): "h", (RecordType.RESPONSE, "r1"): "h"},
        responses={"r1": KnownResponse("q1", "It lasts.")},
        claim_kinds={"c1": ClaimKind.STATEMENT},
    )

    parsed = read(path, existing=existing)

    assert [(refusal.row, refusal.field) for refusal in parsed.refusals] == [(2, "label")]
    assert parsed.bundle.claims[0].instance_id == "q1"
    assert parsed.bundle.claims[0].span == (3, 8)
