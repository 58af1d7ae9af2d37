"""Trials of a rule as its page shows them: agreement with experts before and after, and which claims changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from evaluation.algorithms import trial
from evaluation.algorithms.reliability import estimate
from evaluation.algorithms.trial import Change, Compared, Trial
from evaluation.algorithms.voters import judge_of, voter_of
from evaluation.models import Job, Outcome, Project, Purse, RubricEntry, Run
from evaluation.selectors import outcomes
from evaluation.selectors.answers import Reader, Shown, name_of

FIRST_TO_READ = (Change.WORSE, Change.BETTER, Change.OTHER)
NO_ANSWER = "a tie, or no vote"
N_EARLIER = 10


@dataclass(frozen=True)
class Agreement:
    """On how many of `n` the answer was the experts', without and with the rule."""

    n: int
    before: int
    after: int


@dataclass(frozen=True)
class JudgeAgreement:
    """How often one judge voted as the experts ruled."""

    judge: str
    agreement: Agreement


@dataclass(frozen=True)
class ChangedClaim:
    """A claim on which the judges' answer changed: towards the ruling, away from it, or neither."""

    claim_id: int
    text: str
    ruled: str
    expert: str
    before: str
    after: str
    change: str
    is_own: bool


@dataclass(frozen=True)
class Earlier:
    """Another trial of the same rule."""

    run_id: int
    at: datetime


@dataclass(frozen=True)
class TrialPage:
    """One trial: how far it is, and what came of it.

    `others` are ruled claims the rule was not made from: only they say something about it. `own` are those it was
    made from. `votes` counts single votes on the others; `changed` holds claims of both, the worse ones first.
    `is_offline`: only offline judges answered, who read a rule's examples and nothing else of it.
    """

    run: Run
    wording: int
    is_old_wording: bool
    is_offline: bool
    by: str
    n_steps: int
    n_ended: int
    n_failed: int
    failure: str
    others: Agreement
    own: Agreement
    votes: Agreement
    judges: tuple[JudgeAgreement, ...]
    changed: tuple[ChangedClaim, ...]
    n_better: int
    n_worse: int
    n_other: int
    spent_micros: int
    earlier: tuple[Earlier, ...]

    @property
    def is_open(self) -> bool:
        return self.run.state in Run.OPEN_STATES


