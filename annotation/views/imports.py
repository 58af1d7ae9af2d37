"""Bringing data: the form, the report before anything is stored, and taking it in."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.forms import CommitForm, ImportForm
from annotation.http import owner_page, render_member
from evaluation import tasks
from evaluation.errors import JuryFlowError
from evaluation.models import Import, Membership
from evaluation.selectors import imports
from evaluation.services import imports as import_services
from evaluation.services import judges


@require_http_methods(["GET", "POST"])
@owner_page
def import_page(request: HttpRequest, membership: Membership) -> HttpResponse:
    project = membership.project
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if request.method == "POST" and form.is_valid():
        try:
            record = import_services.prepare(
                project=project,
                content=form.content(),
                filename=form.filename(),
                by=membership.user,
                options={"fmt": form.cleaned_data["fmt"]},
            )
        except JuryFlowError as error:
            form.add_error(None, str(error))
        else:
            return redirect("import-report", slug=project.slug, import_id=record.pk)
    records = imports.import_records(project=project)
    status = 422 if form.is_bound else 200
    context = {"section": "import", "form": form, "records": records}
    return render_member(request, membership, "annotation/import.html", context, status=status)


@require_safe
@owner_page
def import_report(request: HttpRequest, membership: Membership, import_id: int) -> HttpResponse:
    record = get_object_or_404(membership.project.imports.defer("content"), pk=import_id)
    return _report(request, membership, record, CommitForm())


@require_POST
@owner_page
def import_commit(request: HttpRequest, membership: Membership, import_id: int) -> HttpResponse:
    project = membership.project
    record = get_object_or_404(project.imports, pk=import_id)
    form = CommitForm(request.POST)
    if not form.is_valid():
        return _report(request, membership, record, form, status=422)
    try:
        import_services.commit(record=record, on_conflict=form.choice(), by=membership.user)
    except JuryFlowError as error:
        form.add_error(None, str(error))
        return _report(request, membership, record, form, status=422)
    tasks.build_graph.delay_on_commit(project.pk)
    messages.success(request, f"{record.filename} is in the project.")
    return redirect("import-report", slug=project.slug, import_id=record.pk)


def _report(
    request: HttpRequest, membership: Membership, record: Import, form: CommitForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "section": "import",
        "report": imports.report_page(record=record),
        "can_ask": bool(judges.askable(membership.project)),
        "form": form,
    }
    return render_member(request, membership, "annotation/import_report.html", context, status=status)
