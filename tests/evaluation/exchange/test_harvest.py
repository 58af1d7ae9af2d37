"""Records of one reading until they make a bundle."""

from __future__ import annotations

from evaluation.exchange.harvest import Harvest
from evaluation.exchange.records import InstanceRecord, Position, ProjectHints, ResponseRecord
from evaluation.schemas import ClaimKind


def test_an_empty_reading_is_an_empty_bundle_without_hints() -> None:
    bundle = Harvest().bundle()

    assert list(bundle.records()) == []
    assert bundle.project_hints == ProjectHints()


def test_the_first_instance_of_an_id_is_kept_and_given_back_to_the_next() -> None:
    harvest = Harvest()
    first = InstanceRecord("q1", "How long?", at=Position("f.csv", 2))
    other = InstanceRecord("q1", "How wide?", at=Position("f.csv", 3))

    given = [harvest.share_instance(first), harvest.share_instance(other)]

    assert given == [first, first]
    assert harvest.bundle().instances == (first,)


def test_a_twin_of_the_first_is_not_added_again() -> None:
    harvest = Harvest()

    for row in (2, 3, 4):
        harvest.share_instance(InstanceRecord("q1", "How long?", at=Position("f.csv", row)))

    assert [record.at.row for record in harvest.bundle().instances] == [2]


def test_records_keep_the_order_of_the_file_within_their_type() -> None:
    harvest = Harvest()
    harvest.responses += [ResponseRecord("b", "q1", "x"), ResponseRecord("a", "q1", "y")]
    harvest.share_instance(InstanceRecord("q1", "How long?"))
    harvest.hints = ProjectHints(ClaimKind.PREFERENCE, allow_tie=False)

    bundle = harvest.bundle()

    assert [record.external_id for record in bundle.records()] == ["q1", "b", "a"]
    assert bundle.project_hints.allow_tie is False


def test_a_bundle_does_not_change_when_reading_goes_on() -> None:
    harvest = Harvest()
    before = harvest.bundle()

    harvest.share_instance(InstanceRecord("q1", "How long?"))

    assert before.instances == ()
