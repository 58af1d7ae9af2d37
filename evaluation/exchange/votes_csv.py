"""Reads a CSV of votes in long form: one row per vote, columns by name (docs/import-formats.md)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain

from evaluation.exchange.fields import clip
from evaluation.exchange.harvest import Harvest
from evaluation.exchange.labels import parse_vote
from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import Position
from evaluation.exchange.source_file import SourceFile
from evaluation.exchange.votes_columns import COLUMNS, EXPORT_ONLY, NEEDED, SAFE_NOTE_START
from evaluation.exchange.votes_items import add_items
from evaluation.exchange.votes_rows import RowReader
from evaluation.schemas import ClaimKind

MAX_CELL = 2**31 - 1


@dataclass(frozen=True)
class Cells:
    """One record of the file: the line it begins on and its cells."""

    row: int
    values: list[str]


def read_votes_csv(source: SourceFile, log: ProblemLog, kind: ClaimKind | None = None) -> Harvest:
    """Read all rows, then build one claim per item; what is wrong goes to the log."""
    harvest = Harvest()
    text = source.text(log)
    if text is None:
        return harvest
    records = _records(text, source, log)
    header = next(records, None)
    first = next(records, None)
    if header is None or _is_wide(header, first, Position(source.name, header.row), log):
        return harvest
    records = chain([first] if first else [], records)
    if not _is_header_fine(header, Position(source.name, header.row), log):
        return harvest
    names = _names(header)
    reader = RowReader(log, kind)
    rows = [
        reader.read(dict(zip(names, cells.values, strict=True)), Position(source.name, cells.row))
        for cells in _even(records, len(names), source, log)
    ]
    if not rows and not log.refusals:
        log.refuse(source.whole, "", "The file has a header and no rows; nothing can be imported from it.")
    add_items([row for row in rows if row is not None], harvest, log)
    return harvest


def _records(text: str, source: SourceFile, log: ProblemLog) -> Iterator[Cells]:
    """The records of the file; reading stops where quotes do not close, because what follows cannot be trusted."""
    csv.field_size_limit(MAX_CELL)  # its default of 128 KiB for one cell is too small for reports
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        row = reader.line_num + 1
        try:
            values = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            is_cut = "unexpected end" in str(error)
            reason = "The file ends inside a quoted cell; it is cut off, or a quote is not closed."
            other = f"The quotes do not fit ({error}); a quote inside a quoted cell is written twice."
            log.refuse(Position(source.name, row), "", reason if is_cut else other)
            return
        if values:
            yield Cells(row, values)


def _even(records: Iterator[Cells], width: int, source: SourceFile, log: ProblemLog) -> Iterator[Cells]:
    for cells in records:
        if len(cells.values) == width:
            yield cells
            continue
        reason = f"The row has {len(cells.values)} cells, the header has {width}; put cells with commas in quotes."
        log.refuse(Position(source.name, cells.row), "", reason)


def _names(header: Cells) -> list[str]:
    return [name.strip().casefold() for name in header.values]


def _is_wide(header: Cells, first: Cells | None, at: Position, log: ProblemLog) -> bool:
    """Refuse a table with one column per judge, which is known by votes under names that are no columns of ours."""
    names = _names(header)
    cells = first.values if first else []
    judges = [
        written.strip()
        for name, written, cell in zip(names, header.values, cells, strict=False)
        if name not in COLUMNS and name not in EXPORT_ONLY and parse_vote(cell)
    ]
    if not judges or "judge" in names or "label" in names:
        return False
    row = ",".join((cells[0], judges[0], cells[header.values.index(judges[0])]))
    reason = (
        "There is one column per judge here; needed is one row per vote with the columns item, judge and label, "
        f"such as {clip(row)}."
    )
    log.refuse(at, clip(", ".join(judges)), reason)
    return True


def _is_header_fine(header: Cells, at: Position, log: ProblemLog) -> bool:
    names = _names(header)
    if names[-1].startswith(SAFE_NOTE_START.casefold()):
        reason = "This is the spreadsheet-safe form, whose texts are changed; import the exact CSV of the export."
        log.refuse(at, "", reason)
        return False
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        log.refuse(at, "", "The columns are not separated by commas; save the file as CSV with commas.")
        return False
    before = len(log.refusals)
    _check_names(names, at, log)
    return len(log.refusals) == before


def _check_names(names: list[str], at: Position, log: ProblemLog) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            log.refuse(at, clip(name), "The column is there twice; keep one.")
        elif name not in COLUMNS and name not in EXPORT_ONLY:
            near = get_close_matches(clip(name), COLUMNS, n=1)
            hint = f"did you mean “{near[0]}”?" if near else f"the columns are {', '.join(COLUMNS)}."
            log.refuse(at, clip(name) or f"column {index + 1}", f"The column is not known; {hint}")
    needed = ("item",) if "text" in names and "judge" not in names and "label" not in names else NEEDED
    for name in needed:
        if name not in names:
            log.refuse(at, name, f"The column “{name}” is missing; a file of votes needs {', '.join(NEEDED)}.")
    ignored = [name for name in names if name in EXPORT_ONLY]
    if ignored:
        log.warn(at, ", ".join(ignored), "These columns follow from votes and rulings; they are not read.")
