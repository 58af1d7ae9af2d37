"""Draws the next claim for an expert and keeps how it was drawn."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from evaluation.algorithms.selection import audit_pick, is_audit_turn
from evaluation.models import Claim, Decision, Draw, Outcome, Project
from evaluation.schemas import SelectionPolicy
from evaluation.selectors import outcomes, queue
from evaluation.services import projects

NEAREST_CLAIMS = 50


def next_draw(*, project: Project, expert: User, after: Claim | None = None) -> Draw | None:
    """The claim this expert should see next; the same one until it is ruled on, None when nothing is left.

    Where no disputed claim is left, each pick is an audit: drawn at random from the undecided ones, with its chance.
    """
    with transaction.atomic():
        projects.hold(project)
        if kept := _kept(project, expert):
            return kept
        audit_every = project.method_parameters.audit_every
        if is_audit_turn(_picks(project), audit_every) and (draw := _audit(project, expert)):
            return draw
        return _ranked(project, expert, after) or (_audit(project, expert) if audit_every else None)


def _kept(project: Project, expert: User) -> Draw | None:
    opened = project.draws.filter(expert=expert, is_open=True, is_by_hand=False, claim__is_void=False)
    draw = opened.filter(claim__outcome__source=Outcome.Source.PANEL).select_related("claim").last()
    if draw is None:
        opened.update(is_open=False)
    return draw


def _picks(project: Project) -> int:
    return project.draws.filter(is_by_hand=False).count()


def _set_aside(project: Project, expert: User) -> set[int]:
    """Claims that this expert said they cannot judge."""
    given_up = project.decisions.filter(expert=expert, action=Decision.Action.CANNOT_JUDGE, undo__isnull=True)
    return set(given_up.values_list("claim_id", flat=True))


def _audit(project: Project, expert: User) -> Draw | None:
    ids = set(outcomes.for_audit(project, expert.pk).values_list("claim_id", flat=True))
    if not ids:
        return None
    pick = audit_pick(ids, seed=project.pk * 1_000_003 + _picks(project))
    return Draw.objects.create(
        project=project,
        claim_id=pick.claim_id,
        expert=expert,
        policy=SelectionPolicy.RANDOM,
        probability=pick.probability,
        is_audit=True,
    )


def _ranked(project: Project, expert: User, after: Claim | None) -> Draw | None:
    parameters = project.method_parameters
    exclude = _set_aside(project, expert)
    ranked = queue.ranked_claims(project, limit=NEAREST_CLAIMS, exclude=exclude)
    if not ranked:
        return None
    best = ranked[0]
    if after is not None and parameters.next_claim == "same_response":
        best = _near(ranked, project, after) or best
    return Draw.objects.create(
        project=project,
        claim_id=best.claim_id,
        expert=expert,
        policy=parameters.policy,
        rank=best.rank,
        probability=_probability(project, parameters.policy),
    )


def _probability(project: Project, policy: str) -> float:
    """One for a ranked pick; one in so many candidates where the policy draws at random."""
    if policy != SelectionPolicy.RANDOM:
        return 1.0
    return 1.0 / max(1, queue.candidate_count(project))


def _near(ranked: list[queue.RankedClaim], project: Project, after: Claim) -> queue.RankedClaim | None:
    """The best-ranked claim of the same response, else of the same instance."""
    claims = {claim.pk: claim for claim in project.claims.filter(pk__in=[each.claim_id for each in ranked])}
    same_response = [each for each in ranked if claims[each.claim_id].response_id == after.response_id]
    same_instance = [each for each in ranked if claims[each.claim_id].instance_id == after.instance_id]
    return next(iter(same_response or same_instance), None)


def by_hand(*, claim: Claim, expert: User) -> Draw:
    """Note that an expert opened the claim: the open draw of this claim if there is one, else one by hand."""
    opened = Draw.objects.filter(claim=claim, expert=expert, is_open=True, decision__isnull=True).last()
    return opened or Draw.objects.create(
        project=claim.project, claim=claim, expert=expert, policy="by_hand", is_by_hand=True
    )
