"""The first page: the demo's invitation to rule, or the way to one's own work."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from annotation.http import render_member
from evaluation.models import Membership
from evaluation.selectors import projects


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    memberships = list(projects.memberships(user=request.user))
    demo = next((membership for membership in memberships if membership.project.is_demo), None)
    if demo is not None and len(memberships) == 1:
        figures = projects.first_page(project=demo.project)
        if not figures.n_rulings:
            context = {"figures": figures, "key_names": sorted(settings.PROVIDER_KEYS)}
            return render_member(request, demo, "annotation/home.html", context)
    if len(memberships) != 1:
        return redirect("projects")
    return redirect(_landing(memberships[0]), slug=memberships[0].project.slug)


def _landing(membership: Membership) -> str:
    return "overview" if membership.role == Membership.Role.OWNER else "queue"
