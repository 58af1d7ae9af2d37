"""What a ruling changed: the cause in words, rows by vote pattern, proposals of the second look, a drafted rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from evaluation.models import Claim, Decision, Job, Judge, Outcome, PatternMove, Project, Proposal, RubricEntry
from evaluation.schemas import OutcomeSource
from evaluation.selectors.answers import (
    WHOLE,
    Answer,
    Reader,
    Shown,
    Split,
    answer_of,
    display_name,
    name_of,
    panel_answer,
    split_of,
)
from evaluation.selectors.causes import Cause, cause_of
from evaluation.selectors.paging import page_of
from evaluation.selectors.reasons import Reason, voter_name

CLAIMS_A_PAGE = 25
FOLLOW_UP_STARTS = timedelta(seconds=30)  # a worker queues what follows within this time


@dataclass(frozen=True)
class Camp:
    """Who gave one answer."""

    answer: str
    judges: str


@dataclass(frozen=True)
class MoveRow:
    """A vote pattern whose current answer moved, for all claims with these votes at once."""

    move_id: int
    split: Split
    voters: tuple[Camp, ...]
    before: Answer
    after: Answer
    n_claims: int
    why: str


@dataclass(frozen=True)
class MovedClaim:
    """A claim behind a row, with what holds true of it now."""

    claim_id: int
    text: str
    answer: Answer


@dataclass(frozen=True)
class MovedClaims:
    """One page of the claims behind a row."""

    move_id: int
    claims: tuple[MovedClaim, ...]
    page: int
    n_pages: int

    @property
    def before(self) -> int | None:
        return self.page - 1 if self.page > 1 else None

    @property
    def after(self) -> int | None:
        return self.page + 1 if self.page < self.n_pages else None


@dataclass(frozen=True)
class ProposalRow:
    """Another answer for a like claim, which a person accepts or drops."""

    proposal_id: int
    claim_id: int
    text: str
    before: Shown | None
    after: Shown | None
    judge: str
    rationale: str
    state: str
    state_words: str
    answered_by: str


@dataclass(frozen=True)
class Work:
    """Jobs that still follow from the ruling: how many, since when, and whether a worker has taken one."""

    n_waiting: int
    since: datetime | None
    is_taken: bool


@dataclass(frozen=True)
class MovedPage:
    """A ruling and all that followed from it."""

    decision: Decision
    claim: Claim
    ruled: Shown | None
    is_own: bool
    who: str
    undone_by: str
    undone_at: datetime | None
    may_undo: bool
    cause: Cause
    rows: tuple[MoveRow, ...]
    n_moved: int
    proposals: tuple[ProposalRow, ...]
    second_look: Work
    draft: Work
    problems: tuple[str, ...]
    rules: tuple[RubricEntry, ...]
    is_fresh: bool
    is_by_ai: bool

    @property
    def has_leaning(self) -> bool:
        """Whether some answer on the page leans, so that its shape has to be explained."""
        return any(row.before.is_leaning or row.after.is_leaning for row in self.rows)

    @property
    def is_waiting(self) -> bool:
        return bool(self.is_fresh or self.second_look.n_waiting or self.draft.n_waiting)


def rulings(project: Project) -> QuerySet[Decision]:
    """Rulings of the project with all that their page needs."""
    return project.decisions.select_related(
        "expert", "claim__outcome__pattern", "claim__instance", "propagation", "undo__expert"
    )


def moved_page(reader: Reader, decision: Decision, *, is_owner: bool) -> MovedPage:
    """Read a ruling from `rulings` and what followed; the number of queries is constant."""
    is_own = decision.expert_id == reader.user_id
    who = "you" if is_own else display_name(decision)
    undo = getattr(decision, "undo", None)
    propagation = getattr(decision, "propagation", None)
    moves = list(propagation.moves.select_related("pattern")) if propagation else []
    judges = {judge.pk: judge for judge in reader.project.judges.all()}
    cause = cause_of(decision, moves, judges, reader.unplaced_words(decision.claim.kind), who)
    jobs = list(decision.jobs.select_related("run", "judge"))
    return MovedPage(
        decision=decision,
        claim=decision.claim,
        ruled=reader.words(decision.claim.kind, decision.claim_id).get(decision.label),
        is_own=is_own,
        who=who,
        undone_by=name_of(undo.expert) if undo else "",
        undone_at=undo.undone_at if undo else None,
        may_undo=undo is None and (is_own or is_owner),
        cause=cause,
        rows=tuple(_row(reader, move, judges, why) for move, why in zip(moves, cause.reasons, strict=True)),
        n_moved=propagation.n_moved if propagation else 0,
        proposals=_proposals(reader, decision),
        second_look=_work(jobs, Job.Task.REVIEW),
        draft=_work(jobs, Job.Task.DRAFT),
        problems=_problems(jobs),
        rules=tuple(decision.rubric_entries.all()),
        is_fresh=undo is None and not jobs and timezone.now() - decision.decided_at < FOLLOW_UP_STARTS,
        is_by_ai=any(_is_ai(job) for job in jobs),
    )


def moved_claims(reader: Reader, move: PatternMove, page: int) -> MovedClaims:
    """Claims that still have the row's votes and that nobody has settled, one page of them."""
    open_now = Outcome.objects.filter(pattern=move.pattern_id, source=OutcomeSource.PANEL, claim__is_void=False)
    shown = page_of(open_now.count(), CLAIMS_A_PAGE, page)
    outcomes = open_now.select_related("claim", "pattern", "decision__expert").order_by("claim_id")
    return MovedClaims(
        move.pk,
        tuple(
            MovedClaim(
                outcome.claim_id,
                outcome.claim.text,
                answer_of(outcome, reader.words(outcome.claim.kind, outcome.claim_id), is_settling=reader.is_settling),
            )
            for outcome in outcomes[shown.rows]
        ),
        shown.number,
        shown.n_pages,
    )


