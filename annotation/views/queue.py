"""The queue and the way to the next claim."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from annotation.http import member_page, render_member
from annotation.numbers import whole
from evaluation.models import Membership
from evaluation.selectors import apart
from evaluation.selectors.answers import reader
from evaluation.selectors.last_ruling import last_ruling
from evaluation.selectors.queue import QueueFilter, queue_page
from evaluation.services import draws

NOTHING_LEFT = "Nothing is left to rule on: every claim that judges voted on is settled or waits for a colleague."


@require_GET
@member_page
def queue(request: HttpRequest, membership: Membership) -> HttpResponse:
    person = reader(membership.project, membership.user_id)
    only = QueueFilter(tag=request.GET.get("tag", ""), pattern_id=whole(request.GET.get("split")))
    found = queue_page(person, page=whole(request.GET.get("page")) or 1, only=only)
    context = {"section": "queue", "page": found, "reader": person, "only": only, "strip": last_ruling(person)}
    return render_member(request, membership, "annotation/queue.html", context)


@require_GET
@member_page
def queue_apart(request: HttpRequest, membership: Membership, kind: str) -> HttpResponse:
    """Claims that nobody judged, that one judge alone voted on, or with a vote that failed."""
    if kind not in set(apart.Kind):
        raise Http404("There is no such list: choose not-judged, one-vote or failed.")
    project = membership.project
    listed = apart.apart_page(project, apart.Kind(kind), page=whole(request.GET.get("page")) or 1)
    context = {"section": "queue", "apart": listed, "failed": apart.failed_votes(project)}
    return render_member(request, membership, "annotation/queue_apart.html", context)


@require_GET
@member_page
def next_claim(request: HttpRequest, membership: Membership) -> HttpResponse:
    draw = draws.next_draw(project=membership.project, expert=membership.user)
    if draw is None:
        messages.info(request, NOTHING_LEFT)
        return redirect("queue", slug=membership.project.slug)
    return redirect("claim", slug=membership.project.slug, claim_id=draw.claim_id)
