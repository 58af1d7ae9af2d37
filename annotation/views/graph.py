"""The graph of claims with similar wording."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.graph_chart import graph_figure
from annotation.http import member_page, render_member
from annotation.numbers import whole
from evaluation.models import Membership
from evaluation.selectors.answers import reader
from evaluation.selectors.graph import graph_page


@require_GET
@member_page
def graph(request: HttpRequest, membership: Membership) -> HttpResponse:
    person = reader(membership.project, membership.user_id)
    page = graph_page(person, whole(request.GET.get("part")) or 0)
    figure = graph_figure(page.points, page.lines, membership.project.slug) if page.points else None
    context = {"section": "graph", "page": page, "figure": figure, "reader": person}
    return render_member(request, membership, "annotation/graph.html", context)
