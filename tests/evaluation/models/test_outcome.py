"""Constraints on outcomes, patterns and track records, and what an outcome reads from its pattern."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError

from evaluation.models import Outcome, Project, TrackRecord, VotePattern
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def outcome(project: Project) -> Outcome:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))
    return Outcome.objects.get(claim=claim)


@pytest.mark.parametrize("changes", [{"source": "expert"}, {"source": "reviewer"}, {"settled_label": "accept"}])
def test_only_a_settled_outcome_has_a_label_of_its_own(outcome: Outcome, changes: dict[str, str]) -> None:
    with pytest.raises(IntegrityError, match="a_settled_outcome_has_a_label"):
        Outcome.objects.filter(pk=outcome.pk).update(**changes)


def test_it_reads_its_pattern_until_it_is_settled_or_void(outcome: Outcome, owner: User) -> None:
    seen = [(outcome.label, outcome.state)]
    factories.rule(outcome.claim, owner, "reject")
    settled = Outcome.objects.get(pk=outcome.pk)
    seen.append((settled.label, settled.state))
    settled.claim.is_void = True
    seen.append((settled.label, settled.state))

    assert seen == [("accept", "open"), ("reject", "decided"), ("reject", "void")]


def test_a_claim_has_one_outcome(outcome: Outcome) -> None:
    with pytest.raises(IntegrityError):
        Outcome.objects.create(claim=outcome.claim, project=outcome.project, pattern=outcome.pattern)


def test_a_pattern_has_one_row(outcome: Outcome) -> None:
    row = outcome.pattern
    row.pk = None

    with pytest.raises(IntegrityError):
        row.save(force_insert=True)

    assert VotePattern._meta.constraints[0].name == "one_row_per_pattern"


def test_a_voter_has_one_record_of_a_kind(outcome: Outcome, owner: User) -> None:
    factories.rule(outcome.claim, owner)
    record = TrackRecord.objects.first()
    assert record is not None
    record.pk = None

    with pytest.raises(IntegrityError):
        record.save(force_insert=True)
