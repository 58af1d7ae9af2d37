"""Records rulings and undos and lets the panel follow; everything else follows in jobs."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from evaluation.algorithms.voters import judge_of, leading_labels, voter_of
from evaluation.errors import ConflictError, InvalidInputError
from evaluation.models import Decision, Draw, Job, PatternMove, Propagation, Proposal, TrackRecord, Undo
from evaluation.schemas import OutcomeState
from evaluation.services import projects, rubric_support, settling, track_records
from evaluation.services.track_records import Reweighing


@dataclass(frozen=True)
class Ruling:
    """What an expert said and what was visible while saying it; `token` is one per form shown."""

    label: str = ""
    action: str = Decision.Action.RULE
    reason: str = ""
    is_serious: bool = False
    source: str = Decision.Source.OWN
    saw_names: bool = False
    saw_preview: bool = False
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))


def record(*, draw: Draw, ruling: Ruling) -> Decision:
    """Store a ruling on the drawn claim and re-weight the panel; the same token again returns the first ruling.

    Raises InvalidInputError for a label outside the project's scheme and ConflictError for a draw that was used.
    """
    _check(draw, ruling)
    if known := Decision.objects.filter(token=ruling.token).first():
        return known
    try:
        with transaction.atomic():
            projects.hold(draw.project)
            return _record(draw, ruling)
    except IntegrityError as error:
        if known := Decision.objects.filter(token=ruling.token).first():
            return known
        raise ConflictError("This claim was ruled on from another tab with the same draw: open it again.") from error


def _check(draw: Draw, ruling: Ruling) -> None:
    if ruling.action not in Decision.Action.values:
        raise InvalidInputError(f"“{ruling.action}” is not something one can do with a claim.")
    labels = draw.project.labels(draw.claim.kind)
    if ruling.action == Decision.Action.RULE and ruling.label not in labels:
        raise InvalidInputError(f"“{ruling.label}” is not an answer here: choose one of {', '.join(labels)}.")
    if ruling.action != Decision.Action.RULE and ruling.label:
        raise InvalidInputError("Setting a claim aside carries no answer: send either one, not both.")
    if "\x00" in ruling.reason:
        raise InvalidInputError("The reason holds a NUL character: remove it.")


def _record(draw: Draw, ruling: Ruling) -> Decision:
    claim = draw.claim
    pattern = claim.outcome.pattern
    before = _records(claim.project_id, claim.kind)
    decision = Decision.objects.create(
        project=draw.project,
        claim=claim,
        expert=draw.expert,
        draw=draw,
        action=ruling.action,
        label=ruling.label,
        reason=ruling.reason,
        is_serious=ruling.is_serious,
        source=ruling.source,
        pattern=pattern,
        votes=pattern.votes,
        saw_names=ruling.saw_names,
        saw_preview=ruling.saw_preview,
        has_sources=claim.instance.documents.exists(),
        token=ruling.token,
    )
    Draw.objects.filter(claim=claim, expert=draw.expert, is_open=True).update(is_open=False)
    if decision.action != Decision.Action.CANNOT_JUDGE:
        settling.settle(claim)
        done = track_records.remake(project=draw.project, kind=claim.kind)
        _store_propagation(decision, done, before)
    return decision


def _records(project_id: int, kind: str) -> dict[str, tuple[float, float]]:
    rows = TrackRecord.objects.filter(project_id=project_id, kind=kind)
    return {voter_of(row.judge_id, row.order): (row.agreed, row.decided) for row in rows}


def _store_propagation(decision: Decision, done: Reweighing, before: dict[str, tuple[float, float]]) -> None:
    after = _records(decision.project_id, decision.claim.kind)
    sided = {voter: label == decision.label for voter, label in leading_labels(decision.votes).items()}
    judges = [
        {
            "voter": voter,
            "judge": judge_of(voter),
            "sided": sided[voter],
            "before": list(before.get(voter, (0.0, 0.0))),
            "after": list(after.get(voter, (0.0, 0.0))),
        }
        for voter in sorted(sided)
    ]
    propagation = Propagation.objects.create(
        decision=decision,
        n_moved=sum(move.n_claims for move in done.moves),
        n_ties_settled=sum(move.n_claims for move in done.moves if move.before_state == OutcomeState.SPLIT),
        n_firmer=done.n_firmer,
        n_weaker=done.n_weaker,
        judges=judges if decision.label else [],
    )
    PatternMove.objects.bulk_create(
        PatternMove(
            propagation=propagation,
            pattern=move.pattern,
            before_state=move.before_state,
            before_label=move.before_label,
            before_support=move.before_support,
            after_state=move.pattern.state,
            after_label=move.pattern.label,
            n_claims=move.n_claims,
        )
        for move in done.moves
    )


def undo(*, decision: Decision, by: User) -> Undo:
    """Take a ruling back: what stands is made anew from the rulings that survive. Raises ConflictError if undone."""
    try:
        with transaction.atomic():
            projects.hold(decision.project)
            event = Undo.objects.create(decision=decision, expert=by)
            decision.jobs.filter(state__in=Job.OPEN_STATES).update(state=Job.State.CANCELLED)
            accepted = list(decision.proposals.filter(state=Proposal.State.ACCEPTED).select_related("claim"))
            decision.proposals.exclude(state=Proposal.State.DROPPED).update(state=Proposal.State.WITHDRAWN)
            for claim in [decision.claim, *(proposal.claim for proposal in accepted)]:
                settling.settle(claim)
            track_records.remake(project=decision.project, kind=decision.claim.kind)
            rubric_support.withdraw(decision=decision, by=by)
            return event
    except IntegrityError as error:
        raise ConflictError("This ruling was undone already.") from error
