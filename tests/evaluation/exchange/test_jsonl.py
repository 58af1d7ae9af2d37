"""Our own JSONL: what a person writes becomes records."""

from __future__ import annotations

import json

import pytest

from evaluation.exchange.records import ResponseRecord, VerdictRecord
from evaluation.schemas import ClaimKind, Label, PresentationOrder, VerdictState

NESTED = {
    "id": "q1",
    "prompt": "How long?",
    "context": "a fridge",
    "sources": [{"id": "d1", "title": "Sheet", "text": "11 hours."}],
    "gold": "11 hours",
    "metadata": {"ward": 3},
    "responses": [
        {
            "id": "r1",
            "system": "Aster",
            "batch": "w48",
            "text": "It lasts 18 hours.",
            "claims": [
                {
                    "id": "c1",
                    "text": "It lasts 18 hours.",
                    "tags": ["numbers"],
                    "gold": "reject",
                    "verdicts": {"a": "accept"},
                }
            ],
        }
    ],
}


def test_it_reads_a_nested_instance_with_everything_inside(read_text):
    parsed = read_text(json.dumps(NESTED))

    bundle = parsed.bundle
    assert parsed.refusals == ()
    assert parsed.format == "jsonl"
    assert bundle.instances[0].document_ids == ("d1",)
    assert bundle.instances[0].metadata == {"ward": 3}
    assert bundle.responses == (ResponseRecord("r1", "q1", "It lasts 18 hours.", "Aster", "w48"),)
    assert bundle.claims[0].instance_id == "q1"
    assert bundle.claims[0].gold is Label.REJECT
    assert bundle.verdicts == (VerdictRecord("c1", "a", VerdictState.CAST, Label.ACCEPT),)
    assert bundle.project_hints.kind is ClaimKind.STATEMENT


def test_it_reads_a_pair_with_swapped_and_failed_votes(read_text):
    verdicts = [
        {"judge": "g", "label": "Left"},
        {"judge": "g", "label": "second", "order": "swapped"},
        {"judge": "h", "state": "failed", "reason": "time-out"},
        {"judge": "h", "label": "tie", "sample": 1, "confidence": 0},
    ]
    claims = [{"id": "p", "responses": ["a", "b"], "verdicts": verdicts}]
    line = {
        "id": "q",
        "prompt": "p",
        "responses": [{"id": "a", "text": "x"}, {"id": "b", "text": "y"}],
        "claims": claims,
    }

    bundle = read_text(json.dumps(line)).bundle

    assert bundle.claims[0].kind is ClaimKind.PREFERENCE
    assert [vote.label for vote in bundle.verdicts] == [Label.FIRST, Label.SECOND, None, Label.TIE]
    assert bundle.verdicts[1].order is PresentationOrder.SWAPPED
    assert bundle.verdicts[2].reason == "time-out"
    assert bundle.verdicts[3].confidence == 0.0
    assert bundle.project_hints.allow_tie is True


def test_flat_lines_may_come_in_any_order(read_text):
    parsed = read_text(
        '{"type":"verdict","claim":"c","judge":"j","label":"accept"}\n'
        '{"type":"claim","id":"c","response":"r","text":"x"}\n'
        '{"type":"response","id":"r","instance":"q","text":"x"}\n'
        '{"type":"instance","id":"q","prompt":"p"}\n'
    )

    assert parsed.refusals == ()
    assert parsed.bundle.claims[0].instance_id == "q"


def test_texts_are_kept_character_by_character(read_text):
    text = " a\r\nb\u2028c\u0085\tz "

    parsed = read_text(json.dumps({"id": "r", "question": "q", "response": text}, ensure_ascii=False) + "\r\n")

    assert parsed.refusals == ()
    assert parsed.bundle.responses[0].text == text


def test_a_byte_order_mark_is_accepted(read_text):
    parsed = read_text(b'\xef\xbb\xbf{"id":"r","question":"q","response":"x"}')

    assert parsed.refusals == ()
    assert len(parsed.bundle.responses) == 1


@pytest.mark.parametrize("at", ["2024-10-27T02:30:00+01:00", "2024-10-27T01:30:00Z"])
def test_a_ruling_keeps_its_instant_in_utc(read_text, at):
    lines = [{**NESTED}, {"type": "decision", "id": "1", "claim": "c1", "label": "reject", "expert": "Ana", "at": at}]

    parsed = read_text("\n".join(map(json.dumps, lines)))

    assert parsed.refusals == ()
    assert parsed.bundle.decisions[0].decided_at.isoformat() == "2024-10-27T01:30:00+00:00"
