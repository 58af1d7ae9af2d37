"""Draws: the same claim until it is ruled on, every tenth at random, and nothing twice that one cannot judge."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Claim, Decision, Draw, Project
from evaluation.services import decisions, draws
from evaluation.services.decisions import Ruling
from tests import factories

pytestmark = pytest.mark.django_db


def give_up(draw: Draw) -> Decision:
    return decisions.record(draw=draw, ruling=Ruling(action=Decision.Action.CANNOT_JUDGE))


def drawn(project: Project, expert: User, after: Claim | None = None) -> Draw:
    draw = draws.next_draw(project=project, expert=expert, after=after)
    assert draw is not None
    return draw


def test_the_same_draw_comes_back_until_it_is_ruled_on(project: Project, owner: User) -> None:
    factories.make_disputed(project, factories.make_judges(project), 2)
    other = factories.make_user()

    first, again, theirs = drawn(project, owner), drawn(project, owner), drawn(project, other)
    decisions.record(draw=first, ruling=Ruling(label="accept"))
    following = drawn(project, owner)

    assert first == again
    assert theirs != first
    assert (first.policy, first.rank, first.is_audit) == ("posterior_entropy", 1, False)
    assert following.claim != first.claim


def test_a_claim_that_somebody_else_settled_is_not_kept(project: Project, owner: User) -> None:
    claims = factories.make_disputed(project, factories.make_judges(project), 2)
    mine = drawn(project, owner)
    factories.rule(mine.claim, factories.make_user())

    following = drawn(project, owner)

    assert {mine.claim, following.claim} == set(claims)
    assert not Draw.objects.get(pk=mine.pk).is_open


def test_every_tenth_pick_is_an_audit_with_its_chance(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    factories.make_disputed(project, judges, 12)
    for _ in range(8):
        factories.vote(factories.make_claim(project), dict.fromkeys(judges, "accept"))

    picks = []
    for _ in range(10):
        picks.append(drawn(project, owner))
        decisions.record(draw=picks[-1], ruling=Ruling(label="accept"))

    audits = [pick for pick in picks if pick.is_audit]
    assert [picks.index(audit) for audit in audits] == [9]
    assert audits[0].policy == "random"
    assert audits[0].probability == pytest.approx(1 / 11)


def test_where_nothing_is_disputed_each_pick_is_an_audit_with_its_chance(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    agreed = [factories.make_claim(project) for _ in range(3)]
    for claim in agreed:
        factories.vote(claim, dict.fromkeys(judges, "accept"))
    factories.make_claim(project)

    picks = []
    while draw := draws.next_draw(project=project, expert=owner):
        picks.append(draw)
        decisions.record(draw=draw, ruling=Ruling(label="accept"))

    assert {pick.claim for pick in picks} == set(agreed)
    assert all(pick.is_audit for pick in picks)
    assert [pick.probability for pick in picks] == [pytest.approx(1 / 3), pytest.approx(1 / 2), 1.0]


def test_no_audit_is_drawn_where_the_project_has_none(project: Project, owner: User) -> None:
    project.parameters = {"audit_every": 0}
    project.save()
    judges = factories.make_judges(project)
    factories.make_disputed(project, judges, 11)
    factories.vote(factories.make_claim(project), dict.fromkeys(judges, "accept"))

    for _ in range(11):
        decisions.record(draw=drawn(project, owner), ruling=Ruling(label="accept"))

    assert draws.next_draw(project=project, expert=owner) is None
    assert not Draw.objects.filter(is_audit=True).exists()


@pytest.mark.parametrize(("next_claim", "is_near"), [("same_response", True), ("strict_rank", False)])
def test_the_next_claim_is_of_the_same_response_or_by_rank(
    project: Project, owner: User, next_claim: str, is_near: bool
) -> None:
    project.parameters = {"next_claim": next_claim}
    project.save()
    judges = factories.make_judges(project)
    near = factories.make_claim(project)
    (best,) = factories.make_disputed(project, judges)
    (ruled,) = factories.make_disputed(project, judges, response=near.response)  # type: ignore[arg-type]
    Claim.objects.filter(pk=best.pk).update(degree=5)
    factories.vote(near, {judge: "reject" if judge == judges[-1] else "accept" for judge in judges})
    factories.rule(ruled, owner)

    draw = drawn(project, owner, after=ruled)

    assert draw.claim == (near if is_near else best)


def test_a_claim_one_cannot_judge_comes_back_to_others_only(project: Project, owner: User) -> None:
    factories.make_disputed(project, factories.make_judges(project))
    first = drawn(project, owner)

    ruling = give_up(first)
    left = draws.next_draw(project=project, expert=owner)
    theirs = drawn(project, factories.make_user())
    decisions.undo(decision=ruling, by=owner)

    assert left is None
    assert theirs.claim == first.claim
    assert drawn(project, owner).claim == first.claim


def test_an_audit_never_draws_what_is_settled_void_unjudged_or_given_up(project: Project, owner: User) -> None:
    project.parameters = {"audit_every": 1}
    project.save()
    judges = factories.make_judges(project)
    settled, void, given_up, kept = factories.make_disputed(project, judges, 4)
    factories.make_claim(project)
    factories.rule(settled, owner)
    give_up(draws.by_hand(claim=given_up, expert=owner))
    decisions.record(draw=draws.by_hand(claim=void, expert=owner), ruling=Ruling(action=Decision.Action.VOID))

    draw = drawn(project, owner)

    assert (draw.claim, draw.is_audit, draw.probability) == (kept, True, 1.0)


def test_opening_by_hand_keeps_an_open_draw_or_notes_one(project: Project, owner: User) -> None:
    first, second = factories.make_disputed(project, factories.make_judges(project), 2)
    ranked = drawn(project, owner)
    other = second if ranked.claim == first else first

    same, made = draws.by_hand(claim=ranked.claim, expert=owner), draws.by_hand(claim=other, expert=owner)

    assert same == ranked
    assert (made.is_by_hand, made.policy, made.probability) == (True, "by_hand", None)
    assert drawn(project, owner) == ranked
