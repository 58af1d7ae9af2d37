"""The project overview: what is left, whether the judges can be trusted, what happened, where it hurts."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.charts import split_figure
from annotation.http import is_fragment, member_page, render_member
from evaluation.models import Membership
from evaluation.selectors import apart, method_details, overview, queue, spending, trust
from evaluation.services import purses


@require_safe
@member_page
@vary_on_headers("HX-Request")
def project_overview(request: HttpRequest, membership: Membership) -> HttpResponse:
    project = membership.project
    is_owner = membership.role == Membership.Role.OWNER
    if is_fragment(request):
        if not is_owner:
            raise PermissionDenied("The details of the method are for owners.")
        return render_member(request, membership, "annotation/overview.html#method-details", _details(membership))
    left = overview.what_is_left(project=project)
    context = {
        "section": "overview",
        "left": left,
        "has_answers": bool(left.n_claims) or project.responses.exists(),
        "failed": apart.failed_votes(project),
        "trust": trust.trust(project=project),
        "since": overview.since(project=project, user=membership.user),
        "tags": overview.where_it_hurts(project=project),
        "n_for_audit": queue.audit_count(project, membership.user_id),
        "spending": spending.spending(project=project, week=purses.weekly_key()) if is_owner else None,
        **(_details(membership) if is_owner and "details" in request.GET else {}),
    }
    return render_member(request, membership, "annotation/overview.html", context)


def _details(membership: Membership) -> dict[str, object]:
    found = method_details.method_details(project=membership.project)
    return {"details": found, "split_figure": split_figure(found.splits)}
