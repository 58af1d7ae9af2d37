"""The judges of a project: who they are, what they cannot see, who may see the text, switching one on and off."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotation.http import errors_as_messages, member_page, owner_page, render_member
from annotation.voting_form import VotingForm
from evaluation.models import Membership
from evaluation.selectors import judges, orders
from evaluation.services import judge_standing, receivers
from evaluation.services import judges as judge_services


@require_safe
@member_page
def judge_list(request: HttpRequest, membership: Membership) -> HttpResponse:
    project = membership.project
    rows = judges.judge_rows(project=project)
    standings = judge_standing.standings(project)
    voting = {row.judge.name for row in rows if row.judge.is_offline and row.judge.is_active}
    context = {
        "section": "judges",
        "is_offline_complete": voting >= set(judge_services.OFFLINE_JUDGES.values()),
        "rows": [(row, standings[row.judge.pk]) for row in rows],
        "offers": judge_services.offers(),
        "has_offline": any(row.judge.is_offline for row in rows),
        "receivers": receivers.receivers(project),
        "voting": VotingForm.of(project, has_pairs=orders.may_have_pairs(project)),
        "orders": orders.consistency(project),
    }
    return render_member(request, membership, "annotation/judges.html", context)


@require_POST
@owner_page
def judge_add_offline(request: HttpRequest, membership: Membership) -> HttpResponse:
    with errors_as_messages(request):
        added = judge_services.add_offline_panel(project=membership.project)
        messages.success(request, f"The {len(added)} offline checkers are in the panel. They vote in the next run.")
    back = "runs" if request.POST.get("back") == "runs" else "judges"
    return redirect(back, slug=membership.project.slug)


@require_POST
@owner_page
def judge_switch(request: HttpRequest, membership: Membership, judge_id: int) -> HttpResponse:
    judge = get_object_or_404(membership.project.judges, pk=judge_id)
    with errors_as_messages(request):
        judge_services.set_active(judge=judge, is_active=request.POST.get("is_active") == "yes")
        state = "votes again" if judge.is_active else "no longer votes; its votes are kept"
        messages.success(request, f"{judge.name} {state}. Current answers follow the panel as it is now.")
    return redirect("judges", slug=membership.project.slug)


@require_POST
@owner_page
def judge_retire(request: HttpRequest, membership: Membership, judge_id: int) -> HttpResponse:
    judge = get_object_or_404(membership.project.judges, pk=judge_id)
    with errors_as_messages(request):
        judge_services.retire(judge=judge)
        messages.success(request, f"{judge.name} is retired; its votes are kept. Current answers follow the panel.")
    return redirect("judges", slug=membership.project.slug)


@require_POST
@owner_page
def judge_bring_back(request: HttpRequest, membership: Membership, judge_id: int) -> HttpResponse:
    judge = get_object_or_404(membership.project.judges, pk=judge_id)
    with errors_as_messages(request):
        judge_services.bring_back(judge=judge)
        messages.success(request, f"{judge.name} votes again. Current answers follow the panel as it is now.")
    return redirect("judges", slug=membership.project.slug)


@require_POST
@owner_page
def judge_receivers(request: HttpRequest, membership: Membership) -> HttpResponse:
    project = membership.project
    with errors_as_messages(request):
        taken = receivers.allow_only(project=project, hosts=request.POST.getlist("host"))
        ended = f" From now on nothing is sent to {', '.join(taken)}." if taken else ""
        messages.success(request, f"Saved who may see this project's text.{ended}")
    return redirect(f"{reverse('judges', args=[project.slug])}#receivers")
