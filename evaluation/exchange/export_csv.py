"""Writes CSV by RFC 4180, exact or safe for spreadsheets: one row per claim, or one row per vote."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from math import isfinite
from typing import TypeAlias

from evaluation.exchange.votes_columns import SAFE_NOTE
from evaluation.schemas import ClaimKind, Label, OutcomeSource, OutcomeState, PresentationOrder, VerdictState

DANGEROUS_STARTS = ("=", "+", "-", "@", "\t", "\r")
BOM = "\ufeff"


class CsvForm(StrEnum):
    """`exact` keeps every character and imports again; `spreadsheet` disarms formulas and says so in its header."""

    EXACT = "exact"
    SPREADSHEET = "spreadsheet"


@dataclass(frozen=True)
class ClaimRow:
    """One claim with its texts and current answer; column names are the field names."""

    item: str
    kind: ClaimKind
    text: str = ""
    prompt: str = ""
    context: str = ""
    response: str = ""
    system: str = ""
    batch: str = ""
    second_response: str = ""
    second_system: str = ""
    gold: Label | None = None
    tags: tuple[str, ...] = ()
    answer: Label | None = None
    answer_state: OutcomeState | None = None
    answer_source: OutcomeSource | None = None
    support: float | None = None
    votes: str = ""
    votes_cast: int | None = None
    votes_failed: int | None = None
    entropy: float | None = None
    ruled_by: str = ""
    ruled_at: datetime | None = None
    ruling_reason: str = ""
    serious: bool | None = None


@dataclass(frozen=True)
class VoteRow:
    """One vote with what it was about; `state` fills the label's cell where no vote was cast."""

    item: str
    judge: str
    label: Label | None
    state: VerdictState
    kind: ClaimKind
    text: str = ""
    prompt: str = ""
    context: str = ""
    response: str = ""
    system: str = ""
    batch: str = ""
    second_response: str = ""
    second_system: str = ""
    source: str = ""
    gold: Label | None = None
    tags: tuple[str, ...] = ()
    confidence: float | None = None
    rationale: str = ""
    order: PresentationOrder = PresentationOrder.AS_GIVEN
    sample: int = 0
    reason: str = ""


Cell: TypeAlias = str | int | float | bool | datetime | tuple[str, ...] | None

CLAIM_COLUMNS = tuple(field.name for field in fields(ClaimRow))
VOTE_COLUMNS = tuple(field.name for field in fields(VoteRow) if field.name != "state")


def claims_csv(rows: Iterable[ClaimRow], form: CsvForm = CsvForm.EXACT) -> Iterator[str]:
    """One record per claim, in chunks of text."""
    cells = ([_text(getattr(row, column)) for column in CLAIM_COLUMNS] for row in rows)
    return _csv(CLAIM_COLUMNS, cells, form)


def votes_csv(rows: Iterable[VoteRow], form: CsvForm = CsvForm.EXACT) -> Iterator[str]:
    """One record per vote, in chunks of text; the exact form is a file of votes that imports again."""
    return _csv(VOTE_COLUMNS, (_vote_cells(row) for row in rows), form)


def spreadsheet_safe(text: str) -> str:
    """The text with ' in front where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(DANGEROUS_STARTS) else text


def _vote_cells(row: VoteRow) -> list[str]:
    label = row.label if row.state is VerdictState.CAST else row.state
    return [_text(label if column == "label" else getattr(row, column)) for column in VOTE_COLUMNS]


def _csv(columns: Sequence[str], rows: Iterable[list[str]], form: CsvForm) -> Iterator[str]:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    is_safe = form is CsvForm.SPREADSHEET
    writer.writerow([*columns, SAFE_NOTE] if is_safe else columns)
    yield (BOM if is_safe else "") + _drain(buffer)
    for cells in rows:
        writer.writerow([*map(spreadsheet_safe, cells), ""] if is_safe else cells)
        yield _drain(buffer)


def _drain(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text


def _text(value: Cell) -> str:
    """A cell as text; what is not defined is an empty cell, never NaN."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value) if isfinite(value) else ""
        case datetime():
            return value.isoformat()
        case tuple():
            return _tags(value)
        case _:
            return str(value)


def _tags(tags: tuple[str, ...]) -> str:
    is_plain = all(";" not in tag and tag == tag.strip() for tag in tags) and not "".join(tags).startswith("[")
    return "; ".join(tags) if is_plain else json.dumps(list(tags), ensure_ascii=False)
