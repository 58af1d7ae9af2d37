"""Asks one judge about one claim, or a statement of our own, to see whether it works: nothing of it becomes a vote."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from evaluation.errors import ConflictError, InvalidInputError, MissingPieceError, NotAllowedError
from evaluation.models import Claim, Decision, Job, Judge, Project, Run
from evaluation.selectors import outcomes
from evaluation.services import budgets, judges, projects


def sample(project: Project) -> Claim | None:
    """The claim a judge is tried on: the one ruled on last, else the first; None where there is none."""
    ruled = outcomes.ruled(project).filter(decision__action=Decision.Action.RULE).order_by("-decision__pk").first()
    if ruled is not None:
        return ruled.claim
    return project.claims.filter(is_void=False).order_by("pk").first()


def request(*, judge: Judge, claim: Claim | None, by: User) -> Run:
    """Queue a test of a judge on a claim; where one is under way, that one is returned.

    Without a claim the judge is asked about a statement of our own: it can be tested before anything is imported.
    The caller wakes a worker with `tasks.drive_run`. Raises a JuryFlowError with what stands in its way.
    """
    _check(judge, claim)
    with transaction.atomic():
        projects.hold(judge.project)
        under_way = Run.objects.filter(kind=Run.Kind.TEST, state__in=Run.OPEN_STATES, jobs__judge=judge)
        key = f"test/{claim.pk if claim else 'sample'}"
        if queued := under_way.filter(jobs__key=key).first():
            return queued
        run = Run.objects.create(project=judge.project, kind=Run.Kind.TEST, started_by=by)
        job = Job.objects.create(
            run=run,
            task=Job.Task.TEST,
            key=key,
            judge=judge,
            response=claim.response if claim else None,
            options={} if claim else {"sample": True},
        )
        if claim:
            job.claims.add(claim)
    return run


def _check(judge: Judge, claim: Claim | None) -> None:
    if claim and claim.project_id != judge.project_id:
        raise InvalidInputError(f"Claim {claim.pk} is none of the project “{judge.project}”.")
    if judge.is_recorded:
        raise NotAllowedError(f"“{judge}” brought its votes in a file and cannot be asked.")
    if problem := judges.key_problem(judge):
        raise MissingPieceError(problem)
    judges.check_may_ask(judge, judge.project)
    for blocker in budgets.price_blockers(judges=[judge], caps=[judge.project.cap_micros]):
        raise ConflictError(blocker)
