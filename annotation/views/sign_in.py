"""Signing in by link or password, signing out, and joining a project by invitation."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from sesame.utils import get_user

from annotation.forms import JoinForm
from evaluation.errors import JuryFlowError
from evaluation.selectors import projects
from evaluation.services import projects as project_services

SESAME = "sesame.backends.ModelBackend"
USED_LINK = (
    "This sign-in link was used or is older than a day. Ask an owner of your project for another, "
    "or print one with `make link` if you run JuryFlow."
)


class SignIn(LoginView):
    """Sign in with a name and password; people without one use a link."""

    template_name = "annotation/sign_in.html"
    redirect_authenticated_user = True

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        response.status_code = 422
        return response


@require_GET
@never_cache
def start(request: HttpRequest, token: str) -> HttpResponse:
    user = get_user(token)
    if user is not None:
        login(request, user, backend=SESAME)
    elif not request.user.is_authenticated:
        messages.error(request, USED_LINK)
        return redirect("sign-in")
    return redirect("home")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    messages.success(request, "You are signed out.")
    return redirect("sign-in")


@require_http_methods(["GET", "POST"])
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show who invites to what; only a click joins, so that link scanners do not use the link up."""
    if joined := projects.joined_by(token=token, user=request.user):
        return redirect("queue", slug=joined.project.slug)
    found = projects.invitation(token=token)
    user = request.user if isinstance(request.user, User) else None
    form = JoinForm(request.POST if request.method == "POST" else None) if user is None else None
    if request.method == "POST" and (form is None or form.is_valid()):
        name = form.cleaned_data["display_name"] if form else ""
        try:
            membership = project_services.accept_invitation(token=token, user=user, display_name=name)
        except JuryFlowError as error:
            messages.error(request, str(error))
        else:
            if user is None:
                login(request, membership.user, backend=SESAME)
            return redirect("queue", slug=membership.project.slug)
    status = 422 if request.method == "POST" else 200
    return render(request, "annotation/invitation.html", {"invitation": found, "form": form}, status=status)
