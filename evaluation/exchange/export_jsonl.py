"""Writes our JSONL: the whole project as lines that import again to the same records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from evaluation.exchange.fingerprint import payload
from evaluation.exchange.jsonl_claims import FORMAT_VERSION
from evaluation.exchange.records import JsonObject, ProjectHints, Record


def jsonl_chunks(records: Iterable[Record], hints: ProjectHints | None = None) -> Iterator[str]:
    """One line per record, the project line first; any order of records imports again."""
    hints = hints or ProjectHints()
    head: JsonObject = {"type": "project", "version": FORMAT_VERSION}
    if hints.kind:
        head["kind"] = hints.kind.value
    if hints.allow_tie is not None:
        head["allow_tie"] = hints.allow_tie
    yield _line(head)
    for record in records:
        yield _line(payload(record))


def _line(value: JsonObject) -> str:
    """Non-Latin text as itself; JSON escapes line ends, so that a record is always one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"
