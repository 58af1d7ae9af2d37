"""Writes a rubric to take home, as Markdown to read and as JSON to process: each entry with where it comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from evaluation.exchange.records import JsonObject
from evaluation.schemas import Label, RubricExample

SPECIAL = re.compile(r"([\\`*_\[\]<>&|~@]|(?<=[A-Za-z]):(?=//)|(?<=\bwww)\.)")
IN_FORCE = "active"
STATUS_WORDS = {IN_FORCE: "in force", "draft": "draft", "under_review": "under review", "retired": "retired"}
HEADINGS = {"draft": "drafts", "under_review": "under review", "retired": "retired"}
LINE_START = re.compile(r"^(\d{1,9})([.)])|^([-+#=:])")


@dataclass(frozen=True)
class ProvenanceRow:
    """A ruling that an entry rests on."""

    decision_id: str
    expert: str
    decided_at: datetime
    claim_id: str
    claim_text: str
    label: Label | None
    reason: str = ""


@dataclass(frozen=True)
class RubricRow:
    """One rubric entry as it is exported; a missing example carries the reason why there is none."""

    entry_id: str
    version: int
    status: str
    criterion: str
    boundary: str = ""
    dimension: str = ""
    weight: float | None = None
    tags: tuple[str, ...] = ()
    positive: RubricExample | None = None
    positive_missing: str = ""
    negative: RubricExample | None = None
    negative_missing: str = ""
    provenance: tuple[ProvenanceRow, ...] = ()


def rubric_json(project: str, rows: Iterable[RubricRow]) -> Iterator[str]:
    """The rubric as one JSON object, written entry by entry."""
    name = json.dumps(project, ensure_ascii=False)
    yield f'{{"format": "juryflow-rubric", "version": 1, "project": {name}, "entries": ['
    for number, row in enumerate(rows):
        yield (",\n" if number else "\n") + json.dumps(_entry(row), ensure_ascii=False, allow_nan=False)
    yield "\n]}\n"


def rubric_markdown(project: str, rows: Iterable[RubricRow], words: Mapping[Label, str]) -> Iterator[str]:
    """The rubric as a Markdown text in which every word of a person or a file is shown literally.

    Rules in force come first; what is not in force stands under its own heading (`rows` are grouped by status).
    `words` are the labels as people read them.
    """
    yield f"# Rules the judges follow: {literal(project)}\n"
    count = 0
    for status, group in groupby(rows, key=lambda row: row.status):
        if not count and status != IN_FORCE:
            yield "\nNo rule is in force.\n"
        if status != IN_FORCE:
            yield f"\n# Not in force: {literal(HEADINGS.get(status, status))}\n"
        for number, row in enumerate(group, start=1):
            count += 1
            yield "\n" + "\n".join(_section(number, row, words)) + "\n"
    if not count:
        yield "\nThere is no rule yet. A rule is drafted when two rulings point the same way.\n"


def literal(text: str) -> str:
    """Text on one line that Markdown shows as it stands; line ends become spaces."""
    line = " ".join(text.split())
    escaped = SPECIAL.sub(r"\\\1", line)
    return LINE_START.sub(lambda match: f"{match[1] or ''}\\{match[2] or match[3]}", escaped)


def _section(number: int, row: RubricRow, words: Mapping[Label, str]) -> list[str]:
    lines = [f"## {number}. {literal(row.criterion)}", ""]
    lines += [f"- **Holds not when:** {literal(row.boundary) or 'no boundary is given'}"]
    lines += [f"- **Example ok:** {_example(row.positive, row.positive_missing, words)}"]
    lines += [f"- **Example bad:** {_example(row.negative, row.negative_missing, words)}"]
    lines += [f"- **Tags:** {', '.join(map(literal, row.tags)) or 'none'}"]
    if row.dimension:
        lines += [f"- **Dimension:** {literal(row.dimension)}"]
    if row.weight is not None:
        lines += [f"- **Weight:** {row.weight:g}"]
    status = literal(STATUS_WORDS.get(row.status, row.status))
    lines += [f"- **Status:** {status}, entry {literal(row.entry_id)}, version {row.version}"]
    lines += ["- **Comes from:**" if row.provenance else "- **Comes from:** no ruling; written by hand"]
    return lines + [f"  - {_origin(each, words)}" for each in row.provenance]


def _example(example: RubricExample | None, missing: str, words: Mapping[Label, str]) -> str:
    if example is None:
        return f"none ({literal(missing) or 'no reason is given'})"
    note = f" ({literal(example.note)})" if example.note else ""
    return f"“{literal(example.text)}” is *{_word(example.label, words)}*{note}"


def _word(label: Label, words: Mapping[Label, str]) -> str:
    return literal(words.get(label, label.value))


def _origin(row: ProvenanceRow, words: Mapping[Label, str]) -> str:
    ruling = f"ruled *{_word(row.label, words)}*" if row.label else "ruled that it is not a claim"
    reason = f": {literal(row.reason)}" if row.reason else ""
    where = f"claim {literal(row.claim_id)} “{literal(row.claim_text)}”"
    return f"{literal(row.expert)}, {row.decided_at.isoformat(timespec='minutes')}, {ruling} on {where}{reason}"


def _entry(row: RubricRow) -> JsonObject:
    return {
        "id": row.entry_id,
        "version": row.version,
        "status": row.status,
        "criterion": row.criterion,
        "boundary": row.boundary,
        "dimension": row.dimension,
        "weight": row.weight,
        "tags": list(row.tags),
        "examples": {
            "positive": _example_object(row.positive, row.positive_missing),
            "negative": _example_object(row.negative, row.negative_missing),
        },
        "provenance": [_origin_object(each) for each in row.provenance],
    }


def _example_object(example: RubricExample | None, missing: str) -> JsonObject:
    if example is None:
        return {"text": None, "missing_because": missing}
    return {"text": example.text, "label": example.label.value, "note": example.note}


def _origin_object(row: ProvenanceRow) -> JsonObject:
    return {
        "decision": row.decision_id,
        "expert": row.expert,
        "at": row.decided_at.isoformat(),
        "claim": row.claim_id,
        "claim_text": row.claim_text,
        "label": row.label.value if row.label else None,
        "reason": row.reason,
    }
