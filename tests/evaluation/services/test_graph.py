"""The graph of a project: like claims joined, stored whole, and replaced at once."""

from __future__ import annotations

import pytest

from evaluation.models import Claim, ClaimEdge, ClaimGraph, Embedding, GraphNode, Project
from evaluation.services import graph
from tests import factories

pytestmark = pytest.mark.django_db

LIKE = ("The fridge is very quiet at night.", "The fridge is quiet at night.", "Delivery takes six weeks.")


def test_like_claims_are_joined_and_placed(project: Project) -> None:
    first, second, alone = (factories.make_claim(project, text) for text in LIKE)

    built = graph.build(project=project)

    edge = ClaimEdge.objects.get()
    assert (edge.source, edge.target, edge.graph) == (first, second, built)
    assert edge.weight > 0.5
    assert (built.n_claims, built.n_edges, built.alpha, built.beta, built.neighbours) == (3, 1, 0.5, 0.5, 10)
    nodes = GraphNode.objects.filter(graph=built)
    assert {(node.claim_id, node.degree) for node in nodes} == {(first.pk, 1), (second.pk, 1), (alone.pk, 0)}
    assert all(node.x is not None and node.y is not None for node in nodes)
    assert dict(Claim.objects.values_list("pk", "degree")) == {first.pk: 1, second.pk: 1, alone.pk: 0}


@pytest.mark.parametrize(("tags", "n_edges"), [(["time", "other: mine"], 1), (["other: mine"], 0)])
def test_shared_tags_of_the_vocabulary_bring_claims_closer(project: Project, tags: list[str], n_edges: int) -> None:
    for text in ("The fridge hums at night.", "The lorry comes at night."):
        factories.make_claim(project, text, tags=tags)

    graph.build(project=project)

    assert ClaimEdge.objects.count() == n_edges


def test_a_new_graph_replaces_the_old_one_and_leaves_void_claims_out(project: Project) -> None:
    first, *_ = (factories.make_claim(project, text) for text in LIKE)
    graph.build(project=project)
    Claim.objects.filter(pk=first.pk).update(is_void=True)

    graph.build(project=project)

    built = ClaimGraph.objects.get()
    assert (built.is_current, built.n_claims, built.n_edges) == (True, 2, 0)
    assert not GraphNode.objects.filter(claim=first).exists()


def test_an_empty_project_has_an_empty_graph(project: Project) -> None:
    built = graph.build(project=project)

    assert (built.n_claims, built.n_edges, built.nodes.count()) == (0, 0, 0)
    assert not Embedding.objects.exists()
