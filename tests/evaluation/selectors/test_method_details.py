"""Agreement, splits, track records and scores behind the fold."""

from __future__ import annotations

import pytest

from evaluation.models import Project
from evaluation.selectors.method_details import method_details
from tests.factories import (
    make_claim,
    make_disputed,
    make_instance,
    make_judges,
    make_pair,
    make_response,
    make_user,
    rule,
    vote,
    vote_repeatedly,
)

pytestmark = pytest.mark.django_db


def test_splits_count_claims_and_not_patterns(project: Project) -> None:
    judges = make_judges(project, 3)
    make_disputed(project, judges, 4)
    vote(make_claim(project), dict.fromkeys(judges, "reject"))
    make_claim(project)

    splits = method_details(project=project).splits

    assert [(row.split, row.n) for row in splits] == [("3-0", 1), ("2-1", 4)]


def test_alpha_is_that_of_the_votes_claim_by_claim(project: Project) -> None:
    one, two = make_judges(project, 2)
    for first, second in (("accept", "accept"), ("accept", "accept"), ("reject", "accept"), ("reject", "reject")):
        vote(make_claim(project), {one: first, two: second})

    agreement = method_details(project=project).agreements[0]

    # 4 units, 5 yes and 3 no: D_o = 2/8, D_e = 2*5*3/(8*7), alpha = 1 - D_o/D_e
    assert agreement.alpha.value == pytest.approx(1 - (2 / 8) / (30 / 56))
    assert agreement.alpha.n_units == 4
    assert agreement.pairs[0].agreement.raw == pytest.approx(0.75)


def test_kinds_are_not_mixed(project: Project) -> None:
    one, two = make_judges(project, 2)
    vote(make_claim(project), {one: "accept", two: "reject"})
    vote(make_pair(project), {one: "first", two: "first"})

    agreements = method_details(project=project).agreements

    assert [row.kind for row in agreements] == ["preference", "statement"]
    assert agreements[0].alpha.reason == "no variation: every rating is the same"


def test_a_project_without_votes_has_no_figures(project: Project) -> None:
    make_claim(project)

    details = method_details(project=project)

    assert details.splits == ()
    assert all(row.alpha.value is None for row in details.agreements)


def test_answers_are_scored_by_their_claims_worst_first(project: Project) -> None:
    judges = make_judges(project, 2)
    good, bad = (make_response(make_instance(project)) for _ in range(2))
    vote(make_claim(project, response=good), dict.fromkeys(judges, "accept"))
    vote(make_claim(project, response=bad), dict.fromkeys(judges, "accept"))
    wrong = make_claim(project, "A wrong claim.", response=bad)
    vote(wrong, dict.fromkeys(judges, "accept"))
    rule(wrong, make_user(), "reject")

    scores = method_details(project=project).scores

    assert [(row.response, row.percent) for row in scores] == [(bad, 50), (good, 100)]
    assert (scores[0].worst, scores[0].worst_id) == ("A wrong claim.", wrong.pk)


def test_an_answer_nobody_judged_is_not_assessed(project: Project) -> None:
    make_claim(project)

    row = method_details(project=project).scores[0]

    assert row.percent is None
    assert (row.score.n_assessed, row.score.n_claims) == (0, 1)


def test_a_judge_that_wavers_counts_with_what_it_said_most_often_or_not_at_all(project: Project) -> None:
    one, two = make_judges(project, 2)
    vote_repeatedly(make_claim(project), {one: ("accept", "accept", "reject"), two: ("accept",) * 3})
    vote_repeatedly(make_claim(project), {one: ("accept", "reject"), two: ("reject",) * 2})

    details = method_details(project=project)

    assert [(row.split, row.n) for row in details.splits] == [("2-0", 1), ("1-0", 1)]
    assert details.agreements[0].pairs[0].agreement.n_units == 1
