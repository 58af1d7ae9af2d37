"""The judges of a project: who they are, what they cannot see, adding one, switching one on and off."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe

from annotation.forms import JudgeForm
from annotation.http import errors_as_messages, member_page, owner_page, render_member
from evaluation.errors import JuryFlowError
from evaluation.models import Membership
from evaluation.selectors import judges
from evaluation.services import judges as judge_services


@require_safe
@member_page
def judge_list(request: HttpRequest, membership: Membership) -> HttpResponse:
    return _page(request, membership, _form())


@require_POST
@owner_page
def judge_add(request: HttpRequest, membership: Membership) -> HttpResponse:
    form = _form(request.POST)
    if not form.is_valid():
        return _page(request, membership, form, status=422)
    try:
        judge = judge_services.add(project=membership.project, new=judge_services.NewJudge(**form.cleaned_data))
    except JuryFlowError as error:
        form.add_error(None, str(error))
        return _page(request, membership, form, status=422)
    messages.success(request, f"{judge.name} joined the panel. It votes in the next run.")
    return redirect("judges", slug=membership.project.slug)


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


def _form(data: QueryDict | None = None) -> JudgeForm:
    providers = [(offer.name, offer.title) for offer in judge_services.offers()]
    return JudgeForm(data, providers=providers, personas=judges.personas())


def _page(request: HttpRequest, membership: Membership, form: JudgeForm, *, status: int = 200) -> HttpResponse:
    rows = judges.judge_rows(project=membership.project)
    voting = {row.judge.name for row in rows if row.judge.is_offline and row.judge.is_active}
    context = {
        "section": "judges",
        "is_offline_complete": voting >= set(judge_services.OFFLINE_JUDGES.values()),
        "rows": rows,
        "form": form,
        "offers": judge_services.offers(),
        "has_offline": any(row.judge.is_offline for row in rows),
    }
    return render_member(request, membership, "annotation/judges.html", context, status=status)
