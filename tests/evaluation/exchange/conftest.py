"""Fixtures of the exchange tests: files written on the spot, and the small cases from the trackers of peers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluation.exchange.detect import read
from evaluation.exchange.records import Parsed

ReadText = Callable[..., Parsed]
Cases = dict[str, dict[str, dict[str, list[str]]]]


@pytest.fixture
def read_text(tmp_path: Path) -> ReadText:
    """Write a text (or bytes) to a file of the given name and read it as an import."""

    def write_and_read(content: str | bytes, name: str = "data.jsonl", fmt: str | None = None) -> Parsed:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read(path, fmt)

    return write_and_read


@pytest.fixture(scope="session")
def peer_cases(shared: Path) -> Cases:
    """The small inputs from the trackers of peers, by the first part of their id."""
    cases = json.loads((shared / "cases" / "peer_cases.json").read_text())
    return {case["id"].split("-")[0]: case for case in cases}


def llmbar_entry(winner: object = "1", swapped: object = "2", **other: object) -> dict[str, object]:
    last = {
        "swap = False": {"completion": ["Output (a)", ""], "winner": winner},
        "swap = True": {"completion": ["Because of the second.", ""], "winner": swapped},
    }
    pair = {"input": "I", "output_1": "A", "output_2": "B", "label": 1}
    return {**pair, "results": [["metrics", "stop"], last], **other}


@pytest.fixture
def entry() -> Callable[..., dict[str, object]]:
    """Make an entry of recorded votes of our own, as published unless told otherwise."""
    return llmbar_entry


@pytest.fixture
def tree(tmp_path: Path):
    """Write a tree of one subset and one judge with the given entries."""

    def write(votes: object, pairs: object = None) -> Path:
        subset = tmp_path / "Dataset" / "LLMBar" / "Natural"
        folder = subset / "evaluators" / "J" / "Vanilla"
        folder.mkdir(parents=True)
        good = [{"input": "I", "output_1": "A", "output_2": "B", "label": 1}]
        (subset / "dataset.json").write_text(json.dumps(good if pairs is None else pairs))
        (folder / "result.json").write_text(json.dumps(votes))
        return tmp_path

    return write
