"""Tries a rule before it is adopted: judges answer on ruled claims with and without it, and nothing of it is a vote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from evaluation.errors import ConflictError
from evaluation.llm.protocol import TextPart
from evaluation.methods import juryflow
from evaluation.models import Job, Judge, Purse, RubricEntry, Run
from evaluation.services import (
    budgets,
    costing,
    estimating,
    judges,
    panel,
    planning,
    projects,
    purses,
    rubric_prompt,
    subjects,
)
from evaluation.services.costing import RunCost
from evaluation.services.estimating import CHARACTERS_PER_TOKEN, JudgeAsking
from evaluation.services.planning import Step
from evaluation.services.rubric_prompt import Shelf
from evaluation.services.trial_samples import N_CLAIMS, TrialSample, draw

WITHOUT, WITH = "without_entry", "with_entry"
BLOCK = 500


@dataclass(frozen=True)
class TrialEstimate:
    """What a trial takes: other claims and the rule's own, what each judge is asked, who gets text, what stops it."""

    n_claims: int
    n_own: int
    n_judges: int
    n_calls: int
    cost: RunCost
    recipients: tuple[str, ...]
    blockers: tuple[str, ...]


def estimate(*, entry: RubricEntry, n: int = N_CLAIMS, cap_micros: int | None = None) -> TrialEstimate:
    """Say beforehand what a trial of the rule takes; the questions are put together, and none is asked."""
    panel_now = judges.askable(entry.project)
    sample = draw(entry, n)
    steps = list(_steps(sample, panel_now))
    shelf = rubric_prompt.load(entry.project, entry.kind).trying(with_entry=entry.pk)
    askings = [_asking(judge, [step for step in steps if step.judge == judge], shelf, entry) for judge in panel_now]
    return TrialEstimate(
        n_claims=len(sample.claims),
        n_own=len(sample.own),
        n_judges=len(panel_now),
        n_calls=sum(asking.n_calls for asking in askings),
        cost=costing.estimate_cost(project=entry.project, askings=askings),
        recipients=tuple(judges.recipient(judge) for judge in panel_now if judges.is_remote(judge)),
        blockers=tuple(_blockers(entry, sample, panel_now, cap_micros)),
    )


def request(*, entry: RubricEntry, by: User, n: int = N_CLAIMS, cap_micros: int | None = None) -> Run:
    """Queue a trial of the rule on `n` ruled claims; where one is under way, that one is returned.

    The caller wakes a worker with `tasks.drive_run`. Owners only; raises ConflictError with what stands in its way.
    """
    project = entry.project
    projects.require_owner(project, by)
    budgets.check_cap(cap_micros)
    if under_way := _under_way(entry):
        return under_way
    expected = estimate(entry=entry, n=n, cap_micros=cap_micros)
    if expected.blockers:
        raise ConflictError(expected.blockers[0])
    with transaction.atomic():
        projects.hold(project)
        if under_way := _under_way(entry):
            return under_way
        facts = expected.cost.facts(n_calls_low=expected.n_calls, n_calls_high=2 * expected.n_calls)
        run = Run.objects.create(project=project, kind=Run.Kind.TRIAL, entry=entry, started_by=by, estimate=facts)
        Purse.objects.create(project=project, run=run, key=purses.run_key(run), cap_micros=cap_micros)
        sample = draw(entry, n)
        _add_jobs(run, list(_steps(sample, judges.askable(project))), {claim.pk for claim in sample.own})
    return run


def stop(*, entry: RubricEntry) -> None:
    """Stop a trial that is under way: what is tried is no longer there to be adopted as it was."""
    if under_way := _under_way(entry):
        panel.stop(run=under_way)


def _under_way(entry: RubricEntry) -> Run | None:
    return entry.trials.filter(kind=Run.Kind.TRIAL, state__in=Run.OPEN_STATES).first()


def _blockers(
    entry: RubricEntry, sample: TrialSample, panel_now: Sequence[Judge], cap_micros: int | None
) -> Iterator[str]:
    if entry.status == RubricEntry.Status.RETIRED:
        yield "This rule was retired: write a new one to try."
    if not sample.all:
        yield "There is no ruled claim to try a rule on yet: rule on some claims first."
    yield from estimating.blockers(entry.project, panel_now, has_work=True)
    yield from budgets.price_blockers(judges=panel_now, caps=[cap_micros, entry.project.cap_micros])


def _steps(sample: TrialSample, panel_now: Sequence[Judge]) -> Iterator[Step]:
    """One arm of the trial: as in a run, a call for the claims of a response and a judge."""
    together = sorted(sample.all, key=lambda claim: (claim.response_id, claim.position, claim.pk))
    for _, of_response in groupby(together, key=lambda claim: claim.response_id):
        claims = list(of_response)
        scope = planning.scope_of(claims[0].project, samples=1)
        for judge in panel_now:
            yield from planning.voting_steps(claims[0].response, claims, judge, scope)


def _asking(judge: Judge, steps: Sequence[Step], shelf: Shelf, entry: RubricEntry) -> JudgeAsking:
    tokens = sum(_tokens(step, shelf, entry) for step in steps) if judges.is_remote(judge) else 0
    return JudgeAsking(
        judge=judge,
        n_calls=2 * len(steps),
        n_calls_high=4 * len(steps),  # any reply may be asked for again
        n_votes=2 * sum(len(step.claims) for step in steps),
        n_cuts=0,
        input_tokens=2 * tokens,
    )


def _tokens(step: Step, shelf: Shelf, entry: RubricEntry) -> int:
    """What the question takes with the rule that is tried; the rules in force are counted by `costing`."""
    subject = subjects.of_claims(step.claims, step.order, shelf=shelf)
    tried = tuple(rule for rule in subject.rubric if rule.entry_id == entry.pk)
    subject = replace(subject, rubric=tried, rubric_left_out=())
    asked = juryflow.judge_request(subject, judges.settings_of(step.judge), settings.FENCE_SECRET)
    texts = (part.text for message in asked.messages for part in message.parts if isinstance(part, TextPart))
    return sum(map(len, texts)) // CHARACTERS_PER_TOKEN


def _add_jobs(run: Run, steps: Sequence[Step], own: set[int]) -> None:
    """Two jobs for each step, which differ in whether the rule is read; side by side, so that a stop leaves pairs."""
    if run.entry is None:
        raise ValueError(f"run {run.pk} tries no rule")
    arms = [
        (arm, replace(step, task=Job.Task.TRIAL, key=f"{arm.removesuffix('_entry')}/{step.key}"))
        for step in steps
        for arm in (WITHOUT, WITH)
    ]
    made = panel.add_jobs(run, [step for _, step in arms])
    for job, (arm, step) in zip(made, arms, strict=True):
        own_here = [claim.pk for claim in step.claims if claim.pk in own]
        job.options = {arm: run.entry.pk, "wording": run.entry.version, "own": own_here}
    Job.objects.bulk_update(made, ["options"], batch_size=BLOCK)
