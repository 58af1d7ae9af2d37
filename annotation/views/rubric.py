"""The rules the judges follow: read, write, adopt, retire."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.http import errors_as_messages, member_page, render_member
from annotation.rubric_form import EntryForm, entry_form
from evaluation import tasks
from evaluation.errors import JuryFlowError
from evaluation.models import Membership, RubricEntry, Run
from evaluation.selectors import rubric_reading
from evaluation.selectors.answers import Reader, reader
from evaluation.selectors.moves import rulings
from evaluation.selectors.rubric import RubricFilter, entry_page, rubric_list
from evaluation.selectors.trials import last_trial, trial_page
from evaluation.services import disclosing, estimating
from evaluation.services import rubric as rubrics


@require_GET
@member_page
def rubric(request: HttpRequest, membership: Membership) -> HttpResponse:
    return show_entry(request, membership, None)


@require_GET
@member_page
def entry(request: HttpRequest, membership: Membership, entry_id: int) -> HttpResponse:
    return show_entry(request, membership, entry_of(membership, entry_id))


@require_http_methods(["GET", "POST"])
@member_page
def write(request: HttpRequest, membership: Membership) -> HttpResponse:
    form = EntryForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = rubrics.write(project=membership.project, text=form.text(), by=membership.user)
            return redirect("rubric-entry", slug=membership.project.slug, entry_id=made.pk)
        except JuryFlowError as error:
            form.add_error(None, str(error))
    return _form_page(request, membership, form, None)


@require_http_methods(["GET", "POST"])
@member_page
def edit(request: HttpRequest, membership: Membership, entry_id: int) -> HttpResponse:
    found = entry_of(membership, entry_id)
    form = EntryForm(request.POST) if request.method == "POST" else entry_form(found)
    if request.method == "POST" and form.is_valid():
        try:
            rubrics.edit(entry=found, text=form.text(), by=membership.user)
            return redirect("rubric-entry", slug=membership.project.slug, entry_id=found.pk)
        except JuryFlowError as error:
            form.add_error(None, str(error))
    return _form_page(request, membership, form, found)


@require_POST
@member_page
def redact(request: HttpRequest, membership: Membership, entry_id: int) -> HttpResponse:
    """Replace the ticked names and addresses in a rule by placeholders."""
    found = entry_of(membership, entry_id)
    with errors_as_messages(request):
        disclosing.redact(entry=found, written=request.POST.getlist("written"), by=membership.user)
        messages.success(request, "Replaced. What was there before is kept in the history, for members only.")
    return redirect("rubric-entry", slug=membership.project.slug, entry_id=found.pk)


@require_POST
@member_page
def adopt(request: HttpRequest, membership: Membership, entry_id: int) -> HttpResponse:
    """Put a rule in force; an owner is asked first where an example is missing."""
    found = entry_of(membership, entry_id)
    knows = request.POST.get("without_example") == "yes" or not rubrics.missing_examples(found)
    if not knows and membership.role == Membership.Role.OWNER:
        return show_entry(request, membership, found, asks=True)
    done = "The rule is in force: judges read it from the next run on."
    _change(request, membership, entry_id, rubrics.adopt, done)
    return redirect(f"{reverse('rubric-entry', args=[membership.project.slug, entry_id])}?adopted=yes")


@require_POST
@member_page
def propose(request: HttpRequest, membership: Membership, entry_id: int) -> HttpResponse:
    return _change(request, membership, entry_id, rubrics.propose, "Proposed: an owner decides whether it is adopted.")


@require_POST
@member_page
def drop(request: HttpRequest, membership: Membership, entry_id: int) -> HttpResponse:
    return _change(
        request, membership, entry_id, rubrics.drop, "The draft is dropped; its history stays under Retired."
    )


@require_POST
@member_page
def retire(request: HttpRequest, membership: Membership, entry_id: int) -> HttpResponse:
    done = "The rule is retired: judges no longer read it from the next run on."
    return _change(request, membership, entry_id, rubrics.retire, done)


@require_POST
@member_page
def draft(request: HttpRequest, membership: Membership, decision_id: int) -> HttpResponse:
    """Ask for a rule drafted from a ruling."""
    decision = get_object_or_404(rulings(membership.project), pk=decision_id)
    with errors_as_messages(request):
        run = rubrics.request_draft(decision=decision, by=membership.user)
        tasks.drive_run.delay_on_commit(run.pk)
        messages.success(request, "A rule is being drafted from this ruling; it will be linked below.")
    return redirect("moved", slug=membership.project.slug, decision_id=decision.pk)


def entry_of(membership: Membership, entry_id: int) -> RubricEntry:
    """The rule of the member's project, or 404."""
    return get_object_or_404(RubricEntry, pk=entry_id, project=membership.project)


def show_entry(
    request: HttpRequest,
    membership: Membership,
    chosen: RubricEntry | None,
    *,
    run: Run | None = None,
    asks: bool = False,
) -> HttpResponse:
    """The page of the rules with one of them, the first where none is named, and with its last trial or another one."""
    person = reader(membership.project, membership.user_id)
    only = RubricFilter(is_mine=request.GET.get("mine") == "1", tag=request.GET.get("tag", ""))
    found = rubric_list(person, only)
    if chosen is None and found.first is not None:
        chosen = entry_of(membership, found.first.entry_id)
    context: dict[str, object] = {"section": "rubric", "rules": found, "only": only, "reader": person, "asks": asks}
    if membership.role == Membership.Role.OWNER:
        context["last_run"] = rubric_reading.last_run(membership.project)
    if chosen is not None:
        context |= _about(person, chosen, run)
        context["may_edit"] = chosen.status != RubricEntry.Status.RETIRED and (
            membership.role == Membership.Role.OWNER or chosen.status != RubricEntry.Status.ACTIVE
        )
        context["beside"] = found.beside(chosen.pk)
        if "adopted" in request.GET and chosen.status == RubricEntry.Status.ACTIVE:
            context["again"] = estimating.estimate(project=membership.project, again=True)
    return render_member(request, membership, "annotation/rubric.html", context, status=422 if asks else 200)


def _about(person: Reader, chosen: RubricEntry, run: Run | None) -> dict[str, object]:
    """One rule: its text, where its examples go, and what a trial of it brought."""
    tried = run or last_trial(chosen)
    return {
        "detail": entry_page(person, chosen),
        "disclosure": disclosing.disclosure(entry=chosen),
        "trial": trial_page(person, tried) if tried else None,
    }


def _form_page(
    request: HttpRequest, membership: Membership, form: EntryForm, found: RubricEntry | None
) -> HttpResponse:
    recipients = disclosing.recipients(membership.project)
    context = {"section": "rubric", "form": form, "entry": found, "recipients": recipients}
    status = 422 if form.errors else 200
    return render_member(request, membership, "annotation/rubric_entry.html", context, status=status)


def _change(
    request: HttpRequest, membership: Membership, entry_id: int, change: Callable[..., RubricEntry], done: str
) -> HttpResponse:
    found = entry_of(membership, entry_id)
    with errors_as_messages(request):
        change(entry=found, by=membership.user)
        messages.success(request, done)
    return redirect("rubric-entry", slug=membership.project.slug, entry_id=found.pk)
