"""Members of a project and the links that invite more."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotation.forms import InviteForm
from annotation.http import errors_as_messages, member_page, owner_page, render_member
from evaluation.models import Membership
from evaluation.selectors import projects
from evaluation.services import projects as project_services


@require_safe
@member_page
def people(request: HttpRequest, membership: Membership) -> HttpResponse:
    return _page(request, membership, InviteForm())


@require_POST
@owner_page
def invite(request: HttpRequest, membership: Membership) -> HttpResponse:
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, form, status=422)
    with errors_as_messages(request):
        project_services.invite(project=membership.project, by=membership.user, **form.cleaned_data)
        messages.success(request, "The link is made. Copy it below and send it to one person.")
    return redirect("people", slug=membership.project.slug)


def _page(request: HttpRequest, membership: Membership, form: InviteForm, *, status: int = 200) -> HttpResponse:
    project = membership.project
    links = []
    if membership.role == Membership.Role.OWNER:
        links = [
            (found, request.build_absolute_uri(reverse("invitation", args=[found.token])))
            for found in projects.open_invitations(project=project)
        ]
    context = {"section": "people", "members": projects.members(project=project), "links": links, "form": form}
    return render_member(request, membership, "annotation/people.html", context, status=status)
