"""Testing a judge on one claim: starting it, and following what comes back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.http import is_fragment, owner_page, render_member
from evaluation import tasks
from evaluation.errors import JuryFlowError
from evaluation.models import Membership, Run
from evaluation.selectors import judge_tests
from evaluation.services import judge_tests as services


@require_POST
@owner_page
def judge_test(request: HttpRequest, membership: Membership, judge_id: int) -> HttpResponse:
    project = membership.project
    judge = get_object_or_404(project.judges.select_related("project"), pk=judge_id)
    try:
        run = services.request(judge=judge, claim=services.sample(project), by=membership.user)
    except JuryFlowError as error:
        messages.error(request, str(error))
        return redirect("judge", slug=project.slug, judge_id=judge.pk)
    tasks.drive_run.delay_on_commit(run.pk)
    return redirect("judge-tested", slug=project.slug, run_id=run.pk)


@require_safe
@owner_page
@vary_on_headers("HX-Request")
def judge_tested(request: HttpRequest, membership: Membership, run_id: int) -> HttpResponse:
    run = get_object_or_404(membership.project.runs.select_related("project"), pk=run_id, kind=Run.Kind.TEST)
    template = "annotation/judge_test.html#judge-test" if is_fragment(request) else "annotation/judge_test.html"
    page = judge_tests.page_of(run=run, user_id=membership.user_id)
    return render_member(request, membership, template, {"section": "judges", "page": page})
