"""Settles a claim from the events that survive: expert over reviewer over panel."""

from __future__ import annotations

from django.db.models import F

from evaluation.models import Claim, Decision, Outcome, Proposal, VotePattern


def standing_decision(claim: Claim) -> Decision | None:
    """The last decision on the claim that was not undone and settles it."""
    settled_by = [Decision.Action.RULE, Decision.Action.VOID]
    return claim.decisions.filter(undo__isnull=True, action__in=settled_by).order_by("-pk").first()


def settle(claim: Claim) -> Outcome:
    """Bring the claim's outcome in line with its surviving events; call it inside a transaction."""
    outcome = Outcome.objects.select_for_update().get(claim=claim)
    claim.refresh_from_db(fields=["is_void"])
    was_open = outcome.source == Outcome.Source.PANEL and not claim.is_void
    decision = standing_decision(claim)
    is_void = decision is not None and decision.action == Decision.Action.VOID
    if claim.is_void != is_void:
        Claim.objects.filter(pk=claim.pk).update(is_void=is_void)
        claim.is_void = is_void
    _apply(outcome, None if is_void else decision, _accepted_proposal(claim))
    if is_void:
        outcome.decision = decision
    outcome.save()
    is_open = outcome.source == Outcome.Source.PANEL and not is_void
    if is_open != was_open:
        step = 1 if is_open else -1
        VotePattern.objects.filter(pk=outcome.pattern_id).update(n_open=F("n_open") + step)
    return outcome


def _accepted_proposal(claim: Claim) -> Proposal | None:
    accepted = claim.proposals.filter(state=Proposal.State.ACCEPTED, decision__undo__isnull=True)
    return accepted.order_by("-answered_at", "-pk").first()


def _apply(outcome: Outcome, decision: Decision | None, proposal: Proposal | None) -> None:
    outcome.decision = decision
    if decision is not None:
        outcome.source, outcome.settled_label = Outcome.Source.EXPERT, decision.label
        outcome.is_serious = decision.is_serious
    elif proposal is not None:
        outcome.source, outcome.settled_label, outcome.is_serious = Outcome.Source.REVIEWER, proposal.label, False
    else:
        outcome.source, outcome.settled_label, outcome.is_serious = Outcome.Source.PANEL, "", False
