"""Rules that the demo drafts from rulings by gold rest on rulings that fit them."""

from __future__ import annotations

from collections import Counter

import pytest
from django.contrib.auth.models import User

from evaluation.models import Claim, Project, RubricEntry
from evaluation.services import decisions, demo, draws, panel_worker, rubric

pytestmark = pytest.mark.django_db
N_RULINGS = 20
ARITHMETIC = "plain arithmetic"
COMPUTED = {"Three cost 5,370 EUR, so two offers are needed.", "Ordering three saves 450 EUR in all."}


@pytest.fixture
def ruled(owner: User) -> Project:
    """The demo after rulings by gold, the tour's claim first, with every draft made that follows."""
    project = demo.load(owner=owner)
    draw = draws.by_hand(claim=project.claims.get(external_id=project.first_claim_ref), expert=owner)
    for _ in range(N_RULINGS):
        claim = Claim.objects.get(pk=draw.claim_id)
        decision = decisions.record(draw=draw, ruling=decisions.Ruling(label=claim.gold))
        if run := rubric.follow(decision):
            panel_worker.drive(run_id=run.pk)
        following = draws.next_draw(project=project, expert=owner, after=claim)
        assert following is not None
        draw = following
    return project


def test_a_ruling_supports_only_a_rule_that_fits_it(ruled: Project) -> None:
    behind = {
        entry.criterion: set(entry.decisions.values_list("claim__text", flat=True))
        for entry in RubricEntry.objects.filter(project=ruled)
    }

    computed = next(texts for criterion, texts in behind.items() if ARITHMETIC in criterion)
    plain = "Delivery is six weeks after order."
    assert computed == COMPUTED
    assert [criterion for criterion, texts in behind.items() if plain in texts] == [
        'Other wording than the source\'s is "Supported" as long as it says the same.'
    ]


def test_every_rule_is_drafted_once_and_every_ruling_supports_one_at_most(ruled: Project) -> None:
    entries = list(RubricEntry.objects.filter(project=ruled).prefetch_related("decisions"))

    supports = Counter(decision.pk for entry in entries for decision in entry.decisions.all())
    assert len(entries) >= 3
    assert len({entry.criterion for entry in entries}) == len(entries)
    assert set(supports.values()) == {1}
    assert all(entry.decisions.count() >= 2 for entry in entries)
    for entry in entries:
        assert len({decision.label for decision in entry.decisions.all()}) == 1
