"""Sets how the judges of a project are asked."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotation.http import errors_as_messages, owner_page
from annotation.voting_form import VotingForm
from evaluation.models import Membership
from evaluation.services import voting_rules


@require_POST
@owner_page
def set_rules(request: HttpRequest, membership: Membership) -> HttpResponse:
    project, form = membership.project, VotingForm(request.POST)
    if not form.is_valid():
        problems = " ".join(str(error) for error in form.errors["samples"])
        messages.error(request, f"Not saved. Votes of each judge: {problems}")
    else:
        with errors_as_messages(request):
            voting_rules.set_rules(project=project, **form.cleaned_data)
            messages.success(request, "Saved. It holds from the next run on; votes that are there stay.")
    return redirect(f"{reverse('judges', args=[project.slug])}#voting")