def _row(reader: Reader, move: PatternMove, judges: Mapping[int, Judge], reason: Reason) -> MoveRow:
    words = reader.unplaced_words(move.pattern.kind)
    hollow = reader.is_settling
    return MoveRow(
        move.pk,
        split_of(move.pattern.votes, words),
        _camps(move, judges, words),
        panel_answer(move.before_state, move.before_label, "leaned", words, is_hollow=hollow),
        panel_answer(move.after_state, move.after_label, "leans", words, is_hollow=hollow),
        move.n_claims,
        reason.sentence,
    )


def _camps(move: PatternMove, judges: Mapping[int, Judge], words: Mapping[str, Shown]) -> tuple[Camp, ...]:
    names: dict[str, list[str]] = {}
    for voter, label, share in move.pattern.votes:
        name = voter_name(voter, judges)
        names.setdefault(label, []).append(name if share >= WHOLE else f"{name} (in part)")
    ordered = sorted(names, key=lambda label: (-len(names[label]), words[label].slot))
    return tuple(Camp(words[label].words, ", ".join(sorted(set(names[label])))) for label in ordered)


def _proposals(reader: Reader, decision: Decision) -> tuple[ProposalRow, ...]:
    rows = decision.proposals.select_related("claim", "verdict__judge", "answered_by")
    return tuple(_proposal(reader, row) for row in rows)


def _proposal(reader: Reader, row: Proposal) -> ProposalRow:
    words = reader.words(row.claim.kind, row.claim_id)
    return ProposalRow(
        proposal_id=row.pk,
        claim_id=row.claim_id,
        text=row.claim.text,
        before=words.get(row.before_label),
        after=words.get(row.label),
        judge=row.verdict.judge.name,
        rationale=row.verdict.rationale,
        state=row.state,
        state_words=row.get_state_display(),
        answered_by=name_of(row.answered_by) if row.answered_by else "",
    )


def _is_ai(job: Job) -> bool:
    return job.task == Job.Task.REVIEW and job.judge is not None and not job.judge.is_offline


def _work(jobs: list[Job], task: str) -> Work:
    open_jobs = [job for job in jobs if job.task == task and job.state in Job.OPEN_STATES]
    since = min((job.created_at for job in open_jobs), default=None)
    return Work(len(open_jobs), since, any(job.state == Job.State.LEASED for job in open_jobs))


def _problems(jobs: list[Job]) -> tuple[str, ...]:
    failed = (job for job in jobs if job.state == Job.State.FAILED)
    return tuple(dict.fromkeys(job.error or "A job failed without a reason." for job in failed))
