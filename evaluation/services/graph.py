"""Builds a project's disagreement graph: vectors, edges, degrees and the layout that pages show."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from evaluation.algorithms import claim_graph, layout
from evaluation.models import Claim, ClaimEdge, ClaimGraph, GraphNode, Job, Project, Run
from evaluation.services import projects, vectors

PAGES_LAID_OUT = 20
BLOCK = 2_000


def build(*, project: Project) -> ClaimGraph:
    """Embed what has no vector, join like claims, and store the graph; the old one is replaced at once."""
    vectors.embed_missing(project=project)
    ids, embeddings = vectors.matrix(project.claims.filter(is_void=False).values_list("pk", flat=True))
    tags = dict(project.claims.values_list("pk", "tags"))
    parameters = project.method_parameters
    built = claim_graph.build(
        embeddings,
        [frozenset(tags[pk]) for pk in ids],
        list(project.tag_vocabulary),
        claim_graph.GraphSettings(alpha=parameters.alpha, beta=parameters.beta, k=parameters.neighbours),
    )
    nodes = _nodes(built, ids)  # laying out takes seconds: not while the database is held
    with transaction.atomic():
        projects.hold(project)
        project.graphs.all().delete()
        graph = ClaimGraph.objects.create(
            project=project,
            n_claims=len(ids),
            n_edges=len(built.weight),
            alpha=parameters.alpha,
            beta=built.beta,
            neighbours=parameters.neighbours,
        )
        _store_edges(graph, built, ids)
        _store_nodes(graph, nodes)
    return graph


def was_requested(project: Project, *, since: datetime) -> bool:
    """Whether the graph was queued since then, so that two workers that end a run do not both ask for it."""
    return project.runs.filter(kind=Run.Kind.GRAPH, created_at__gte=since).exists()


def request(*, project: Project) -> Run:
    """Queue the building of the graph; where it is queued already, that run is returned. The caller wakes a worker."""
    with transaction.atomic():
        projects.hold(project)
        open_run = project.runs.filter(kind=Run.Kind.GRAPH, state=Run.State.QUEUED).first()
        if open_run is not None:
            return open_run
        project.runs.filter(kind=Run.Kind.GRAPH, state__in=Run.OPEN_STATES).update(
            state=Run.State.STOPPED, message="Overtaken by newer claims."
        )
        run = Run.objects.create(project=project, kind=Run.Kind.GRAPH)
        Job.objects.create(run=run, task=Job.Task.GRAPH, key="graph")
    return run


def _store_edges(graph: ClaimGraph, built: claim_graph.ClaimGraph, ids: Sequence[int]) -> None:
    rows = zip(built.source.tolist(), built.target.tolist(), built.weight.tolist(), strict=True)
    edges = (ClaimEdge(graph=graph, source_id=ids[a], target_id=ids[b], weight=weight) for a, b, weight in rows)
    ClaimEdge.objects.bulk_create(edges, batch_size=BLOCK)


def _nodes(built: claim_graph.ClaimGraph, ids: Sequence[int]) -> list[GraphNode]:
    """The graph's nodes with the layout of the first pages, not stored yet."""
    degrees = built.degrees().tolist()
    nodes = []
    for number, page in enumerate(layout.pages(built)):
        places = layout.positions(built, page, seed=number) if number < PAGES_LAID_OUT else {}
        for row in page:
            point = places.get(row)
            node = GraphNode(claim_id=ids[row], component=number, degree=degrees[row])
            node.x, node.y = (point.x, point.y) if point else (None, None)
            nodes.append(node)
    return nodes


def _store_nodes(graph: ClaimGraph, nodes: Sequence[GraphNode]) -> None:
    for node in nodes:
        node.graph = graph
    GraphNode.objects.bulk_create(nodes, batch_size=BLOCK)
    claims = [Claim(pk=node.claim_id, degree=node.degree) for node in nodes]
    Claim.objects.bulk_update(claims, ["degree"], batch_size=500)
