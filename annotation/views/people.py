"""Members of a project, the links that invite more, and those that let members in again."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.addresses import is_for_this_computer_only
from annotation.forms import InviteForm
from annotation.http import errors_as_messages, member_page, owner_page, render_member
from evaluation.errors import JuryFlowError
from evaluation.models import Membership
from evaluation.selectors import projects
from evaluation.services import projects as project_services
from evaluation.services import signin


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


@require_POST
@never_cache
@owner_page
def sign_in_link(request: HttpRequest, membership: Membership, member_id: int) -> HttpResponse:
    """Show a link, this once, with which a member signs in."""
    member = get_object_or_404(membership.project.memberships.select_related("project", "user"), pk=member_id)
    try:
        link = signin.link_by_owner(member=member, by=membership.user, base_url=request.build_absolute_uri("/"))
    except JuryFlowError as error:
        messages.error(request, str(error))
        return redirect("people", slug=membership.project.slug)
    return _page(request, membership, InviteForm(), made=(member, link))


def _page(
    request: HttpRequest,
    membership: Membership,
    form: InviteForm,
    *,
    made: tuple[Membership, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    project = membership.project
    links = []
    if membership.role == Membership.Role.OWNER:
        links = [
            (found, request.build_absolute_uri(reverse("invitation", args=[found.token])))
            for found in projects.open_invitations(project=project)
        ]
    context = {
        "section": "people",
        "members": projects.members(project=project),
        "links": links,
        "made": made,
        "is_local": is_for_this_computer_only(request),
        "form": form,
    }
    return render_member(request, membership, "annotation/people.html", context, status=status)
