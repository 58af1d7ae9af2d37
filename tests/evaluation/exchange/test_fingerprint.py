"""Content hashes and keys of near-duplicates."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from evaluation.exchange.fingerprint import content_hash, near_key, payload, question_id, short_hash
from evaluation.exchange.records import (
    DecisionRecord,
    DocumentRecord,
    InstanceRecord,
    Position,
    ResponseRecord,
    VerdictRecord,
)
from evaluation.schemas import Label, PresentationOrder, VerdictState

RESPONSE = ResponseRecord("r", "q", "A b", "S", "w48", {"x": 1, "y": [2]})


def test_equal_content_has_one_hash_whatever_its_place_or_order_of_keys():
    moved = replace(RESPONSE, at=Position("other", 9), metadata={"y": [2], "x": 1})

    assert content_hash(moved) == content_hash(RESPONSE)


@pytest.mark.parametrize(
    "change", [{"text": "A  b"}, {"system": ""}, {"batch": "w49"}, {"instance_id": "p"}, {"metadata": {"x": 1.5}}]
)
def test_any_other_content_has_another_hash(change):
    assert content_hash(replace(RESPONSE, **change)) != content_hash(RESPONSE)


def test_one_instant_in_two_zones_has_one_hash():
    moment = datetime(2024, 6, 1, 12, tzinfo=UTC)
    decision = DecisionRecord("1", "c", Label.ACCEPT, "A", moment)
    elsewhere = replace(decision, decided_at=moment.astimezone(timezone(timedelta(hours=2))))

    assert content_hash(elsewhere) == content_hash(decision)


def test_near_keys_ignore_white_space_and_ids_but_not_the_system():
    assert near_key(replace(RESPONSE, external_id="s", text=" A\n b ")) == near_key(RESPONSE)
    assert near_key(replace(RESPONSE, system="T")) != near_key(RESPONSE)


@pytest.mark.parametrize("record", [replace(RESPONSE, text=" "), DocumentRecord("d", "", "x")])
def test_empty_texts_and_documents_have_no_near_key(record):
    assert near_key(record) is None


def test_a_payload_leaves_out_what_says_nothing():
    vote = VerdictRecord("c", "j", VerdictState.CAST, Label.FIRST, confidence=0.0)

    assert payload(vote) == {
        "type": "verdict", "claim": "c", "judge": "j", "state": "cast", "label": "first", "confidence": 0.0
    }  # fmt: skip
    assert payload(replace(vote, order=PresentationOrder.SWAPPED, sample=2))["order"] == "swapped"
    assert payload(InstanceRecord("q", "")) == {"type": "instance", "id": "q"}


def test_derived_ids_depend_on_every_part_and_on_where_parts_end():
    assert question_id("p", "c", "", ()) != question_id("p", "", "c", ())
    assert short_hash("ab", "c") != short_hash("a", "bc")
    assert len(short_hash("x")) == 12
