"""Proposals: accepted ones hold for their claim, dropped ones do not, and each is answered once."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.errors import ConflictError
from evaluation.models import Claim, Decision, Outcome, Project, Proposal, Verdict
from evaluation.services import decisions, proposals
from tests import factories

pytestmark = pytest.mark.django_db


def propose(project: Project, owner: User, label: str = "reject") -> tuple[Proposal, Decision, Claim]:
    judges = factories.make_judges(project)
    focal, other = factories.make_disputed(project, judges, 2)
    decision = factories.rule(focal, owner, "accept")
    verdict = Verdict.objects.create(
        claim=other, judge=judges[0], run=factories.make_run(project), purpose="review", state="cast", label=label
    )
    made = Proposal.objects.create(decision=decision, claim=other, verdict=verdict, before_label="accept", label=label)
    return made, decision, other


def outcome(claim: Claim) -> tuple[str, str, str]:
    row = Outcome.objects.select_related("claim", "pattern").get(claim=claim)
    return row.source, row.label, row.state


def test_an_accepted_one_holds_for_its_claim(project: Project, owner: User) -> None:
    proposal, _, other = propose(project, owner)

    answered = proposals.accept(proposal=proposal, by=owner)

    assert outcome(other) == ("reviewer", "reject", "decided")
    assert (answered.state, answered.answered_by) == ("accepted", owner)
    assert answered.answered_at is not None
    assert sum(project.patterns.values_list("n_open", flat=True)) == 0


def test_a_dropped_one_leaves_the_panel_s_answer(project: Project, owner: User) -> None:
    proposal, _, other = propose(project, owner)

    proposals.drop(proposal=proposal, by=owner)

    assert outcome(other) == ("panel", "accept", "open")


def test_one_is_answered_once(project: Project, owner: User) -> None:
    proposal, _, other = propose(project, owner)
    proposals.drop(proposal=proposal, by=owner)

    with pytest.raises(ConflictError, match="answered already"):
        proposals.accept(proposal=proposal, by=owner)

    assert outcome(other)[0] == "panel"


def test_an_expert_s_ruling_stands_over_an_accepted_one(project: Project, owner: User) -> None:
    proposal, _, other = propose(project, owner)
    proposals.accept(proposal=proposal, by=owner)

    ruling = factories.rule(other, owner, "accept")
    ruled = outcome(other)
    decisions.undo(decision=ruling, by=owner)

    assert ruled == ("expert", "accept", "decided")
    assert outcome(other) == ("reviewer", "reject", "decided")


@pytest.mark.parametrize("accepts", [True, False])
def test_undo_of_the_ruling_behind_it_withdraws_it(project: Project, owner: User, accepts: bool) -> None:
    proposal, decision, other = propose(project, owner)
    if accepts:
        proposals.accept(proposal=proposal, by=owner)

    decisions.undo(decision=decision, by=owner)

    proposal.refresh_from_db()
    assert proposal.state == Proposal.State.WITHDRAWN
    assert outcome(other) == ("panel", "accept", "open")
    assert sum(project.patterns.values_list("n_open", flat=True)) == 2
    with pytest.raises(ConflictError):
        proposals.accept(proposal=proposal, by=owner)
