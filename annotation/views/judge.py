"""One judge: adding it, and changing what it is."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation.http import owner_page, render_member
from annotation.judge_forms import JudgeEditForm, JudgeForm, stored
from evaluation.errors import InvalidInputError, JuryFlowError
from evaluation.models import Judge, Membership
from evaluation.selectors import judge_tests, judges
from evaluation.services import judge_changes, judge_standing
from evaluation.services import judges as judge_services
from evaluation.services.judges import ProviderOffer


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@owner_page
def judge_new(request: HttpRequest, membership: Membership, provider: str) -> HttpResponse:
    project = membership.project
    form = JudgeForm(request.POST or None, offer=_offer(provider), personas=judges.personas())
    if request.method == "POST" and form.is_valid():
        try:
            judge = judge_services.add(project=project, new=form.new_judge())
        except JuryFlowError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{judge.name} joined the panel. Test it here, or let it vote in the next run.")
            return redirect("judge", slug=project.slug, judge_id=judge.pk)
    context = {"section": "judges", "form": form, "persona_texts": judges.persona_texts()}
    return render_member(request, membership, "annotation/judge_new.html", context, status=_status(form))


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@owner_page
def judge_page(request: HttpRequest, membership: Membership, judge_id: int) -> HttpResponse:
    judge = get_object_or_404(membership.project.judges.select_related("project"), pk=judge_id)
    form = _edit_form(request, judge) if judge_changes.can_change(judge) else None
    if request.method == "POST" and form and form.is_valid():
        try:
            forgets = form.cleaned_data["forget_key"]
            changed = judge_changes.change(judge=judge, wanted=form.new_judge(), forget_key=forgets)
        except JuryFlowError as error:
            form.add_error(None, str(error))
        else:
            said = (
                "is changed" if changed == judge else f"votes in the place of {judge.name}, which rests with its votes"
            )
            messages.success(request, f"{changed.name} {said}.")
            return redirect("judge", slug=membership.project.slug, judge_id=changed.pk)
    return _page(request, membership, judge_id, form)


def _page(request: HttpRequest, membership: Membership, judge_id: int, form: JudgeEditForm | None) -> HttpResponse:
    project = membership.project
    row = next(row for row in judges.judge_rows(project=project) if row.judge.pk == judge_id)
    context = {
        "section": "judges",
        "row": row,
        "standing": judge_standing.standings(project)[judge_id],
        "form": form,
        "has_worked": judge_changes.has_worked(row.judge),
        "persona_texts": judges.persona_texts(),
        "test": judge_tests.newest(project).get(judge_id),
    }
    return render_member(request, membership, "annotation/judge.html", context, status=_status(form))


def _edit_form(request: HttpRequest, judge: Judge) -> JudgeEditForm:
    offer, personas = _offer(judge.provider), judges.personas()
    if request.method == "POST":
        return JudgeEditForm(request.POST, offer=offer, personas=personas)
    return JudgeEditForm(initial=stored(judge), offer=offer, personas=personas)


def _offer(provider: str) -> ProviderOffer:
    try:
        return judge_services.offer(provider)
    except InvalidInputError as error:
        raise Http404(str(error)) from error


def _status(form: JudgeForm | None) -> int:
    return 422 if form is not None and form.errors else 200
