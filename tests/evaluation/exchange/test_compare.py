"""The report before an import: new, unchanged, conflicting, odd."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.exchange.compare import compare
from evaluation.exchange.fingerprint import content_hash, near_key
from evaluation.exchange.records import ExistingIndex, Parsed, RecordType, record_key
from evaluation.schemas import Label

R = RecordType.RESPONSE


def index_of(parsed: Parsed) -> ExistingIndex:
    records = list(parsed.bundle.records())
    near = {key: record.external_id for record in records if (key := near_key(record))}
    return ExistingIndex({record_key(record): content_hash(record) for record in records}, near)


def test_pc08_a_second_upload_is_unchanged_conflicting_or_a_near_duplicate(read_text, peer_cases):
    case = peer_cases["pc08"]["input"]
    stored = index_of(read_text("\n".join(case["first_upload"])))

    report = compare(read_text("\n".join(case["second_upload"])), stored)

    assert report.unchanged[R] == ("r1",)
    assert report.conflicting[R] == ("r2",)
    assert report.new[R] == ("r3",)
    assert [(notice.row, "“r3”" in notice.reason, "“r1”" in notice.reason) for notice in report.warnings] == [
        (3, True, True)
    ]
    assert not report.refused


def test_the_same_file_again_is_all_unchanged(read_text):
    text = "item,judge,label,text,response\nc1,a,accept,T,R\nc1,b,failed,T,R\n"
    stored = index_of(read_text(text, "v.csv"))

    report = compare(read_text(text, "v.csv"), stored)

    assert (report.new, report.conflicting, report.warnings) == ({}, {}, ())
    assert {kind: len(ids) for kind, ids in report.unchanged.items()} == {
        RecordType.INSTANCE: 1,
        RecordType.RESPONSE: 1,
        RecordType.CLAIM: 1,
        RecordType.VERDICT: 2,
    }


def test_a_changed_vote_conflicts_and_another_sample_is_new(read_text):
    stored = index_of(read_text("item,judge,label,sample\nc1,a,accept,0\n", "v.csv"))

    report = compare(read_text("item,judge,label,sample\nc1,a,reject,0\nc1,a,reject,1\n", "v.csv"), stored)

    assert len(report.conflicting[RecordType.VERDICT]) == len(report.new[RecordType.VERDICT]) == 1


def test_near_duplicates_within_one_file_are_warned_of_once(read_text):
    row = '{"id":"%s","question":"Q","response":"%s","system":"%s"}\n'
    text = row % ("r1", "A b", "S") + row % ("r2", "A  b", "S") + row % ("r3", "A b", "T")

    report = compare(read_text(text), ExistingIndex())

    assert [notice.row for notice in report.warnings] == [2]


def test_what_reading_refused_is_in_the_report(read_text):
    report = compare(read_text("item,judge,label\nc1,a,maybe\n", "v.csv"), ExistingIndex())

    assert [refusal.row for refusal in report.refused] == [2]


@pytest.mark.parametrize("change", [{"text": "y"}, {"gold": Label.REJECT}, {"tags": ("t",)}, {"metadata": {"a": 1}}])
def test_the_content_hash_sees_every_field_but_not_the_place(read_text, change):
    claim = read_text("item,text\nc1,x\n", "v.csv").bundle.claims[0]

    assert content_hash(replace(claim, at=replace(claim.at, row=99))) == content_hash(claim)
    assert content_hash(replace(claim, **change)) != content_hash(claim)
