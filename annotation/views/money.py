"""What a project spent and may spend, for owners: the ledger, its calls, and the caps."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotation.http import errors_as_messages, owner_page, render_member
from annotation.money_forms import CapsForm
from annotation.numbers import whole
from evaluation.models import Membership
from evaluation.selectors import ledger, spending
from evaluation.selectors.ledger import KINDS_OF_CALLS, CallFilter
from evaluation.services import budgets, purses

SHOWN_WORDS = {
    "all": "all",
    "reused": "answers used again",
    "out": "on their way",
    "failed": "failed",
    "unconfirmed": "outcome unknown",
    "uncertain": "cost uncertain",
    "unpriced": "price unknown",
}


@require_safe
@owner_page
def money(request: HttpRequest, membership: Membership) -> HttpResponse:
    return _page(request, membership, _caps_form(membership))


@require_POST
@owner_page
def set_caps(request: HttpRequest, membership: Membership) -> HttpResponse:
    form = CapsForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, form, status=422)
    data = form.cleaned_data
    with errors_as_messages(request):
        budgets.set_caps(
            project=membership.project, cap_micros=data["cap"], weekly_second_look_cap_micros=data["weekly"]
        )
        messages.success(request, "The limits are set. A run that was paused by one goes on from its own page.")
    return redirect("money", slug=membership.project.slug)


@require_safe
@owner_page
def calls(request: HttpRequest, membership: Membership) -> HttpResponse:
    only = _only(request)
    page = ledger.call_page(project=membership.project, only=only, page=whole(request.GET.get("page")) or 1)
    context = {
        "section": "money",
        "page": page,
        "only": only,
        "judge": membership.project.judges.filter(pk=only.judge_id).first() if only.judge_id else None,
        "kinds": [(kind, SHOWN_WORDS[kind]) for kind in KINDS_OF_CALLS],
    }
    return render_member(request, membership, "annotation/money_calls.html", context)


@require_safe
@owner_page
def call(request: HttpRequest, membership: Membership, call_id: int) -> HttpResponse:
    found = ledger.call_of(project=membership.project, call_id=call_id)
    if found is None:
        raise Http404("This project has no such call.")
    return render_member(request, membership, "annotation/money_call.html", {"section": "money", "call": found})


def _only(request: HttpRequest) -> CallFilter:
    shown = request.GET.get("shown", "all")
    return CallFilter(
        judge_id=whole(request.GET.get("judge")),
        run_id=whole(request.GET.get("run")),
        day=_day(request.GET.get("day")),
        shown=shown if shown in KINDS_OF_CALLS else "all",
    )


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _caps_form(membership: Membership) -> CapsForm:
    project = membership.project
    return CapsForm(initial={"cap": project.cap_micros, "weekly": project.weekly_second_look_cap_micros})


def _page(request: HttpRequest, membership: Membership, form: CapsForm, *, status: int = 200) -> HttpResponse:
    project = membership.project
    context = {
        "section": "money",
        "ledger": ledger.ledger(project=project),
        "spending": spending.spending(project=project, week=purses.weekly_key()),
        "unpriced": budgets.unpriced(project.judges.filter(is_active=True)),
        "form": form,
    }
    return render_member(request, membership, "annotation/money.html", context, status=status)
