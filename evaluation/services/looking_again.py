"""Turns the reviewer's answers into proposals for a person to accept or drop."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.models import Job, Outcome, Proposal, Verdict
from evaluation.schemas import VerdictState


def propose(job: Job, stored: Iterable[Verdict]) -> None:
    """Offer another answer than the current one for the claims of a review that follows from a ruling."""
    if job.decision is None:
        return
    for verdict in stored:
        outcome = verdict.claim.outcome
        is_other = verdict.state == VerdictState.CAST and verdict.label != outcome.label
        if is_other and outcome.source == Outcome.Source.PANEL and not _repeats_itself(verdict):
            Proposal.objects.get_or_create(
                decision=job.decision,
                claim=verdict.claim,
                defaults={"verdict": verdict, "before_label": outcome.label, "label": verdict.label},
            )


def _repeats_itself(verdict: Verdict) -> bool:
    """Whether an offline judge only says again what it voted: rules that no precedent turned have nothing to add."""
    if not verdict.judge.is_offline:
        return False
    votes = verdict.claim.verdicts.filter(judge=verdict.judge, is_current=True, purpose=Verdict.Purpose.VOTE)
    return verdict.label in votes.values_list("label", flat=True)
