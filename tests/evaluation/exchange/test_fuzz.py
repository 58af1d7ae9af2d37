"""Whatever a file holds, reading it ends in records or refusals, never in an unhandled error."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation.exchange.compare import compare
from evaluation.exchange.detect import read
from evaluation.exchange.export_jsonl import jsonl_chunks
from evaluation.exchange.records import ExistingIndex, Parsed
from evaluation.exchange.votes_columns import COLUMNS

FUZZ = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
FIELDS = ["type", "id", "prompt", "question", "response", "responses", "claims", "claim", "verdicts", "judge", "label",
          "state", "span", "quote", "text", "tags", "gold", "sources", "metadata", "order", "sample", "confidence",
          "instance", "system", "at", "expert", "void", "draw", "kind", "allow_tie", "version", "source"]  # fmt: skip
WORDS = ["instance", "response", "claim", "document", "verdict", "decision", "outcome", "project", "accept", "first",
         "failed", "preference", "as_given", "swapped", "r1", "c1", "2024-06-01T12:00:00Z", "open", ""]  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=5),
    max_leaves=12,
)
LINES = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=7)


def check(path: Path, fmt: str) -> Parsed:
    parsed = read(path, fmt)
    compare(parsed, ExistingIndex())
    assert parsed.refusals or next(parsed.bundle.records(), None)
    assert all(refusal.file and refusal.reason.endswith((".", "?")) for refusal in parsed.refusals)
    if not parsed.refusals:
        again = path.with_suffix(".again")
        again.write_text("".join(jsonl_chunks(parsed.bundle.records(), parsed.bundle.project_hints)), newline="")
        assert read(again, "jsonl").bundle == parsed.bundle
    return parsed


@pytest.mark.parametrize("fmt", ["jsonl", "votes"])
@FUZZ
@given(content=st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(tmp_path, fmt, content):
    path = tmp_path / "any"
    path.write_bytes(content)

    check(path, fmt)


@FUZZ
@given(lines=st.lists(LINES, min_size=1, max_size=4), cut=st.integers(0, 5))
def test_any_json_lines_are_read_or_refused(tmp_path, lines, cut):
    text = "\n".join(json.dumps(line) for line in lines)
    path = tmp_path / "any.jsonl"
    path.write_text(text[: len(text) - cut], newline="")

    check(path, "jsonl")


CELLS = st.sampled_from([*WORDS, "0.5", "1", "a;b", '["a;"]', "[", "reject"]) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=6
)


@FUZZ
@given(
    columns=st.lists(st.sampled_from(COLUMNS), unique=True, max_size=8).map(lambda some: ["item", *some]),
    rows=st.lists(st.lists(CELLS, min_size=9, max_size=9), min_size=1, max_size=4),
)
def test_any_table_of_votes_is_read_or_refused(tmp_path, columns, rows):
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([columns, *(row[: len(columns)] for row in rows)])
    path = tmp_path / "any.csv"
    path.write_bytes(buffer.getvalue().encode())

    check(path, "votes")


@FUZZ
@given(pairs=VALUES, votes=VALUES, stage=VALUES)
def test_any_tree_is_read_or_refused(tmp_path, pairs, votes, stage):
    folder = tmp_path / "Natural" / "evaluators" / "J" / "Vanilla"
    folder.mkdir(parents=True, exist_ok=True)
    pair = {"input": "I", "output_1": "A", "output_2": "B", "label": 1}
    good = [{**pair, "results": [{"swap = False": stage, "swap = True": stage}]}]
    for given_pairs, given_votes in ((pairs, votes), ([pair], votes), ([pair], good)):
        (tmp_path / "Natural" / "dataset.json").write_text(json.dumps(given_pairs))
        (folder / "result.json").write_text(json.dumps(given_votes))

        check(tmp_path, "llmbar")
