"""A preview says exactly what the ruling then does, stores nothing, and names earlier rulings against it."""

from __future__ import annotations

import random

import pytest
from django.contrib.auth.models import User

from evaluation.errors import InvalidInputError
from evaluation.models import Claim, Decision, Project, VotePattern
from evaluation.selectors.previews import Preview
from evaluation.services import preview
from tests import factories

pytestmark = pytest.mark.django_db
LABELS = ("accept", "reject", "uncertain")


def fresh(claim: Claim) -> Claim:
    return Claim.objects.select_related("project", "outcome__pattern", "instance").get(pk=claim.pk)


def varied(project: Project, n: int, seed: int) -> list[Claim]:
    judges, chance = factories.make_judges(project, 3), random.Random(seed)
    claims = [factories.make_claim(project) for _ in range(n)]
    for claim in claims:
        factories.vote(claim, {judge: chance.choice((*LABELS, "")) for judge in judges})
    return claims


@pytest.mark.parametrize("seed", range(4))
def test_it_foretells_what_a_ruling_moves(project: Project, owner: User, seed: int) -> None:
    claims, chance = varied(project, 10, seed), random.Random(seed)

    for _ in range(6):
        claim, label = fresh(chance.choice(claims)), chance.choice(LABELS)
        foretold = preview.preview(claim=claim, label=label)
        came = factories.rule(claim, owner, label).propagation
        moves = {(m.before_label, m.before_state, m.after_label, m.after_state, m.n_claims) for m in foretold.moves}
        assert moves == set(
            came.moves.values_list("before_label", "before_state", "after_label", "after_state", "n_claims")
        )
        assert foretold.n_moved == came.n_moved


def test_it_stores_nothing(project: Project, owner: User) -> None:
    claim = fresh(factories.make_disputed(project, factories.make_judges(project, 2), 3)[0])
    before = list(VotePattern.objects.values())

    found = preview.preview(claim=claim, label="reject")

    assert (found.n_moved, found.n_open, found.n_rulings) == (2, 3, 0)
    assert list(VotePattern.objects.values()) == before
    assert not Decision.objects.exists()


def test_it_names_an_earlier_ruling_on_like_wording_and_opens_by_itself(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    first, second, third = (factories.make_claim(project, f"Delivery takes {n} weeks.") for n in (6, 6, 16))
    for claim in (first, second, third):
        factories.vote(claim, {judges[0]: "accept", judges[1]: "reject"})
    factories.join(first, {second: 0.95, third: 0.95})
    factories.rule(first, owner, "reject")

    against = preview.preview(claim=fresh(second), label="accept")
    along = preview.preview(claim=fresh(second), label="reject")
    other = preview.preview(claim=fresh(third), label="accept")

    assert against.contradicts == (f"tom ruled “Not supported” on a claim with like wording: “{first.text}”",)
    assert (against.opens_by_itself, along.opens_by_itself, other.contradicts) == (True, False, ())


def test_a_large_move_opens_by_itself_only_after_the_first_rulings() -> None:
    early = Preview(n_moved=11, n_open=100, n_rulings=19, contradicts=(), moves=())
    late = Preview(n_moved=11, n_open=100, n_rulings=20, contradicts=(), moves=())
    small = Preview(n_moved=10, n_open=100, n_rulings=20, contradicts=(), moves=())

    assert [each.opens_by_itself for each in (early, late, small)] == [False, True, False]


def test_it_refuses_what_is_no_answer_here(project: Project) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))

    with pytest.raises(InvalidInputError, match="not an answer here"):
        preview.preview(claim=fresh(claim), label="first")
