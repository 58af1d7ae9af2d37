"""The list of projects, making one and removing one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.forms import ProjectForm
from annotation.http import errors_as_messages, owner_page
from evaluation.errors import JuryFlowError
from evaluation.models import Membership
from evaluation.selectors import projects
from evaluation.services import projects as project_services


@require_safe
@login_required
def project_list(request: HttpRequest) -> HttpResponse:
    return render(request, "annotation/projects.html", {"rows": projects.project_rows(user=request.user)})


@require_http_methods(["GET", "POST"])
@login_required
def project_new(request: HttpRequest) -> HttpResponse:
    form = ProjectForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and isinstance(request.user, User):
        try:
            project = project_services.create(owner=request.user, **form.cleaned_data)
        except JuryFlowError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"Project {project.name} is made. Now bring what is to be judged.")
            return redirect("import", slug=project.slug)
    status = 422 if form.is_bound else 200
    return render(request, "annotation/project_new.html", {"form": form}, status=status)


@require_POST
@owner_page
def remove(request: HttpRequest, membership: Membership) -> HttpResponse:
    project = membership.project
    if not project.is_demo and request.POST.get("confirm") != "yes":
        messages.error(request, f"{project.name} was not removed: tick the box that confirms it first.")
        return redirect("people", slug=project.slug)
    with errors_as_messages(request):
        project_services.remove(project=project, by=membership.user)
        messages.success(request, f"{project.name} and everything in it was removed.")
    return redirect("projects")
