"""The paper's literal propagation, worked out and never stored."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.errors import InvalidInputError
from evaluation.models import Claim, ClaimEdge, ClaimGraph, Decision, Project
from evaluation.services import decisions, literal_flip
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def claims(project: Project) -> list[Claim]:
    """Four disputed claims, accepted by the panel; the first is joined to the second and third."""
    judges = factories.make_judges(project, 3)
    made = factories.make_disputed(project, judges, 4)
    factories.join(made[0], dict.fromkeys(made[1:3], 0.8))
    return made


def test_an_overturned_claim_turns_its_open_neighbours_over(claims: list[Claim], owner: User) -> None:
    factories.rule(claims[2], owner, "accept")

    found = literal_flip.would_flip(decision=factories.rule(claims[0], owner, "reject"))

    assert (found.before, found.ruling, found.n_neighbours) == ("accept", "reject", 1)
    assert [(each.claim_id, each.before, each.after) for each in found.turned] == [
        (claims[1].external_id, "accept", "reject")
    ]


def test_a_confirmed_claim_defends_its_neighbours(claims: list[Claim], owner: User) -> None:
    found = literal_flip.would_flip(decision=factories.rule(claims[0], owner, "accept"))

    assert (found.turned, found.n_defended) == ((), 2)


def test_a_claim_that_was_set_aside_passes_nothing_on(claims: list[Claim], owner: User) -> None:
    draw = factories.make_draw(claims[0], owner)
    decision = decisions.record(draw=draw, ruling=decisions.Ruling(action=Decision.Action.VOID))

    with pytest.raises(InvalidInputError, match="set the claim aside"):
        literal_flip.would_flip(decision=decision)


def test_a_claim_that_was_split_passes_nothing_on_although_its_own_ruling_moved_the_panel(
    claims: list[Claim], owner: User
) -> None:
    judges = list(claims[0].project.judges.all())
    split = factories.make_claim(claims[0].project)
    factories.vote(split, {judges[0]: "accept", judges[2]: "reject"})
    ClaimEdge.objects.create(graph=ClaimGraph.objects.get(), source=claims[1], target=split, weight=0.7)

    found = literal_flip.would_flip(decision=factories.rule(split, owner, "reject"))

    assert (found.before, found.turned, found.n_defended) == ("split", (), 0)
