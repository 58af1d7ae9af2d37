"""What every view shares: who may see a page, and how a page, a fragment or a refusal is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render

from evaluation.errors import JuryFlowError
from evaluation.models import Membership
from evaluation.selectors import projects

P = ParamSpec("P")
MemberView = Callable[Concatenate[HttpRequest, Membership, P], HttpResponseBase]
SlugView = Callable[..., HttpResponseBase]  # the address gives the slug and the other ids by name


def is_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of a page only."""
    whole = ("HX-Boosted", "HX-History-Restore-Request")
    return "HX-Request" in request.headers and not any(name in request.headers for name in whole)


def member_page(view: MemberView[P]) -> SlugView:
    """Give the view the signed-in person's membership in place of the slug; 404 for anybody else."""

    @wraps(view)
    def page(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return sign_in_first(request)
        membership = get_object_or_404(projects.memberships(user=request.user), project__slug=slug)
        try:
            return view(request, membership, *args, **kwargs)
        except (ObjectDoesNotExist, IntegrityError) as error:
            if projects.memberships(user=request.user).filter(pk=membership.pk).exists():
                raise
            raise Http404("This project was removed while the page was made.") from error

    return page


def owner_page(view: MemberView[P]) -> SlugView:
    """As `member_page`, and refuse members who are not owners."""

    @wraps(view)
    def page(request: HttpRequest, membership: Membership, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if membership.role != Membership.Role.OWNER:
            raise PermissionDenied(f"Only an owner of {membership.project.name} can do this. Ask one of them.")
        return view(request, membership, *args, **kwargs)

    return member_page(page)


def sign_in_first(request: HttpRequest) -> HttpResponse:
    """Lead to the sign-in page; a fragment gets 401, and the page opens a layer so that typed text stays."""
    if is_fragment(request):
        return HttpResponse("You are signed out. Sign in again in another tab.", status=401)
    return redirect_to_login(request.get_full_path())


def render_member(
    request: HttpRequest,
    membership: Membership,
    template: str,
    context: Mapping[str, object],
    *,
    status: int = 200,
) -> HttpResponse:
    """Render a page (or `template#partial`) of a project with what its frame needs."""
    frame = {
        "project": membership.project,
        "membership": membership,
        "is_owner": membership.role == Membership.Role.OWNER,
    }
    return render(request, template, {**frame, **context}, status=status)


@contextmanager
def errors_as_messages(request: HttpRequest) -> Iterator[None]:
    """Show a refusal of the domain as a message on the next page; its text is a sentence for people."""
    try:
        yield
    except JuryFlowError as error:
        messages.error(request, str(error))
