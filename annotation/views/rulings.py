"""What a ruling changed, and undo."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from annotation.http import errors_as_messages, is_fragment, member_page, render_member
from annotation.numbers import whole
from evaluation.models import Membership, PatternMove
from evaluation.selectors.answers import reader
from evaluation.selectors.moves import moved_claims, moved_page, rulings
from evaluation.services import decisions

PARTS = {"second-look": "annotation/moved.html#second-look", "move": "annotation/moved.html#move-claims"}


@vary_on_headers("HX-Request")
@require_GET
@member_page
def moved(request: HttpRequest, membership: Membership, decision_id: int) -> HttpResponse:
    """The page, or with htmx the part that `part` names: the second look, or the claims behind a row."""
    project = membership.project
    decision = get_object_or_404(rulings(project), pk=decision_id)
    person = reader(project, membership.user_id)
    context: dict[str, object] = {
        "section": "queue",
        "reader": person,
        "page": moved_page(person, decision, is_owner=membership.role == Membership.Role.OWNER),
    }
    if opened := whole(request.GET.get("move")):
        move = get_object_or_404(PatternMove, pk=opened, propagation__decision=decision)
        context["behind"] = moved_claims(person, move, whole(request.GET.get("page")) or 1)
    part = PARTS.get(request.GET.get("part", "")) if is_fragment(request) else None
    return render_member(request, membership, part or "annotation/moved.html", context)


@require_POST
@member_page
def undo(request: HttpRequest, membership: Membership, decision_id: int) -> HttpResponse:
    """Take a ruling back; its claim opens again, ready for another ruling."""
    decision = get_object_or_404(rulings(membership.project), pk=decision_id)
    if decision.expert_id != membership.user_id and membership.role != Membership.Role.OWNER:
        raise PermissionDenied("A ruling is undone by the person who made it, or by an owner.")
    with errors_as_messages(request):
        decisions.undo(decision=decision, by=membership.user)
        messages.success(request, "The ruling is undone, and every answer is as if it had never been. Rule again here.")
    return redirect("claim", slug=membership.project.slug, claim_id=decision.claim_id)
