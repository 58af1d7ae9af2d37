"""Columns have one name for reading and for writing."""

from __future__ import annotations

import csv
import io

from evaluation.exchange import export_csv
from evaluation.exchange.export_csv import DANGEROUS_STARTS, ClaimRow, spreadsheet_safe
from evaluation.exchange.votes_columns import COLUMNS, EXPORT_ONLY, NEEDED, SAFE_NOTE, VOTE_COLUMNS
from evaluation.schemas import ClaimKind


def test_no_column_is_listed_twice_and_the_needed_ones_are_columns() -> None:
    every = [*COLUMNS, *EXPORT_ONLY]

    assert len(set(every)) == len(every)
    assert set(NEEDED) <= set(COLUMNS)


def test_an_export_of_votes_has_every_column_that_an_import_reads_and_no_other() -> None:
    assert set(export_csv.VOTE_COLUMNS) == set(COLUMNS)


def test_an_export_of_claims_has_only_columns_that_an_import_reads_or_knows_to_leave_out() -> None:
    known = {*COLUMNS, *EXPORT_ONLY} - set(VOTE_COLUMNS)

    assert set(export_csv.CLAIM_COLUMNS) <= known
    assert set(EXPORT_ONLY) <= set(export_csv.CLAIM_COLUMNS)


def test_names_are_written_as_a_header_is_compared() -> None:
    assert [name for name in (*COLUMNS, *EXPORT_ONLY) if name != name.strip().casefold()] == []


def test_the_note_of_the_safe_form_names_every_dangerous_start_and_is_none_itself() -> None:
    words = {"=": "=", "+": "+", "-": "-", "@": "@", "\t": "tab", "\r": "carriage return"}

    assert all(words[start] in SAFE_NOTE for start in DANGEROUS_STARTS)
    assert spreadsheet_safe(SAFE_NOTE) == SAFE_NOTE


def test_a_header_alone_reads_back_as_its_columns() -> None:
    header = next(export_csv.claims_csv([ClaimRow("c", ClaimKind.STATEMENT)]))

    assert tuple(next(csv.reader(io.StringIO(header)))) == export_csv.CLAIM_COLUMNS
