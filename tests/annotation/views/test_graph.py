from __future__ import annotations

import json
import re

from django.test import Client
from django.urls import reverse

from evaluation.models import ClaimGraph, GraphNode, Project
from tests import factories

HOSTILE = "</script><script>alert(2)</script>"


def page(client: Client, project: Project, query: str = "") -> str:
    return client.get(reverse("graph", kwargs={"slug": project.slug}) + query).content.decode()


def draw(project: Project, *texts: str) -> list[int]:
    graph = ClaimGraph.objects.create(project=project, n_claims=2, n_edges=1, alpha=0.5, beta=0.5, neighbours=10)
    claims = [factories.make_claim(project, text) for text in texts]
    for at, claim in enumerate(claims):
        GraphNode.objects.create(graph=graph, claim=claim, component=0, degree=1, x=at, y=0.5)
    graph.edges.create(source=claims[0], target=claims[1], weight=0.8)
    return [claim.pk for claim in claims]


def test_without_a_graph_it_says_why_and_what_to_do(signed_in: Client, project: Project) -> None:
    empty = page(signed_in, project)
    factories.make_claim(project)
    with_claims = page(signed_in, project)

    assert "There are no claims yet" in empty
    assert "No graph has been built yet" in with_claims
    assert "make run" in with_claims


def test_the_figure_and_the_table_hold_the_same_claims(signed_in: Client, project: Project) -> None:
    ids = draw(project, "One claim.", "Another claim.")

    shown = page(signed_in, project)

    figure = json.loads(re.findall(r'<script id="graph-figure"[^>]*>(.*?)</script>', shown, re.DOTALL)[0])
    links = [address for trace in figure["data"] for (address,) in trace.get("customdata", [])]
    assert sorted(links) == [f"/p/{project.slug}/claims/{pk}/" for pk in ids]
    assert all(shown.count(link) >= 2 for link in links)


def test_hostile_text_stays_text_in_figure_and_table(signed_in: Client, project: Project) -> None:
    draw(project, HOSTILE, "<b>bold</b>")

    shown = page(signed_in, project)

    assert "<script>alert" not in shown
    assert "<b>bold" not in shown
    assert "&lt;b&gt;bold&lt;/b&gt;" in shown


def test_a_strange_part_shows_the_first(signed_in: Client, project: Project) -> None:
    draw(project, "One claim.", "Another claim.")

    assert "One claim." in page(signed_in, project, "?part=nonsense")
