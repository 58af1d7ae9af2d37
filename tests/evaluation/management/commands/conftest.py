"""Runs commands as a person would, and writes small files for them to import."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

Say = Callable[..., str]
Ask = Callable[..., dict[str, Any]]
WriteMemo = Callable[..., Path]

SOURCE = (
    "The fridge arrives 6 weeks after the order. Installation is included in the price. "
    "The offer was signed by Marta Lind. The warranty lasts 24 months. The fridge holds 140 litres."
)
TRUE = ("The fridge arrives 6 weeks after the order.", "The warranty lasts 24 months.", "The fridge holds 140 litres.")


@pytest.fixture
def say() -> Say:
    """Run a command and return what it prints for people."""

    def run(*words: str) -> str:
        out = StringIO()
        call_command(*words, stdout=out)
        return out.getvalue()

    return run


@pytest.fixture
def ask(say: Say) -> Ask:
    """Run a command with --json and return the one object it prints."""

    def run(*words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(say(*words, "--json"))
        return found

    return run


@pytest.fixture
def write_memo(tmp_path: Path) -> WriteMemo:
    """Write one memo with true statements and the given false ones, each with gold, and optionally votes."""

    def write(
        false: Sequence[str] = (), *, votes: Mapping[str, Sequence[str]] | None = None, name: str = "memo.jsonl"
    ) -> Path:
        texts = [*TRUE, *false]
        claims: list[dict[str, Any]] = [
            {"id": f"c{n}", "text": text, "quote": text, "gold": "accept" if text in TRUE else "reject"}
            for n, text in enumerate(texts, 1)
        ]
        for judge, labels in (votes or {}).items():
            for claim, label in zip(claims, labels, strict=True):
                claim.setdefault("verdicts", {})[judge] = label
        memo = {"id": "m1", "system": "Aster", "text": " ".join(texts), "claims": claims}
        source = {"id": "offer", "title": "Offer", "text": SOURCE}
        path = tmp_path / name
        path.write_text(
            json.dumps({"id": "q1", "prompt": "What is offered?", "sources": [source], "responses": [memo]})
        )
        return path

    return write
