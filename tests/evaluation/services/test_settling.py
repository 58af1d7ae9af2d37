"""Settling: an expert's word over the reviewer's over the panel's, from the events that survive."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Claim, Decision, Outcome, Project, Undo
from evaluation.services import settling
from tests import factories

pytestmark = pytest.mark.django_db


def decide(claim: Claim, owner: User, label: str = "", action: str = "rule") -> Decision:
    """An event by itself, without what the service does with it."""
    return Decision.objects.create(
        project=claim.project,
        claim=claim,
        expert=owner,
        draw=factories.make_draw(claim, owner),
        action=action,
        label=label,
        is_serious=bool(label),
        pattern=Outcome.objects.get(claim=claim).pattern,
        token=f"t{Decision.objects.count()}",
    )


@pytest.fixture
def claim(project: Project) -> Claim:
    return factories.make_disputed(project, factories.make_judges(project))[0]


def test_the_last_ruling_that_was_not_undone_stands(claim: Claim, owner: User) -> None:
    first, second = decide(claim, owner, "accept"), decide(claim, owner, "reject")
    decide(claim, owner, action="cannot_judge")

    settled = settling.settle(claim)
    standing = settling.standing_decision(claim)
    Undo.objects.create(decision=second, expert=owner)
    back = settling.settle(claim)

    assert (settled.source, settled.label, standing, settled.is_serious) == ("expert", "reject", second, True)
    assert (back.label, back.decision) == ("accept", first)


def test_a_claim_leaves_and_joins_the_open_ones_of_its_pattern(claim: Claim, owner: User) -> None:
    pattern = claim.outcome.pattern
    counts = [pattern.n_open]

    ruling = decide(claim, owner, "accept")
    for _ in range(2):
        settling.settle(claim)
        pattern.refresh_from_db()
        counts.append(pattern.n_open)
    Undo.objects.create(decision=ruling, expert=owner)
    outcome = settling.settle(claim)
    pattern.refresh_from_db()

    assert [*counts, pattern.n_open] == [1, 0, 0, 1]
    assert (outcome.source, outcome.decision, outcome.is_serious) == ("panel", None, False)


def test_a_void_claim_is_one_until_that_is_undone(claim: Claim, owner: User) -> None:
    void = decide(claim, owner, action="void")

    was = settling.settle(claim)
    Undo.objects.create(decision=void, expert=owner)
    now = settling.settle(claim)

    assert (was.decision, was.settled_label) == (void, "")
    assert not Claim.objects.get(pk=claim.pk).is_void
    assert now.claim.outcome.state == "open"
