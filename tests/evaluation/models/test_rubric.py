"""An entry's history goes with it, and rulings do not go with an entry."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Decision, Project, RubricEvent
from evaluation.services import rubric
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db


def test_events_keep_their_order_and_go_with_their_entry(project: Project, owner: User) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))
    entry = rubric.write(project=project, text=EntryText("Rule."), by=owner)
    entry.decisions.add(factories.rule(claim, owner))
    rubric.edit(entry=entry, text=EntryText("Other rule."), by=owner)

    events = [str(event) for event in entry.events.all()]
    number = entry.pk
    entry.delete()

    assert events == [f"drafted entry {number}", f"edited entry {number}"]
    assert not RubricEvent.objects.exists()
    assert Decision.objects.count() == 1
