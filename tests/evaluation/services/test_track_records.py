"""Track records: what counts towards them, and what a ruling costs."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import Claim, Decision, Outcome, Project, TrackRecord, Verdict
from evaluation.selectors.answers import n_rulings
from evaluation.services import decisions, draws, patterns, track_records
from evaluation.services.decisions import Ruling
from tests import factories

pytestmark = pytest.mark.django_db


def many(project: Project, n: int) -> list[Claim]:
    """Claims of three vote patterns."""
    judges, run = factories.make_judges(project), factories.make_run(project)
    response = factories.make_response(factories.make_instance(project))
    claims = Claim.objects.bulk_create(
        Claim(
            project=project,
            instance=response.instance,
            response=response,
            external_id=f"x{number}",
            kind="statement",
            text=f"Claim {number}.",
        )
        for number in range(n)
    )
    Verdict.objects.bulk_create(
        Verdict(
            claim=claim,
            judge=judge,
            run=run,
            state="cast",
            label="reject" if place == number % 3 else "accept",
            is_current=True,
        )
        for number, claim in enumerate(claims)
        for place, judge in enumerate(judges)
    )
    patterns.refresh(project=project, claim_ids=[claim.pk for claim in claims])
    track_records.remake(project=project, kind="statement")
    return claims


def queries_of_a_ruling(claim: Claim, owner: User) -> tuple[int, int]:
    draw = draws.by_hand(claim=Claim.objects.get(pk=claim.pk), expert=owner)
    with CaptureQueriesContext(
        connection,
    ) as ruling:
        decision = decisions.record(draw=draw, ruling=Ruling(label="reject"))
    with CaptureQueriesContext(connection) as undoing:
        decisions.undo(decision=decision, by=owner)
    return len(ruling), len(undoing)


def test_a_ruling_costs_as_many_queries_with_ten_times_the_claims(owner: User) -> None:
    few, lots = (many(factories.make_project(), n) for n in (50, 500))

    small, large = queries_of_a_ruling(few[0], owner), queries_of_a_ruling(lots[0], owner)

    assert lots[0].project.patterns.count() == few[0].project.patterns.count()
    assert small == large
    assert max(small) < 50


def test_own_rulings_that_stand_count_and_nothing_else(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    counted, adopted, void, undone = factories.make_disputed(project, judges, 4)
    factories.rule(counted, owner, "accept")
    decisions.record(
        draw=factories.make_draw(adopted, owner), ruling=Ruling(label="accept", source=Decision.Source.REVIEWER)
    )
    decisions.record(draw=factories.make_draw(void, owner), ruling=Ruling(action=Decision.Action.VOID))
    decisions.undo(decision=factories.rule(undone, owner, "accept"), by=owner)

    rulings = track_records.rulings_that_count(project, "statement")

    assert [label for _, label in rulings] == ["accept"]
    assert n_rulings(project) == 1
    rows = list(TrackRecord.objects.order_by("judge").values_list("agreed", "decided"))
    assert rows == [(1, 1), (1, 1), (0, 1)]


def test_records_hold_mean_interval_and_weight(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    factories.rule(factories.make_disputed(project, judges)[0], owner, "accept")

    right, wrong = TrackRecord.objects.get(judge=judges[0]), TrackRecord.objects.get(judge=judges[2])

    assert right.mean == pytest.approx((8 * 0.7 + 1) / 9)
    assert wrong.mean == pytest.approx(8 * 0.7 / 9)
    assert right.lower < right.mean < right.upper
    assert right.weight > wrong.weight
    assert patterns.weights(project, "statement")[f"j{judges[0].pk}"] == right.weight


def test_all_patterns_follow_new_weights_and_moves_name_what_they_were(project: Project) -> None:
    judges = factories.make_judges(project, 2)
    claims = factories.make_disputed(project, judges, 2)

    done = track_records.reweigh(project=project, kind="statement", weights={f"j{judges[1].pk}": 9.0})

    (move,) = done.moves
    assert (move.before_state, move.before_label, move.n_claims) == ("split", "", 2)
    assert {Outcome.objects.get(claim=claim).label for claim in claims} == {"reject"}
