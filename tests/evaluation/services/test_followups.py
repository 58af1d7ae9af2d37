"""What follows from a ruling: queued once, and not at all when the ruling was taken back."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Decision, Project, Run
from evaluation.services import decisions, followups, panel_worker
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def ruled(project: Project, owner: User) -> Decision:
    """The second of two rulings that point the same way, with a neighbour that is still open."""
    judges = [*factories.make_judges(project, 2), factories.make_asked_judge(project, "http://127.0.0.1:9/v1")]
    first, focal, near = factories.make_disputed(project, judges, 3, tags=["negation"])
    factories.join(focal, {near: 0.9})
    factories.rule(first, owner)
    return factories.rule(focal, owner)


def test_a_second_look_and_a_draft_follow_once(ruled: Decision) -> None:
    runs = followups.queue(decision=ruled)

    again = followups.queue(decision=ruled)

    assert [run.kind for run in runs] == [Run.Kind.SECOND_LOOK, Run.Kind.DRAFT]
    assert {run.pk for run in again} == {run.pk for run in runs}
    assert followups.pending(ruled) == 2
    assert Run.objects.filter(kind__in=["second_look", "draft"]).count() == 2


def test_nothing_follows_from_a_ruling_that_was_taken_back_before(ruled: Decision, owner: User) -> None:
    decisions.undo(decision=Decision.objects.get(pk=ruled.pk), by=owner)

    assert followups.queue(decision=ruled) == []
    assert not Run.objects.filter(kind__in=["second_look", "draft"]).exists()


def test_undo_cancels_what_is_still_to_be_done(ruled: Decision, owner: User) -> None:
    runs = followups.queue(decision=ruled)

    decisions.undo(decision=ruled, by=owner)
    ended = [panel_worker.drive(run_id=run.pk) for run in runs]

    assert followups.pending(ruled) == 0
    assert [run.state for run in ended] == ["done", "done"]
    assert set(ruled.jobs.values_list("state", flat=True)) == {"cancelled"}


def test_nothing_follows_from_a_claim_set_aside(project: Project, owner: User) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))
    draw = factories.make_draw(claim, owner)

    decision = decisions.record(draw=draw, ruling=decisions.Ruling(action=Decision.Action.VOID))

    assert followups.queue(decision=decision) == []
