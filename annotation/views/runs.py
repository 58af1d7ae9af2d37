"""Runs of the panel: what one takes, starting it, watching it, stopping it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.http import errors_as_messages, is_fragment, member_page, owner_page, render_member
from evaluation import tasks
from evaluation.errors import JuryFlowError
from evaluation.models import Membership, Run
from evaluation.selectors import runs
from evaluation.services import estimating, panel


@require_safe
@member_page
def run_list(request: HttpRequest, membership: Membership) -> HttpResponse:
    project = membership.project
    is_again = request.GET.get("again") == "yes"
    context = {
        "section": "runs",
        "rows": runs.run_rows(project=project, user_id=membership.user_id),
        "background": runs.run_rows(project=project, user_id=membership.user_id, is_background=True),
        "open_run": runs.open_panel_run(project=project),
        "estimate": estimating.estimate(project=project, again=is_again),
        "is_again": is_again,
    }
    return render_member(request, membership, "annotation/runs.html", context)


@require_POST
@owner_page
def run_start(request: HttpRequest, membership: Membership) -> HttpResponse:
    project = membership.project
    try:
        run = panel.open_run(project=project, by=membership.user, again=request.POST.get("again") == "yes")
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
    page = runs.run_page(run=run, user_id=membership.user_id)
    return render_member(request, membership, template, {"section": "runs", "page": page})


@require_POST
@owner_page
def run_stop(request: HttpRequest, membership: Membership, run_id: int) -> HttpResponse:
    run: Run = get_object_or_404(membership.project.runs, pk=run_id)
    with errors_as_messages(request):
        panel.stop(run=run)
    return redirect("run", slug=membership.project.slug, run_id=run.pk)
