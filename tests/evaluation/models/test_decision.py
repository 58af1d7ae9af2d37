"""Constraints on draws, rulings, undos, moves and proposals hold in the database itself."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import ProtectedError

from evaluation.models import Decision, Draw, PatternMove, Project, Proposal, Undo, Verdict
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def ruled(project: Project, owner: User) -> Decision:
    first, _ = factories.make_disputed(project, factories.make_judges(project, 2), 2)
    return factories.rule(first, owner, "reject")


@pytest.mark.parametrize("probability", [0, -0.5, 1.5])
def test_a_draw_has_a_probability_or_none(project: Project, owner: User, probability: float) -> None:
    draw = factories.make_draw(factories.make_claim(project), owner)

    with pytest.raises(IntegrityError, match="a_draw_has_a_probability_or_none"):
        Draw.objects.filter(pk=draw.pk).update(probability=probability)


@pytest.mark.parametrize("changes", [{"label": ""}, {"action": "void"}, {"action": "cannot_judge"}])
def test_only_a_ruling_has_a_label(ruled: Decision, changes: dict[str, str]) -> None:
    with pytest.raises(IntegrityError, match="only_a_ruling_has_a_label"):
        Decision.objects.filter(pk=ruled.pk).update(**changes)


@pytest.mark.parametrize("shared", ["draw", "token"])
def test_a_draw_and_a_form_bring_one_ruling(ruled: Decision, shared: str) -> None:
    values = {
        name: getattr(ruled, name)
        for name in ("project", "claim", "expert", "action", "label", "pattern", "draw", "token")
    }
    if shared == "token":
        values["draw"] = factories.make_draw(ruled.claim, ruled.expert)
    else:
        values["token"] = "another"

    with pytest.raises(IntegrityError):
        Decision.objects.create(**values)


def test_a_ruling_is_undone_once(ruled: Decision, owner: User) -> None:
    Undo.objects.create(decision=ruled, expert=owner)

    with pytest.raises(IntegrityError):
        Undo.objects.create(decision=ruled, expert=owner)


def test_a_pattern_moves_once_by_a_ruling(ruled: Decision) -> None:
    move = ruled.propagation.moves.get()

    with pytest.raises(IntegrityError):
        PatternMove.objects.create(propagation=move.propagation, pattern=move.pattern, n_claims=1)


def test_a_claim_is_proposed_once_by_a_ruling(ruled: Decision, project: Project) -> None:
    verdict = Verdict.objects.filter(label="accept").first()
    assert verdict is not None
    values = {"decision": ruled, "claim": verdict.claim, "verdict": verdict, "label": "accept"}
    Proposal.objects.create(**values)

    with pytest.raises(IntegrityError):
        Proposal.objects.create(**values)


def test_somebody_who_ruled_is_not_deleted(ruled: Decision, owner: User) -> None:
    with pytest.raises(ProtectedError):
        owner.delete()
