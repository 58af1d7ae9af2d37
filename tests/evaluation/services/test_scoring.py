"""Scores of responses, pairs and systems from what holds true of each claim now."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Claim, Judge, Project, Response
from evaluation.services import scoring
from tests import factories

pytestmark = pytest.mark.django_db


def answered(project: Project, judges: list[Judge], system: str, labels: list[str]) -> Response:
    response = factories.make_response(factories.make_instance(project), system=system)
    for label in labels:
        factories.vote(factories.make_claim(project, response=response), dict.fromkeys(judges, label))
    return response


def test_a_response_loses_by_its_rejected_and_uncertain_claims(project: Project) -> None:
    judges = factories.make_judges(project, 2)
    answered(project, judges, "Aster", ["accept", "accept", "reject", "uncertain"])

    (response,) = scoring.scores(project=project).responses

    assert response.score.value == pytest.approx(0.625)
    assert len(response.errors) == 2


def test_a_serious_ruling_caps_the_score_and_is_named(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 2)
    response = answered(project, judges, "Aster", ["accept"] * 9)
    claim = Claim.objects.filter(response=response).first()
    assert claim is not None
    decision = factories.rule(claim, owner, "reject")
    decision.outcomes.update(is_serious=True)

    (scored,) = scoring.scores(project=project).responses

    assert scored.score.value == 0.5
    assert scored.serious == (claim.external_id,)


def test_systems_are_ranked_by_mean_score_with_what_stands_behind_it(project: Project) -> None:
    judges = factories.make_judges(project, 2)
    answered(project, judges, "Aster", ["accept", "reject"])
    answered(project, judges, "Birch", ["accept", "accept"])

    found = scoring.scores(project=project)

    assert [system.name for system in found.systems] == ["Birch", "Aster"]
    assert found.is_ranked
    assert "Birch 1.00, Aster 0.50" in found.ranking
    assert "0 random check rulings of the 4" in found.ranking


def test_offline_votes_alone_rank_nothing(project: Project) -> None:
    judges = factories.make_judges(project, 2, provider="offline")
    answered(project, judges, "Birch", ["accept", "reject"])
    answered(project, judges, "Cedar", ["accept", "accept"])

    found = scoring.scores(project=project)

    assert not found.is_ranked
    assert "heuristics" in found.ranking
    assert [system.name for system in found.systems] == ["Birch", "Cedar"]


def test_an_audit_ruling_lets_offline_votes_rank(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 2, provider="offline")
    response = answered(project, judges, "Birch", ["accept", "reject"])
    answered(project, judges, "Cedar", ["accept", "accept"])
    factories.rule(response.claims.all()[0], owner, "accept", is_audit=True)

    assert scoring.scores(project=project).is_ranked


def test_a_pair_goes_to_the_direct_vote_where_scores_say_nothing(project: Project) -> None:
    judges = factories.make_judges(project, 3)
    won, level = factories.make_pair(project), factories.make_pair(project)
    factories.vote(won, dict(zip(judges, ("second", "second", "first"), strict=True)))
    factories.vote(level, dict(zip(judges, ("second", "first", ""), strict=True)))

    pairs = scoring.scores(project=project).pairs

    assert [(pair.winner, pair.decided_by) for pair in pairs] == [("second", "vote"), ("", "")]


def test_a_pair_goes_to_the_higher_score_first(project: Project) -> None:
    judges = factories.make_judges(project, 2)
    pair = factories.make_pair(project)
    factories.vote(pair, dict.fromkeys(judges, "second"))
    for response, label in ((pair.response, "accept"), (pair.second_response, "reject")):
        factories.vote(factories.make_claim(project, response=response), dict.fromkeys(judges, label))

    (scored,) = scoring.scores(project=project).pairs

    assert (scored.winner, scored.decided_by) == ("first", "score")
