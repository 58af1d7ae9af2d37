"""Vote patterns: one row for all claims with the same votes, in step with the votes that are current."""

from __future__ import annotations

import pytest

from evaluation.models import Claim, Outcome, Project, Verdict, VotePattern
from evaluation.services import judges as judge_service
from evaluation.services import patterns
from tests import factories

pytestmark = pytest.mark.django_db


def test_claims_with_the_same_votes_share_a_row(project: Project) -> None:
    judges = factories.make_judges(project)
    factories.make_disputed(project, judges, 3)
    other = factories.make_claim(project)
    factories.vote(other, dict.fromkeys(judges, "accept"))

    rows = list(project.patterns.filter(n_open__gt=0).order_by("-n_open"))

    assert [(row.n_open, row.n_cast, row.is_candidate, row.is_full, row.label) for row in rows] == [
        (3, 3, True, True, "accept"),
        (1, 3, False, True, "accept"),
    ]
    assert rows[0].panel_entropy > rows[1].panel_entropy == 0


@pytest.mark.parametrize(
    ("votes", "state", "label", "is_candidate"),
    [
        (("", "", ""), "unjudged", "", False),
        (("reject", "", ""), "thin", "reject", False),
        (("reject", "accept", ""), "split", "", True),
        (("reject", "accept", "accept"), "open", "accept", True),
        (("accept", "accept", "accept"), "open", "accept", False),
    ],
)
def test_states_follow_the_cast_votes(
    project: Project, votes: tuple[str, ...], state: str, label: str, is_candidate: bool
) -> None:
    claim = factories.make_claim(project)

    factories.vote(claim, dict(zip(factories.make_judges(project), votes, strict=True)))

    row = Outcome.objects.get(claim=claim).pattern
    assert (row.state, row.label, row.is_candidate) == (state, label, is_candidate)
    assert row.is_full == all(votes)


def test_a_mirrored_split_is_the_same_split(project: Project) -> None:
    judges = factories.make_judges(project, 2)
    claims = [factories.make_claim(project) for _ in range(2)]
    for claim, labels in zip(claims, (("accept", "reject"), ("reject", "accept")), strict=True):
        factories.vote(claim, dict(zip(judges, labels, strict=True)))

    first, second = (Outcome.objects.get(claim=claim).pattern for claim in claims)

    assert first != second
    assert first.split == second.split


def test_failed_review_and_replaced_votes_stand_outside(project: Project) -> None:
    judges = factories.make_judges(project)
    (claim,) = factories.make_disputed(project, judges)
    run = factories.make_run(project)
    Verdict.objects.create(claim=claim, judge=judges[0], run=run, purpose="review", state="cast", label="reject")
    Verdict.objects.create(claim=claim, judge=judges[1], run=run, state="cast", label="reject")

    patterns.refresh(project=project, claim_ids=[claim.pk])

    assert Outcome.objects.get(claim=claim).pattern.key.count("accept") == 2


def test_samples_of_a_voter_share_its_vote(project: Project) -> None:
    (judge,) = factories.make_judges(project, 1)
    claim, run = factories.make_claim(project), factories.make_run(project)
    for sample, label in enumerate(("accept", "reject", "accept")):
        Verdict.objects.create(
            claim=claim, judge=judge, run=run, sample=sample, state="cast", label=label, is_current=True
        )

    patterns.refresh(project=project, claim_ids=[claim.pk])

    row = Outcome.objects.get(claim=claim).pattern
    assert sum(vote.share for vote in patterns.votes_of(row)) == pytest.approx(1)
    assert (row.state, row.label) == ("thin", "accept")


def test_a_judge_switched_off_votes_no_more_and_counts_again_when_switched_on(project: Project) -> None:
    judges = factories.make_judges(project)
    (claim,) = factories.make_disputed(project, judges)
    before = Outcome.objects.get(claim=claim).pattern

    judge_service.set_active(judge=judges[2], is_active=False)
    without = Outcome.objects.get(claim=claim).pattern
    judge_service.set_active(judge=judges[2], is_active=True)

    assert (before.n_cast, without.n_cast, without.panel_version) == (3, 2, before.panel_version + 1)
    assert Outcome.objects.get(claim=claim).pattern.n_cast == 3
    assert VotePattern.objects.filter(n_open__gt=0).count() == 1
    assert project.panels.filter(is_current=True).count() == 1


def test_a_panel_of_the_same_judges_is_the_same_version(project: Project) -> None:
    factories.make_judges(project)
    version = patterns.current_panel(project).version

    assert patterns.renew_panel(project).version == version


def test_a_voter_without_a_record_has_the_prior_s_weight(project: Project) -> None:
    known = patterns.weights(project, "statement")

    assert known["j1"] == known["j2/swapped"] == patterns.prior_weight(3)


def test_voters_are_those_that_occur_in_votes(project: Project) -> None:
    judges = factories.make_judges(project)
    claim: Claim = factories.make_claim(project)
    factories.vote(claim, {judges[0]: "accept", judges[1]: ""})

    assert patterns.voters(project) == {f"j{judges[0].pk}": judges[0]}
