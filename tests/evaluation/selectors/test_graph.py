from __future__ import annotations

from itertools import pairwise

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import Claim, ClaimEdge, ClaimGraph, GraphNode, Outcome, Project
from evaluation.selectors.answers import reader
from evaluation.selectors.graph import graph_page, split_word
from tests import factories


def drawn(project: Project, sizes: tuple[int, ...]) -> list[list[Claim]]:
    """A stored graph with one part per size; the claims of a part form a chain."""
    graph = ClaimGraph.objects.create(
        project=project, n_claims=sum(sizes), n_edges=1, alpha=0.5, beta=0.5, neighbours=10
    )
    parts = []
    for number, size in enumerate(sizes):
        claims = [factories.make_claim(project) for _ in range(size)]
        for at, claim in enumerate(claims):
            GraphNode.objects.create(graph=graph, claim=claim, component=number, degree=at, x=at, y=-at)
        for one, other in pairwise(claims):
            ClaimEdge.objects.create(graph=graph, source=one, target=other, weight=0.7)
        parts.append(claims)
    return parts


def test_a_part_has_its_claims_and_the_edges_between_them(project: Project, owner: User) -> None:
    parts = drawn(project, (3, 2))

    page = graph_page(reader(project, owner.pk), number=1)

    assert {point.claim_id for point in page.points} == {claim.pk for claim in parts[1]}
    assert [(line.start, line.end) for line in page.lines] == [((0.0, 0.0), (1.0, -1.0))]
    assert [part.n_claims for part in page.parts] == [3, 2]
    assert page.before == page.parts[0]
    assert page.after is None


def test_an_unknown_part_leads_to_the_first(project: Project, owner: User) -> None:
    drawn(project, (2, 2))

    page = graph_page(reader(project, owner.pk), number=99)

    assert page.part == page.parts[0]


def test_without_a_graph_there_is_nothing_but_the_counts(project: Project, owner: User) -> None:
    factories.make_claim(project)

    page = graph_page(reader(project, owner.pk))

    assert (page.graph, page.points, page.n_claims, page.part) == (None, (), 1, None)


def test_claims_without_a_place_are_listed_but_not_drawn(project: Project, owner: User) -> None:
    drawn(project, (2,))
    GraphNode.objects.update(x=None, y=None)

    page = graph_page(reader(project, owner.pk))

    assert len(page.points) == 2
    assert not page.is_drawn
    assert page.lines == ()


@pytest.mark.parametrize(
    ("votes", "word"),
    [
        (["accept"] * 4, "all agree"),
        (["accept", "accept", "reject", "reject"], "a tie"),
        (["accept", "accept", "accept", "reject"], "one against the rest"),
        (["accept", "accept", "reject"], "several on each side"),
        (["accept"], "one vote or none"),
        ([], "one vote or none"),
    ],
)
def test_a_split_has_a_word(project: Project, votes: list[str], word: str) -> None:
    judges = factories.make_judges(project, 4)
    claim = factories.make_claim(project)
    factories.vote(claim, dict(zip(judges, votes, strict=False)))

    assert split_word(Outcome.objects.select_related("pattern").get(claim=claim)) == word


def test_a_ruled_claim_is_called_so(project: Project, owner: User) -> None:
    claim = factories.make_disputed(project, factories.make_judges(project))[0]
    factories.rule(claim, owner)

    assert split_word(Outcome.objects.select_related("pattern").get(claim=claim)) == "ruled on"


def test_the_number_of_queries_does_not_grow_with_the_claims(project: Project, owner: User) -> None:
    counts = []
    for size in (2, 12):
        project.graphs.all().delete()
        drawn(project, (size,))
        with CaptureQueriesContext(connection) as taken:
            graph_page(reader(project, owner.pk))
        counts.append(len(taken))

    assert counts[0] == counts[1]


def test_samples_of_a_judge_take_one_side(project: Project) -> None:
    judges = factories.make_judges(project, 3)
    claim = factories.make_claim(project)
    factories.vote_repeatedly(claim, dict.fromkeys(judges, ("accept", "reject", "accept")))

    assert split_word(Outcome.objects.select_related("pattern").get(claim=claim)) == "all agree"