@dataclass
class _Answers:
    """What came back so far, per claim and voter, and the claims the rule was made from."""

    before: dict[int, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    after: dict[int, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    own: set[int] = field(default_factory=set)


def last_trial(entry: RubricEntry) -> Run | None:
    """The newest trial of the rule, if it was tried."""
    return entry.trials.filter(kind=Run.Kind.TRIAL).select_related("started_by", "entry").order_by("-pk").first()


def trial_page(reader: Reader, run: Run) -> TrialPage:
    """What a trial brought so far; needs `entry` and `started_by` selected; five queries."""
    entry = _entry_of(run)
    steps = list(run.jobs.select_related("judge").order_by("pk"))
    answers = _answers(steps)
    ruled = _ruled(reader.project, {*answers.before, *answers.after})
    others, own = _compared(reader.project, entry.kind, answers, ruled)
    names = {step.judge_id: step.judge.name for step in steps if step.judge}
    judges = _per_judge(others, names)
    changes = [claim.change for claim in others.claims]
    wording = next((int(step.options.get("wording", 0)) for step in steps), 0)
    failed = [step for step in steps if step.state == Job.State.FAILED]
    return TrialPage(
        run=run,
        wording=wording,
        is_old_wording=wording != entry.version,
        is_offline=all(step.judge.is_offline for step in steps if step.judge),
        by=name_of(run.started_by) if run.started_by else "JuryFlow",
        n_steps=len(steps),
        n_ended=sum(step.state not in Job.OPEN_STATES for step in steps),
        n_failed=len(failed),
        failure=failed[0].error if failed else "",
        others=_agreement(others.claims),
        own=_agreement(own.claims),
        votes=_sum(each.agreement for each in judges),
        judges=judges,
        changed=_changed(reader, others, ruled, is_own=False) + _changed(reader, own, ruled, is_own=True),
        n_better=changes.count(Change.BETTER),
        n_worse=changes.count(Change.WORSE),
        n_other=changes.count(Change.OTHER),
        spent_micros=Purse.objects.filter(run=run).values_list("spent_micros", flat=True).first() or 0,
        earlier=_earlier(entry, run),
    )


def _entry_of(run: Run) -> RubricEntry:
    if run.entry is None:
        raise ValueError(f"run {run.pk} tries no rule")
    return run.entry


def _answers(steps: Sequence[Job]) -> _Answers:
    found = _Answers()
    for step in steps:
        found.own.update(step.options.get("own", ()))
        if step.state != Job.State.DONE or step.judge_id is None or not step.result:
            continue
        ballots = found.after if "with_entry" in step.options else found.before
        for claim_id, label in step.result.get("labels", {}).items():
            ballots[int(claim_id)][voter_of(step.judge_id, step.order)] = label
    return found


def _ruled(project: Project, claim_ids: Iterable[int]) -> dict[int, Outcome]:
    """Those of the claims whose ruling stands; an undone ruling is nothing to agree with."""
    rows = outcomes.ruled(project).filter(claim__in=claim_ids).select_related("claim", "decision__expert")
    return {row.claim_id: row for row in rows.order_by("claim")}


def _compared(project: Project, kind: str, answers: _Answers, ruled: Mapping[int, Outcome]) -> tuple[Trial, Trial]:
    """The claims the rule was not made from, and those it was made from."""
    voters = {voter for ballots in (answers.before, answers.after) for cast in ballots.values() for voter in cast}
    weights, n_labels = _weights(project, kind, voters), len(project.labels(kind))
    rulings: tuple[dict[int, str], dict[int, str]] = ({}, {})
    for claim_id, row in ruled.items():
        rulings[claim_id in answers.own][claim_id] = row.settled_label
    others, own = (trial.compare(each, answers.before, answers.after, weights, n_labels) for each in rulings)
    return others, own


def _weights(project: Project, kind: str, voters: Iterable[str]) -> dict[str, float]:
    """Weights as they are now; a voter without a track record has the prior's."""
    records = project.track_records.filter(kind=kind).values_list("judge_id", "order", "weight")
    known = {voter_of(judge_id, order): weight for judge_id, order, weight in records}
    prior = estimate(0.0, 0.0, len(project.labels(kind))).weight
    return {voter: known.get(voter, prior) for voter in voters}


def _agreement(claims: Sequence[Compared]) -> Agreement:
    before = sum(claim.before == claim.ruling for claim in claims)
    return Agreement(len(claims), before, sum(claim.after == claim.ruling for claim in claims))


def _per_judge(found: Trial, names: Mapping[int | None, str]) -> tuple[JudgeAgreement, ...]:
    """Votes of each judge, both orders of a pair together."""
    by_judge: dict[int, list[Agreement]] = defaultdict(list)
    for voter in found.voters:
        by_judge[judge_of(voter.voter)].append(Agreement(voter.n, voter.before, voter.after))
    return tuple(JudgeAgreement(names[judge_id], _sum(parts)) for judge_id, parts in sorted(by_judge.items()))


def _sum(parts: Iterable[Agreement]) -> Agreement:
    listed = list(parts)
    return Agreement(
        sum(part.n for part in listed), sum(part.before for part in listed), sum(part.after for part in listed)
    )


def _changed(reader: Reader, found: Trial, ruled: Mapping[int, Outcome], *, is_own: bool) -> tuple[ChangedClaim, ...]:
    changed = [compared for compared in found.claims if compared.change in FIRST_TO_READ]
    changed.sort(key=lambda compared: FIRST_TO_READ.index(compared.change))
    return tuple(_row(reader, compared, ruled[compared.claim], is_own=is_own) for compared in changed)


def _row(reader: Reader, compared: Compared, ruled: Outcome, *, is_own: bool) -> ChangedClaim:
    words = reader.words(ruled.claim.kind, ruled.claim_id)
    return ChangedClaim(
        claim_id=ruled.claim_id,
        text=ruled.claim.text,
        ruled=_said(words, compared.ruling),
        expert=name_of(ruled.decision.expert) if ruled.decision else "an expert",
        before=_said(words, compared.before),
        after=_said(words, compared.after),
        change=compared.change.value,
        is_own=is_own,
    )


def _said(words: Mapping[str, Shown], label: str | None) -> str:
    if label is None:
        return NO_ANSWER
    return words[label].words if label in words else label


def _earlier(entry: RubricEntry, run: Run) -> tuple[Earlier, ...]:
    others = entry.trials.filter(kind=Run.Kind.TRIAL).exclude(pk=run.pk).order_by("-pk")
    return tuple(Earlier(pk, at) for pk, at in others.values_list("pk", "created_at")[:N_EARLIER])
