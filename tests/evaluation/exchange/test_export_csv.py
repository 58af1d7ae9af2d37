"""CSV out: exact for machines, safe for spreadsheets."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pytest

from evaluation.exchange.export_csv import ClaimRow, CsvForm, VoteRow, claims_csv, spreadsheet_safe, votes_csv
from evaluation.schemas import ClaimKind, Label, OutcomeSource, OutcomeState, PresentationOrder, VerdictState

STATEMENT = ClaimKind.STATEMENT


def records(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def hostile_rows(peer_cases) -> list[ClaimRow]:
    texts = peer_cases["pc09"]["input"]["claim_texts"]
    return [ClaimRow(f"c{number}", STATEMENT, text) for number, text in enumerate(texts) if "\x00" not in text]


def test_pc09_the_exact_form_is_one_record_per_claim_and_imports_again(read_text, peer_cases):
    rows = hostile_rows(peer_cases)

    text = "".join(claims_csv(rows))
    parsed = read_text(text, "claims.csv")

    assert [record[2] for record in records(text)[1:]] == [row.text for row in rows]
    assert len({len(record) for record in records(text)}) == 1
    assert "重置昵称 🙂" in text
    assert parsed.refusals == ()
    assert [claim.text for claim in parsed.bundle.claims] == [row.text for row in rows]


def test_pc09_the_spreadsheet_form_prefixes_formulas_and_says_so_in_its_header(read_text, peer_cases):
    rows = hostile_rows(peer_cases)

    text = "".join(claims_csv(rows, CsvForm.SPREADSHEET))
    parsed = read_text(text, "claims.csv")

    header, *body = records(text.removeprefix("\ufeff"))
    assert text.startswith("\ufeff")
    assert header[-1].startswith("Note: cells that start with = + - @")
    assert [record[2] for record in body] == [spreadsheet_safe(row.text) for row in rows]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for record in body for cell in record)
    assert "exact CSV" in parsed.refusals[0].reason


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_every_dangerous_start_is_prefixed(start):
    assert spreadsheet_safe(f"{start}x") == f"'{start}x"


@pytest.mark.parametrize("text", ["'plain", " =x", "x=1", "", "重"])
def test_other_starts_are_left_alone(text):
    assert spreadsheet_safe(text) == text


def test_a_votes_file_imports_to_the_same_votes(read_text):
    rows = [
        VoteRow("p", "j", Label.FIRST, VerdictState.CAST, ClaimKind.PREFERENCE, prompt="P", response="A",
                second_response="B", confidence=0.1, rationale="=1+1", tags=("a;b", "c"), gold=Label.TIE),
        VoteRow("p", "j", None, VerdictState.FAILED, ClaimKind.PREFERENCE, order=PresentationOrder.SWAPPED,
                sample=2, reason="time-out"),
    ]  # fmt: skip

    parsed = read_text("".join(votes_csv(rows)), "votes.csv")

    first, second = parsed.bundle.verdicts
    assert parsed.refusals == ()
    assert (first.label, first.confidence, first.rationale) == (Label.FIRST, 0.1, "=1+1")
    assert (second.state, second.order, second.sample, second.reason) == (
        VerdictState.FAILED,
        PresentationOrder.SWAPPED,
        2,
        "time-out",
    )
    assert parsed.bundle.claims[0].tags == ("a;b", "c")
    assert parsed.bundle.claims[0].gold is Label.TIE


def test_pc07_what_is_not_defined_is_an_empty_cell():
    row = ClaimRow("c", STATEMENT, support=float("nan"), entropy=None, votes_cast=0)

    header, cells = records("".join(claims_csv([row])))

    by_name = dict(zip(header, cells, strict=True))
    assert (by_name["support"], by_name["entropy"], by_name["votes_cast"]) == ("", "", "0")


def test_columns_that_follow_from_votes_are_not_read_back(read_text):
    row = ClaimRow("c", STATEMENT, "x", answer=Label.ACCEPT, answer_state=OutcomeState.DECIDED,
                   answer_source=OutcomeSource.EXPERT, ruled_by="Ana", ruled_at=datetime(2024, 6, 1, tzinfo=UTC),
                   serious=True)  # fmt: skip

    text = "".join(claims_csv([row]))
    parsed = read_text(text, "claims.csv")

    assert "2024-06-01T00:00:00+00:00" in text
    assert ",true" in text
    assert parsed.refusals == ()
    assert "not read" in parsed.warnings[0].reason


def test_rows_are_written_as_they_come():
    def endless():
        number = 0
        while True:
            number += 1
            yield ClaimRow(f"c{number}", STATEMENT)

    chunks = claims_csv(endless())

    assert next(chunks).startswith("item,kind,text")
    assert next(chunks).startswith("c1,")
