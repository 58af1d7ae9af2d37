"""Constraints on claims and graphs hold in the database itself."""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from evaluation.models import Claim, ClaimEdge, ClaimGraph, Embedding, GraphNode, Project
from tests import factories

pytestmark = pytest.mark.django_db


def make_graph(project: Project, *, is_current: bool = True) -> ClaimGraph:
    return ClaimGraph.objects.create(
        project=project, is_current=is_current, n_claims=2, n_edges=0, alpha=0.5, beta=0.5, neighbours=10
    )


def test_a_preference_joins_two_responses(project: Project) -> None:
    pair = factories.make_pair(project)

    with pytest.raises(IntegrityError, match="a_preference_joins_two_responses"):
        Claim.objects.filter(pk=pair.pk).update(second_response=None)


def test_a_statement_has_one_response(project: Project) -> None:
    claim = factories.make_claim(project)

    with pytest.raises(IntegrityError, match="a_preference_joins_two_responses"):
        Claim.objects.filter(pk=claim.pk).update(second_response=claim.response)


@pytest.mark.parametrize(("start", "end"), [(5, 5), (6, 5), (-1, 5)])
def test_a_span_has_a_start_before_its_end(project: Project, start: int, end: int) -> None:
    claim = factories.make_claim(project)

    with pytest.raises(IntegrityError):
        Claim.objects.filter(pk=claim.pk).update(span_start=start, span_end=end)


def test_an_id_is_used_once_in_a_project(project: Project) -> None:
    first, second = factories.make_claim(project), factories.make_claim(project)

    with pytest.raises(IntegrityError):
        Claim.objects.filter(pk=second.pk).update(external_id=first.external_id)


def test_a_claim_has_one_vector(project: Project) -> None:
    claim = factories.make_claim(project)
    Embedding.objects.create(claim=claim, model="m", text_hash="h", vector=b"")

    with pytest.raises(IntegrityError):
        Embedding.objects.create(claim=claim, model="m", text_hash="h", vector=b"")


def test_one_graph_of_a_project_is_current(project: Project) -> None:
    make_graph(project)
    make_graph(project, is_current=False)

    with pytest.raises(IntegrityError):
        make_graph(project)


@pytest.mark.parametrize("is_reversed", [True, False])
def test_an_edge_is_stored_once(project: Project, is_reversed: bool) -> None:
    first, second = factories.make_claim(project), factories.make_claim(project)
    graph = make_graph(project)
    ClaimEdge.objects.create(graph=graph, source=first, target=second, weight=0.9)
    ends = (second, first) if is_reversed else (first, second)

    with pytest.raises(IntegrityError):
        ClaimEdge.objects.create(graph=graph, source=ends[0], target=ends[1], weight=0.9)


def test_a_claim_is_one_node(project: Project) -> None:
    claim, graph = factories.make_claim(project), make_graph(project)
    GraphNode.objects.create(graph=graph, claim=claim, component=0, degree=0)

    with pytest.raises(IntegrityError):
        GraphNode.objects.create(graph=graph, claim=claim, component=1, degree=0)
