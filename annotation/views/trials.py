"""Trying a rule on ruled claims before it is adopted: what it takes, starting it, watching it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.http import is_fragment, member_page, owner_page, render_member
from annotation.rubric_form import TrialForm
from annotation.views.rubric import entry_of, show_entry
from evaluation import tasks
from evaluation.errors import JuryFlowError
from evaluation.models import Membership, Run
from evaluation.selectors.answers import reader
from evaluation.selectors.trials import trial_page
from evaluation.services import trials


@require_safe
@owner_page
def offer(request: HttpRequest, membership: Membership, entry_id: int) -> HttpResponse:
    return _offer(request, membership, entry_id, TrialForm())


@require_POST
@owner_page
def start(request: HttpRequest, membership: Membership, entry_id: int) -> HttpResponse:
    entry, form = entry_of(membership, entry_id), TrialForm(request.POST)
    if not form.is_valid():
        return _offer(request, membership, entry_id, form)
    try:
        run = trials.request(entry=entry, by=membership.user, cap_micros=form.cleaned_data["cap"])
    except JuryFlowError as error:
        messages.error(request, str(error))
        return redirect("rubric-try", slug=membership.project.slug, entry_id=entry.pk)
    tasks.drive_run.delay_on_commit(run.pk)
    return redirect(f"{reverse('rubric-entry', args=[membership.project.slug, entry.pk])}#trial")


@require_safe
@member_page
@vary_on_headers("HX-Request")
def trial(request: HttpRequest, membership: Membership, entry_id: int, run_id: int) -> HttpResponse:
    entry, run = entry_of(membership, entry_id), _trial(membership, entry_id, run_id)
    if not is_fragment(request):
        return show_entry(request, membership, entry, run=run)
    person = reader(membership.project, membership.user_id)
    context = {"entry": entry, "trial": trial_page(person, run)}
    return render_member(request, membership, "annotation/rubric/_trial.html", context)


def _trial(membership: Membership, entry_id: int, run_id: int) -> Run:
    wanted = membership.project.runs.filter(kind=Run.Kind.TRIAL, entry=entry_id)
    return get_object_or_404(wanted.select_related("entry", "started_by"), pk=run_id)


def _offer(request: HttpRequest, membership: Membership, entry_id: int, form: TrialForm) -> HttpResponse:
    entry = entry_of(membership, entry_id)
    context = {"section": "rubric", "entry": entry, "form": form, "estimate": trials.estimate(entry=entry)}
    status = 422 if form.errors else 200
    return render_member(request, membership, "annotation/rubric_try.html", context, status=status)
