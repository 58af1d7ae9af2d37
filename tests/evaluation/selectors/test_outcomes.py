"""Which outcomes count as disputed and as ruled, and what a score reads of one."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.algorithms.scoring.weakest_link import ClaimReading
from evaluation.models import Decision, Outcome, Project
from evaluation.schemas import Label, OutcomeState
from evaluation.selectors import outcomes
from evaluation.services import decisions
from evaluation.services.decisions import Ruling
from tests import factories

pytestmark = pytest.mark.django_db


def test_disputed_is_what_judges_split_on_and_nobody_has_settled(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    still_open, settled, void = factories.make_disputed(project, judges, 3)
    agreed = factories.make_claim(project)
    factories.vote(agreed, dict.fromkeys(judges, "accept"))
    factories.rule(settled, owner)
    decisions.record(draw=factories.make_draw(void, owner), ruling=Ruling(action=Decision.Action.VOID))

    found = outcomes.disputed().filter(project=project)

    assert [outcome.claim_id for outcome in found] == [still_open.pk]


def test_an_audit_draws_from_voted_claims_that_one_can_judge(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    split, settled, passed = factories.make_disputed(project, judges, 3)
    agreed, _unjudged = factories.make_claim(project), factories.make_claim(project)
    factories.vote(agreed, dict.fromkeys(judges, "accept"))
    factories.rule(settled, owner)
    ruling = Ruling(action=Decision.Action.CANNOT_JUDGE)
    decisions.record(draw=factories.make_draw(passed, owner), ruling=ruling)
    other = factories.make_user()

    mine, theirs = (outcomes.for_audit(project, user.pk).values_list("claim", flat=True) for user in (owner, other))

    assert set(mine) == {split.pk, agreed.pk}
    assert set(theirs) == {split.pk, agreed.pk, passed.pk}


def test_ruled_leaves_out_adopted_opinions(project: Project, owner: User) -> None:
    own, adopted = factories.make_disputed(project, factories.make_judges(project), 2)
    factories.rule(own, owner)
    ruling = Ruling(label="accept", source=Decision.Source.REVIEWER)
    decisions.record(draw=factories.make_draw(adopted, owner), ruling=ruling)

    assert [outcome.claim_id for outcome in outcomes.ruled(project)] == [own.pk]


def test_a_reading_holds_what_is_true_now(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 4)
    ruled, tied = (factories.make_claim(project) for _ in range(2))
    factories.vote(ruled, {judges[0]: "accept", judges[1]: "reject"})
    factories.vote(tied, {judges[2]: "accept", judges[3]: "reject"})
    factories.rule(ruled, owner, "reject")

    found = [outcomes.reading_of(outcome) for outcome in Outcome.objects.order_by("claim_id")]

    assert found == [
        ClaimReading(ruled.pk, OutcomeState.DECIDED, Label.REJECT),
        ClaimReading(tied.pk, OutcomeState.SPLIT, None),
    ]
