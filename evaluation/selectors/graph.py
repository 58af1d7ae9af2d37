"""The graph page: stored places of claims and edges of one part, and the same as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F

from evaluation.algorithms.voters import leading_labels
from evaluation.models import ClaimEdge, ClaimGraph, GraphNode, Outcome, Project, Run
from evaluation.schemas import OutcomeSource
from evaluation.selectors.answers import Answer, Reader, Split, answer_of, split_of

MOST_NODES = 300
SPLITS = (
    "a tie",
    "several on each side",
    "one against the rest",
    "all agree",
    "one vote or none",
    "ruled on",
)


@dataclass(frozen=True)
class Point:
    """A claim in the graph; `split` is one of SPLITS, `place` is None where no layout is stored."""

    claim_id: int
    text: str
    degree: int
    place: tuple[float, float] | None
    split: str
    votes: Split
    answer: Answer


@dataclass(frozen=True)
class Line:
    """An edge between two shown claims, by their places."""

    start: tuple[float, float]
    end: tuple[float, float]
    weight: float


@dataclass(frozen=True)
class Part:
    """A page of the graph: whole parts as far as they fit; 0 holds the largest."""

    number: int
    n_claims: int

    @property
    def title(self) -> str:
        return f"Part {self.number + 1} ({self.n_claims} claims)"


@dataclass(frozen=True)
class GraphPage:
    """One part of the current graph; without a graph, `building` is the run that makes one, if any."""

    graph: ClaimGraph | None
    building: Run | None
    parts: tuple[Part, ...]
    part: Part | None
    n_alone: int
    points: tuple[Point, ...]
    lines: tuple[Line, ...]
    n_claims: int
    n_disputed: int

    @property
    def is_drawn(self) -> bool:
        return any(point.place for point in self.points)

    @property
    def n_hidden(self) -> int:
        return self.part.n_claims - len(self.points) if self.part else 0

    @property
    def before(self) -> Part | None:
        return self._beside(-1)

    @property
    def after(self) -> Part | None:
        return self._beside(1)

    def _beside(self, step: int) -> Part | None:
        if self.part is None:
            return None
        at = self.parts.index(self.part) + step
        return self.parts[at] if 0 <= at < len(self.parts) else None


def graph_page(reader: Reader, number: int = 0) -> GraphPage:
    """Read a part of the current graph as this person sees it; the number of queries is constant."""
    project = reader.project
    graph = project.graphs.filter(is_current=True).first()
    parts, n_alone = _parts(graph) if graph else ((), 0)
    part = next((each for each in parts if each.number == number), parts[0] if parts else None)
    nodes = _nodes(graph, part) if graph and part else []
    return GraphPage(
        graph=graph,
        building=project.runs.filter(kind=Run.Kind.GRAPH, state__in=Run.OPEN_STATES).first(),
        parts=parts,
        part=part,
        n_alone=n_alone,
        points=_points(reader, nodes),
        lines=_lines(graph, nodes) if graph and nodes else (),
        n_claims=project.claims.filter(is_void=False).count(),
        n_disputed=_n_disputed(project),
    )


def split_word(outcome: Outcome) -> str:
    """How the judges split on a claim, in a few words that colour and shape of the graph follow."""
    if outcome.source != OutcomeSource.PANEL:
        return "ruled on"
    counts = sorted(Counter(leading_labels(outcome.pattern.votes).values()).values(), reverse=True)
    if sum(counts) < 2:
        return "one vote or none"
    if len(counts) == 1:
        return "all agree"
    if counts[0] == counts[1]:
        return "a tie"
    return "one against the rest" if sum(counts[1:]) == 1 and counts[0] > 2 else "several on each side"


def _parts(graph: ClaimGraph) -> tuple[tuple[Part, ...], int]:
    sizes = graph.nodes.order_by("component").values_list("component").annotate(n=Count("pk"))
    return tuple(Part(number, n) for number, n in sizes), graph.nodes.filter(degree=0).count()


def _nodes(graph: ClaimGraph, part: Part) -> list[GraphNode]:
    """The claims with a stored place, which the graph job chose; the most joined ones where none has a place."""
    nodes = graph.nodes.filter(component=part.number)
    return list(nodes.order_by(F("x").asc(nulls_last=True), "-degree", "claim_id")[:MOST_NODES])


def _points(reader: Reader, nodes: Sequence[GraphNode]) -> tuple[Point, ...]:
    outcomes = Outcome.objects.filter(claim__in=[node.claim_id for node in nodes])
    by_claim = {o.claim_id: o for o in outcomes.select_related("claim", "pattern", "decision__expert")}
    ordered = sorted(nodes, key=lambda node: (-node.degree, node.claim_id))
    return tuple(_point(reader, node, by_claim[node.claim_id]) for node in ordered if node.claim_id in by_claim)


def _point(reader: Reader, node: GraphNode, outcome: Outcome) -> Point:
    words = reader.words(outcome.claim.kind, outcome.claim_id)
    return Point(
        claim_id=node.claim_id,
        text=outcome.claim.text,
        degree=node.degree,
        place=_place(node),
        split=split_word(outcome),
        votes=split_of(outcome.pattern.votes, words),
        answer=answer_of(outcome, words, is_settling=reader.is_settling),
    )


def _place(node: GraphNode) -> tuple[float, float] | None:
    return None if node.x is None or node.y is None else (node.x, node.y)


def _lines(graph: ClaimGraph, nodes: Sequence[GraphNode]) -> tuple[Line, ...]:
    places = {node.claim_id: place for node in nodes if (place := _place(node))}
    edges = ClaimEdge.objects.filter(graph=graph, source__in=places, target__in=places)
    return tuple(
        Line(places[source], places[target], weight)
        for source, target, weight in edges.order_by("pk").values_list("source_id", "target_id", "weight")
    )


def _n_disputed(project: Project) -> int:
    return Outcome.objects.filter(project=project, pattern__is_candidate=True, claim__is_void=False).count()
