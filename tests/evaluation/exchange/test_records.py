"""Records, their keys and their order."""

from __future__ import annotations

from evaluation.exchange.records import (
    Bundle,
    InstanceRecord,
    Position,
    RecordType,
    ResponseRecord,
    VerdictRecord,
    record_key,
    verdict_key,
)
from evaluation.schemas import Label, PresentationOrder, VerdictState


def test_a_verdict_is_the_same_again_by_claim_judge_order_and_sample():
    vote = VerdictRecord("c", "j", VerdictState.CAST, Label.FIRST, PresentationOrder.SWAPPED, 2)

    assert record_key(vote) == verdict_key("c", "j", PresentationOrder.SWAPPED, 2)
    assert record_key(vote) != verdict_key("c", "j", PresentationOrder.AS_GIVEN, 2)


def test_keys_of_verdicts_cannot_be_confused_by_what_ids_hold():
    one = VerdictRecord("a · b", "c", VerdictState.FAILED)
    other = VerdictRecord("a", "b · c", VerdictState.FAILED)

    assert one.external_id == other.external_id
    assert record_key(one) != record_key(other)


def test_a_record_is_equal_wherever_it_stands():
    assert InstanceRecord("q", "p", at=Position("f", 1)) == InstanceRecord("q", "p", at=Position("g", 7))


def test_a_bundle_gives_its_records_in_the_order_they_have_to_be_stored():
    bundle = Bundle(responses=(ResponseRecord("r", "q", "x"),), instances=(InstanceRecord("q", "p"),))

    assert [record_key(record)[0] for record in bundle.records()] == [RecordType.INSTANCE, RecordType.RESPONSE]
