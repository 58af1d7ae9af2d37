"""JSONL out and in again: the same records."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from evaluation.exchange.detect import read
from evaluation.exchange.export_jsonl import jsonl_chunks
from evaluation.exchange.records import (
    Bundle,
    ClaimRecord,
    DecisionRecord,
    InstanceRecord,
    OutcomeRecord,
    ResponseRecord,
)
from evaluation.schemas import ClaimKind, Label, OutcomeSource, OutcomeState


def bundle_of(*texts: str) -> Bundle:
    claims = [
        ClaimRecord(
            f"c{number}", "q", (f"r{number}",), ClaimKind.STATEMENT, text, (0, len(text)), metadata={"n": 2**63}
        )
        for number, text in enumerate(texts)
    ]
    responses = [ResponseRecord(f"r{number}", "q", text, "S") for number, text in enumerate(texts)]
    return Bundle(instances=(InstanceRecord("q", "p"),), responses=tuple(responses), claims=tuple(claims))


def export(bundle: Bundle) -> str:
    return "".join(jsonl_chunks(bundle.records(), bundle.project_hints))


def test_pc09_hostile_texts_come_back_exactly_and_nul_is_refused(read_text, peer_cases):
    texts = peer_cases["pc09"]["input"]["claim_texts"]
    clean = [text for text in texts if "\x00" not in text]

    parsed = read_text(export(bundle_of(*clean)))
    refused = read_text(export(bundle_of("a\x00b")))

    assert parsed.refusals == ()
    assert [claim.text for claim in parsed.bundle.claims] == clean
    assert [response.text for response in parsed.bundle.responses] == clean
    assert {(refusal.row, refusal.field) for refusal in refused.refusals} >= {(3, "text")}


def test_non_latin_text_is_written_as_itself():
    assert "重置昵称 🙂" in export(bundle_of("重置昵称 🙂"))


def test_an_export_with_rulings_and_outcomes_imports_to_the_same_bundle(read_text):
    text = (
        '{"type":"project","kind":"statement"}\n'
        '{"id":"q1","prompt":"p","sources":[{"id":"d","text":"t"}],"responses":[{"id":"r1","text":"x 🙂 y","claims":'
        '[{"id":"c1","quote":"y","text":"y","tags":["a"],"gold":"uncertain","verdicts":[{"judge":"j","label":"accept",'
        '"confidence":0.1},{"judge":"k","state":"abstained"},{"judge":"l","state":"failed"}]}]}]}\n'
        '{"type":"decision","id":"1","claim":"c1","void":true,"expert":"A","at":"2024-06-01T12:00:00.5+02:00",'
        '"draw":{"policy":"random","rank":3}}\n'
        '{"type":"outcome","claim":"c1","state":"split","source":"panel","support":0.5}\n'
    )
    bundle = read_text(text).bundle

    again = read_text(export(bundle))

    assert again.refusals == ()
    assert again.warnings == ()
    assert again.bundle == bundle
    assert len(list(bundle.records())) == 9


def test_bare_votes_from_a_csv_come_back_from_jsonl(read_text):
    bundle = read_text("item,judge,label\np1,a,tie\np1,b,failed\n", "v.csv").bundle

    again = read_text(export(bundle))

    assert again.refusals == ()
    assert again.bundle == bundle


def test_the_llmbar_tree_comes_back_from_jsonl(read_text, shared):
    bundle = read(shared / "data" / "llmbar").bundle

    again = read_text(export(bundle))

    assert again.refusals == ()
    assert again.bundle == bundle


@pytest.mark.parametrize("figure", [float("nan"), float("inf"), None])
def test_a_figure_that_is_not_defined_is_left_out(figure):
    outcome = OutcomeRecord("c", OutcomeState.OPEN, OutcomeSource.PANEL, Label.ACCEPT, figure)

    line = "".join(jsonl_chunks([outcome])).splitlines()[1]

    assert "support" not in json.loads(line)


def test_times_are_written_with_their_offset():
    decision = DecisionRecord("1", "c", Label.ACCEPT, "A", datetime(2024, 6, 1, 12, tzinfo=UTC))

    assert '"at": "2024-06-01T12:00:00+00:00"' in "".join(jsonl_chunks([decision]))
