"""The claims that the graph joins to one."""

from __future__ import annotations

import pytest

from evaluation.models import ClaimGraph, Project
from evaluation.selectors.neighbours import neighbours_of
from tests import factories

pytestmark = pytest.mark.django_db


def test_neighbours_come_from_either_end_of_an_edge_the_most_similar_first(project: Project) -> None:
    before, this, after, _alone = (factories.make_claim(project) for _ in range(4))
    factories.join(this, {after: 0.6, before: 0.9})

    assert list(neighbours_of(this).items()) == [(before.pk, 0.9), (after.pk, 0.6)]


def test_an_older_graph_joins_nothing(project: Project) -> None:
    this, other = factories.make_claim(project), factories.make_claim(project)
    factories.join(this, {other: 0.9})
    ClaimGraph.objects.update(is_current=False)

    assert neighbours_of(this) == {}
