"""What is left, what happened lately, and where it hurts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.models import Claim, Decision, Project
from evaluation.selectors.overview import TagCount, since, what_is_left, where_it_hurts
from evaluation.services import decisions
from tests.factories import (
    make_claim,
    make_disputed,
    make_draw,
    make_judges,
    make_pair,
    make_user,
    rule,
    vote,
)

pytestmark = pytest.mark.django_db


def test_every_claim_is_counted_under_what_holds_true_of_it(project: Project) -> None:
    judges = make_judges(project, 3)
    disputed = make_disputed(project, judges, 3)
    make_claim(project)
    vote(make_claim(project), {judges[0]: "accept"})
    vote(make_claim(project), dict.fromkeys(judges, "accept"))
    rule(disputed[0], make_user())
    void = make_draw(Claim.objects.get(pk=disputed[1].pk), make_user())
    decisions.record(draw=void, ruling=decisions.Ruling(action=Decision.Action.VOID))

    left = what_is_left(project=project)

    assert (left.n_claims, left.n_void) == (5, 1)
    assert (left.n_disputed, left.n_unjudged, left.n_thin, left.n_agreed, left.n_settled) == (1, 1, 1, 1, 1)


def test_an_empty_project_has_nothing_left(project: Project) -> None:
    left = what_is_left(project=project)

    assert (left.n_claims, left.n_disputed, left.n_yardstick) == (0, 0, 0)
    assert left.helpers == ()


def test_helpers_are_counted_without_undone_rulings(project: Project) -> None:
    ana, bea = make_user("ana"), make_user("bea")
    claims = make_disputed(project, make_judges(project), 3)
    rule(claims[0], ana)
    rule(claims[1], ana)
    decisions.undo(decision=rule(claims[2], bea), by=bea)

    helpers = what_is_left(project=project).helpers

    assert [(helper.name, helper.n_rulings) for helper in helpers] == [("ana", 2)]


def test_lately_leaves_out_what_is_older_than_a_week(project: Project) -> None:
    expert = make_user()
    claims = make_disputed(project, make_judges(project), 2)
    old = rule(claims[0], expert)
    rule(claims[1], expert)
    Decision.objects.filter(pk=old.pk).update(decided_at=timezone.now() - timedelta(days=8))

    assert since(project=project, user=expert).n_rulings == 1


def test_recent_rulings_say_undone_and_void_and_leave_out_what_was_passed_on(project: Project) -> None:
    expert = make_user("ana")
    first, second, third = make_disputed(project, make_judges(project), 3)
    decisions.undo(decision=rule(first, expert, "reject"), by=expert)
    for claim, action in ((second, Decision.Action.VOID), (third, Decision.Action.CANNOT_JUDGE)):
        draw = make_draw(Claim.objects.get(pk=claim.pk), expert)
        decisions.record(draw=draw, ruling=decisions.Ruling(action=action))

    found = since(project=project, user=expert)

    assert [(row.words, row.is_undone) for row in found.recent] == [("Not a claim", False), ("Not supported", True)]
    assert [row.claim_id for row in found.recent] == [second.pk, first.pk]
    assert found.n_more == 0


def test_it_says_how_many_rulings_are_not_listed(project: Project) -> None:
    expert = make_user("ana")
    for claim in make_disputed(project, make_judges(project), 10):
        rule(claim, expert)

    found = since(project=project, user=expert)

    assert (len(found.recent), found.n_more) == (8, 2)


def test_a_pair_is_told_in_the_words_of_the_side_that_the_reader_sees(project: Project) -> None:
    judges = make_judges(project)
    users = [make_user() for _ in range(12)]
    claim = make_pair(project)
    vote(claim, {judges[0]: "first", judges[1]: "second"})
    rule(claim, users[0], "first")

    words = {since(project=project, user=user).recent[0].words for user in users}

    assert words == {"Left", "Right"}


def test_tags_of_disputed_claims_are_counted_most_frequent_first(project: Project) -> None:
    judges = make_judges(project)
    make_disputed(project, judges, 2, tags=["price", "numbers and units"])
    make_disputed(project, judges, 1, tags=["numbers and units"])
    vote(make_claim(project, tags=["time"]), dict.fromkeys(judges, "accept"))

    assert where_it_hurts(project=project) == (TagCount("numbers and units", 3), TagCount("price", 2))


def test_a_settled_claim_no_longer_hurts(project: Project) -> None:
    rule(make_disputed(project, make_judges(project), 1, tags=["price"])[0], make_user())

    assert where_it_hurts(project=project) == ()
