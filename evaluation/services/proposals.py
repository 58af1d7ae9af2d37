"""Takes or drops what a second look proposes; a person answers each one."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from evaluation.errors import ConflictError
from evaluation.models import Proposal
from evaluation.services import projects, settling


def accept(*, proposal: Proposal, by: User) -> Proposal:
    """Let the second look's answer hold for the claim. Raises ConflictError if it was answered already."""
    return _answer(proposal, Proposal.State.ACCEPTED, by)


def drop(*, proposal: Proposal, by: User) -> Proposal:
    """Keep the current answer. Raises ConflictError if it was answered already."""
    return _answer(proposal, Proposal.State.DROPPED, by)


def _answer(proposal: Proposal, state: str, by: User) -> Proposal:
    with transaction.atomic():
        projects.hold(proposal.decision.project)
        answered = Proposal.objects.filter(pk=proposal.pk, state=Proposal.State.OPEN).update(
            state=state, answered_by=by, answered_at=timezone.now()
        )
        if not answered:
            raise ConflictError("This proposal was answered already.")
        proposal.refresh_from_db()
        settling.settle(proposal.claim)
    return proposal
