"""What is replaced before a project's text is sent: chosen, looked at on a sample, then kept."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.http import errors_as_messages, owner_page, render_member
from annotation.privacy_form import PrivacyForm, kept
from evaluation.models import Membership
from evaluation.selectors.privacy import Sample, replaced_before_sending, sample
from evaluation.services import privacy as privacy_service


@require_safe
@never_cache
@owner_page
def privacy(request: HttpRequest, membership: Membership) -> HttpResponse:
    return _page(request, membership, kept(membership.project), _as_kept(membership))


@require_http_methods(["GET", "POST"])
@never_cache
@owner_page
def privacy_preview(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Show what the chosen rules would replace in a sample; nothing is kept, and a reload leads back."""
    if request.method != "POST":
        return redirect("privacy", slug=membership.project.slug)
    form = PrivacyForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, form, _as_kept(membership), status=422)
    shown = sample(membership.project, form.rules(), form.cleaned_data["response"])
    return _page(request, membership, form, shown, is_kept=False)


@require_POST
@owner_page
def privacy_save(request: HttpRequest, membership: Membership) -> HttpResponse:
    form = PrivacyForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, form, _as_kept(membership), status=422)
    with errors_as_messages(request):
        privacy_service.set_rules(project=membership.project, by=membership.user, rules=form.rules())
        messages.success(request, "Saved. It holds from the next question to a judge on, in a run under way too.")
    return redirect("privacy", slug=membership.project.slug)


def _as_kept(membership: Membership) -> Sample | None:
    return sample(membership.project, privacy_service.rules_of(membership.project))


def _page(
    request: HttpRequest,
    membership: Membership,
    form: PrivacyForm,
    shown: Sample | None,
    *,
    is_kept: bool = True,
    status: int = 200,
) -> HttpResponse:
    context = {
        "section": "judges",
        "form": form,
        "sample": shown,
        "is_kept": is_kept,
        "replacements": replaced_before_sending(membership.project),
    }
    return render_member(request, membership, "annotation/privacy.html", context, status=status)
