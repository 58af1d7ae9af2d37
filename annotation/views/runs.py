"""Runs of the panel: what one takes and costs, starting it, watching it, pausing it, going on, stopping it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.http import errors_as_messages, is_fragment, member_page, owner_page, render_member
from annotation.money_forms import AGAIN, FAILED, MISSING, RunCapForm, RunOptionsForm, RunStartForm
from evaluation import tasks
from evaluation.errors import JuryFlowError
from evaluation.models import Membership, Project, Run
from evaluation.selectors import runs
from evaluation.selectors.privacy import replaced_before_sending
from evaluation.selectors.run_list import run_rows
from evaluation.services import expecting, panel
from evaluation.services.counting import Wish
from evaluation.services.panel import RunOptions


@require_safe
@member_page
def run_list(request: HttpRequest, membership: Membership) -> HttpResponse:
    return _page(request, membership, request.GET)


@require_POST
@owner_page
def run_start(request: HttpRequest, membership: Membership) -> HttpResponse:
    project = membership.project
    form = RunStartForm(request.POST)
    if form.is_valid():
        _check_cap(form, project)
    if form.errors:
        return _page(request, membership, request.POST, start=form, status=422)
    try:
        run = panel.open_run(project=project, by=membership.user, options=form.options())
    except JuryFlowError as error:
        messages.error(request, str(error))
        return redirect("runs", slug=project.slug)
    tasks.drive_run.delay_on_commit(run.pk)
    return redirect("run", slug=project.slug, run_id=run.pk)


@require_safe
@member_page
@vary_on_headers("HX-Request")
def run_detail(request: HttpRequest, membership: Membership, run_id: int) -> HttpResponse:
    run = get_object_or_404(membership.project.runs.select_related("started_by", "panel"), pk=run_id)
    template = "annotation/run.html#run-progress" if is_fragment(request) else "annotation/run.html"
    is_owner = membership.role == Membership.Role.OWNER
    page = runs.run_page(run=run, user_id=membership.user_id, is_owner=is_owner)
    return render_member(request, membership, template, {"section": "runs", "page": page, "form": RunCapForm()})


@require_POST
@owner_page
def run_pause(request: HttpRequest, membership: Membership, run_id: int) -> HttpResponse:
    run = _run(membership, run_id)
    with errors_as_messages(request):
        panel.pause(run=run)
    return _then_watch(membership, run)


@require_POST
@owner_page
def run_resume(request: HttpRequest, membership: Membership, run_id: int) -> HttpResponse:
    run, form = _run(membership, run_id), RunCapForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(map(str, form.errors["cap"])))
        return _then_watch(membership, run)
    with errors_as_messages(request):
        panel.resume(run=run, cap_micros=form.cleaned_data["cap"])
        tasks.drive_run.delay_on_commit(run.pk)
    return _then_watch(membership, run)


@require_POST
@owner_page
def run_stop(request: HttpRequest, membership: Membership, run_id: int) -> HttpResponse:
    run = _run(membership, run_id)
    with errors_as_messages(request):
        panel.stop(run=run)
    return _then_watch(membership, run)


def _run(membership: Membership, run_id: int) -> Run:
    return get_object_or_404(membership.project.runs, pk=run_id)


def _then_watch(membership: Membership, run: Run) -> HttpResponse:
    return redirect("run", slug=membership.project.slug, run_id=run.pk)


def _check_cap(form: RunStartForm, project: Project) -> None:
    """Say under the cap which judges could not be asked with it."""
    options = form.options()
    problems = expecting.cap_problems(
        project=project, wish=_wish(options), in_batches=options.in_batches, cap_micros=options.cap_micros
    )
    for problem in problems:
        form.add_error("cap", problem)


def _wish(options: RunOptions) -> Wish:
    return Wish(options.decompose, options.again, options.samples, options.only_failed)


def _page(
    request: HttpRequest,
    membership: Membership,
    wished: QueryDict,
    *,
    start: RunStartForm | None = None,
    status: int = 200,
) -> HttpResponse:
    project, form = membership.project, RunOptionsForm(wished)
    options = form.options() if form.is_valid() else RunOptions()
    open_run = runs.open_panel_run(project=project)
    context = {
        "section": "runs",
        "rows": run_rows(project=project, user_id=membership.user_id),
        "background": run_rows(project=project, user_id=membership.user_id, is_background=True),
        "open_run": open_run,
        "expected": None
        if open_run
        else expecting.expect(project=project, wish=_wish(options), in_batches=options.in_batches),
        "replacements": None if open_run else replaced_before_sending(project),
        "options": options,
        "asked": AGAIN if options.again else FAILED if options.only_failed else MISSING,
        "form": form,
        "start": start or RunStartForm(),
    }
    return render_member(request, membership, "annotation/runs.html", context, status=status)
