"""Answers that the second look proposes: a person accepts or drops each."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotation.http import errors_as_messages, member_page
from evaluation.models import Membership, Proposal
from evaluation.services import proposals


@require_POST
@member_page
def accept(request: HttpRequest, membership: Membership, proposal_id: int) -> HttpResponse:
    proposal = _proposal(membership, proposal_id)
    with errors_as_messages(request):
        proposals.accept(proposal=proposal, by=membership.user)
    return _back(membership, proposal)


@require_POST
@member_page
def drop(request: HttpRequest, membership: Membership, proposal_id: int) -> HttpResponse:
    proposal = _proposal(membership, proposal_id)
    with errors_as_messages(request):
        proposals.drop(proposal=proposal, by=membership.user)
    return _back(membership, proposal)


def _proposal(membership: Membership, proposal_id: int) -> Proposal:
    return get_object_or_404(Proposal, pk=proposal_id, decision__project=membership.project)


def _back(membership: Membership, proposal: Proposal) -> HttpResponse:
    page = reverse("moved", kwargs={"slug": membership.project.slug, "decision_id": proposal.decision_id})
    return redirect(f"{page}#proposals")
