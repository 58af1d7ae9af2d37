"""Sends claims like a ruled one for a second look, with the ruling as precedent."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from evaluation.algorithms.propagation import second_look_targets
from evaluation.errors import NotAllowedError
from evaluation.models import Claim, Decision, Job, Outcome, Run
from evaluation.selectors.neighbours import neighbours_of
from evaluation.services import projects, reviewers


def queue(*, decision: Decision) -> Run | None:
    """Queue a second look at the neighbours of a ruled claim; None where nobody can look or nothing is near.

    Neighbours are the graph edges within the instance and the nearest candidates of other instances; one hop.
    """
    if decision.action != Decision.Action.RULE:
        return None
    try:
        reviewer = reviewers.choose(project=decision.project, kind=decision.claim.kind)
    except NotAllowedError:
        return None
    targets = _targets(decision)
    if not targets:
        return None
    with transaction.atomic():
        run = Run.objects.create(project=decision.project, kind=Run.Kind.SECOND_LOOK, started_by=decision.expert)
        for claim in targets:
            job = Job.objects.create(
                run=run,
                task=Job.Task.REVIEW,
                key=f"review/{claim.pk}",
                judge=reviewer.judge,
                response=claim.response,
                decision=decision,
            )
            job.claims.add(claim)
    return run


def _targets(decision: Decision) -> list[Claim]:
    claim, parameters = decision.claim, decision.project.method_parameters
    near = neighbours_of(claim)
    open_outcomes = Outcome.objects.filter(claim__in=near, source=Outcome.Source.PANEL, claim__is_void=False)
    rows = open_outcomes.select_related("claim__response", "pattern")
    inside = [row for row in rows if row.claim.instance_id == claim.instance_id]
    outside = [row for row in rows if row.claim.instance_id != claim.instance_id and row.pattern.is_candidate]
    outside.sort(key=lambda row: (-near[row.claim_id], row.claim_id))
    chosen = {row.claim_id: row for row in [*inside, *outside[: parameters.neighbours]]}
    looks = second_look_targets(
        claim.pk,
        {pk: near[pk] for pk in chosen},
        {pk: row.pattern.panel_entropy for pk, row in chosen.items()},
        parameters.max_targets,
    )
    return [chosen[look.claim_id].claim for look in looks]


def ask_about(*, claim: Claim, by: User) -> Run:
    """Queue an AI second opinion on one claim; where it is queued already, that run is returned.

    Raises NotAllowedError where no judge is good enough.
    """
    reviewer = reviewers.choose(project=claim.project, kind=claim.kind)
    with transaction.atomic():
        projects.hold(claim.project)
        asked = Run.objects.filter(kind=Run.Kind.SECOND_LOOK, state__in=Run.OPEN_STATES)
        if queued := asked.filter(jobs__claims=claim, jobs__decision=None).first():
            return queued
        run = Run.objects.create(project=claim.project, kind=Run.Kind.SECOND_LOOK, started_by=by)
        job = Job.objects.create(
            run=run, task=Job.Task.REVIEW, key=f"review/{claim.pk}", judge=reviewer.judge, response=claim.response
        )
        job.claims.add(claim)
    return run
