"""One run as its page shows it: what is done, by whom, what failed and costs, and what is waited for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Max, Min, OuterRef, Q
from django.utils import timezone

from evaluation.models import Call, Job, Project, ProviderBatch, Purse, Run, Verdict
from evaluation.selectors import ledger
from evaluation.selectors.failures import in_words
from evaluation.selectors.ledger import Figures
from evaluation.selectors.run_list import BACKGROUND, BY_AI, title_with_ai
from evaluation.selectors.run_words import message_for, started_words

WORKER_IS_LATE = timedelta(seconds=10)
WITHOUT_JUDGE = "splitting and merging"
PERMANENT = ("auth", "config")  # reasons that end a judge's part of a run: no other call could do better


@dataclass(frozen=True)
class JudgeJobs:
    """How far one judge (or a step without a judge) is within a run; `stopped_by` is an error nothing gets past."""

    judge_id: int | None
    judge: str
    n_jobs: int
    n_done: int
    n_failed: int
    n_waiting: int
    n_votes: int
    n_abstained: int
    n_votes_failed: int
    figures: Figures
    stopped_by: str = ""


@dataclass(frozen=True)
class Failure:
    """Why something failed and how often."""

    judge_id: int | None
    judge: str
    reason: str
    n: int


@dataclass(frozen=True)
class Waiting:
    """What an open run waits for: a worker, a server's permission, batches at providers, or its turn for the next."""

    for_what: str
    at: datetime | None


@dataclass(frozen=True)
class RunMoney:
    """What a run spent of its cap, what is reserved for calls on their way, and what was said beforehand."""

    cap_micros: int | None
    spent_micros: int
    reserved_micros: int
    low_micros: int | None
    high_micros: int | None


@dataclass(frozen=True)
class RunPage:
    """Everything that a run's page shows; a question that got no answer is asked in further attempts.

    `message` says why it waits or ended as this reader may know it; `money` is for owners.
    """

    run: Run
    title: str
    started: str
    message: str
    judges: tuple[JudgeJobs, ...]
    failures: tuple[Failure, ...]
    batches: tuple[ProviderBatch, ...]
    n_jobs: int
    n_ended: int
    n_questions: int
    n_calls: int
    n_reused: int
    n_tokens: int
    waiting: Waiting | None
    money: RunMoney | None
    has_lost_votes: bool = False

    @property
    def is_open(self) -> bool:
        return self.run.state in Run.OPEN_STATES

    @property
    def can_be_stopped(self) -> bool:
        """Whether it asks judges and goes on: an import and the graph are left to end."""
        return self.is_open and self.run.kind not in (Run.Kind.IMPORT, Run.Kind.GRAPH)

    @property
    def can_ask_failed_again(self) -> bool:
        """Whether the votes that failed here can be asked for again in a new run."""
        return self.has_lost_votes and not self.is_open


def open_panel_run(*, project: Project) -> Run | None:
    """The panel run that is under way, if one is."""
    return project.runs.filter(kind=Run.Kind.PANEL, state__in=Run.OPEN_STATES).first()


def run_page(*, run: Run, user_id: int | None = None, is_owner: bool = True) -> RunPage:
    """Count a run's jobs and votes by judge; the number of queries does not depend on its size."""
    figures = ledger.judge_figures(run=run)
    judges = _judge_jobs(run, figures)
    is_after_ruling = run.kind in BACKGROUND and run.jobs.filter(decision__isnull=False).exists()
    is_by_ai = run.kind == Run.Kind.SECOND_LOOK and Run.objects.filter(BY_AI, pk=run.pk).exists()
    return RunPage(
        run=run,
        title=title_with_ai(run, is_by_ai=is_by_ai),
        started=started_words(run, user_id, is_after_ruling=is_after_ruling),
        message=message_for(run, is_owner=is_owner),
        judges=judges,
        failures=_failures(run),
        batches=tuple(run.batches.select_related("judge")),
        n_jobs=sum(row.n_jobs for row in judges),
        n_ended=sum(row.n_jobs - row.n_waiting for row in judges),
        n_questions=Call.objects.filter(job__run=run, source=None).aggregate(n=Count("job", distinct=True))["n"],
        n_calls=sum(each.n_sent for each in figures.values()),
        n_reused=sum(each.n_reused for each in figures.values()),
        n_tokens=sum(each.input_tokens + each.output_tokens for each in figures.values()),
        waiting=_waiting(run),
        money=_money(run) if is_owner else None,
        has_lost_votes=run.kind == Run.Kind.PANEL and run.state not in Run.OPEN_STATES and _has_lost_votes(run),
    )


def _judge_jobs(run: Run, figures: Mapping[int, Figures]) -> tuple[JudgeJobs, ...]:
    ids: dict[str, int | None] = {}
    jobs: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    votes: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for counts, rows in ((jobs, run.jobs.order_by()), (votes, run.verdicts.order_by())):
        for judge_id, name, state, n in rows.values_list("judge", "judge__name", "state").annotate(n=Count("pk")):
            ids[name or ""] = judge_id
            counts[name or ""][state] += n
    stops = _stops(run)
    return tuple(
        _judge_row(judge_id, name, jobs[name], votes[name], figures.get(judge_id or 0, Figures()), stops)
        for name, judge_id in sorted(ids.items())
    )


def _judge_row(
    judge_id: int | None,
    name: str,
    jobs: dict[str, int],
    votes: dict[str, int],
    figures: Figures,
    stops: Mapping[int | None, str],
) -> JudgeJobs:
    return JudgeJobs(
        judge_id=judge_id,
        judge=name or WITHOUT_JUDGE,
        n_jobs=sum(jobs.values()),
        n_done=jobs[Job.State.DONE],
        n_failed=jobs[Job.State.FAILED],
        n_waiting=jobs[Job.State.WAITING] + jobs[Job.State.LEASED],
        n_votes=votes[Verdict.State.CAST],
        n_abstained=votes[Verdict.State.ABSTAINED],
        n_votes_failed=votes[Verdict.State.FAILED],
        figures=figures,
        stopped_by=stops.get(judge_id, ""),
    )


def _stops(run: Run) -> dict[int | None, str]:
    """The errors that ended a judge's part of the run, by judge."""
    failed = run.jobs.filter(state=Job.State.FAILED, reason__in=PERMANENT).order_by()
    return dict(failed.values_list("judge").annotate(sentence=Max("error")))


def _failures(run: Run) -> tuple[Failure, ...]:
    jobs = run.jobs.filter(state=Job.State.FAILED).order_by().values_list("judge", "judge__name", "error")
    verdicts = run.verdicts.filter(state=Verdict.State.FAILED).order_by()
    found = _reasons(jobs.annotate(n=Count("pk")))
    if not found:
        reasons = verdicts.values_list("judge", "judge__name", "failure_reason").annotate(n=Count("pk"))
        found = _reasons((judge_id, judge, in_words(reason), n) for judge_id, judge, reason, n in reasons)
    return tuple(sorted(found, key=lambda failure: (-failure.n, failure.judge, failure.reason)))


def _reasons(rows: Iterable[tuple[int | None, str | None, str, int]]) -> list[Failure]:
    return [
        Failure(judge_id, judge or WITHOUT_JUDGE, reason or "no reason was given", n)
        for judge_id, judge, reason, n in rows
    ]


def _has_lost_votes(run: Run) -> bool:
    """Whether a run of what failed would ask for something that failed here: what was made good since is not lost."""
    if run.verdicts.filter(state=Verdict.State.FAILED, is_current=True).exists():
        return True
    steps = run.jobs.filter(state=Job.State.FAILED)
    brought = Verdict.objects.filter(is_current=True, claim__jobs=OuterRef("pk"), judge=OuterRef("judge"))
    return (
        steps.filter(task=Job.Task.JUDGE).exclude(Exists(brought)).exists()
        or steps.filter(task=Job.Task.DECOMPOSE, response__claims=None).exists()
    )


def _money(run: Run) -> RunMoney:
    purse = Purse.objects.filter(run=run).first() or Purse()
    said = run.estimate or {}
    return RunMoney(
        cap_micros=purse.cap_micros,
        spent_micros=purse.spent_micros,
        reserved_micros=purse.reserved_micros,
        low_micros=said.get("low_micros"),
        high_micros=said.get("high_micros"),
    )


def _waiting(run: Run) -> Waiting | None:
    """What keeps an open run with work from being worked on; None where somebody is at it, or it rests."""
    if run.state not in Run.WORKING_STATES or run.jobs.filter(state=Job.State.LEASED, batch=None).exists():
        return None
    now = timezone.now()
    waits = Q(state__in=Job.OPEN_STATES)
    is_free = waits & Q(batch=None) & (Q(not_before=None) | Q(not_before__lte=now))
    counted = run.jobs.aggregate(
        last=Max("ended_at"),
        n_free=Count("pk", filter=is_free),
        n_open=Count("pk", filter=waits),
        n_in_batches=Count("pk", filter=waits & Q(batch__isnull=False)),
        until=Min("not_before", filter=waits & Q(not_before__gt=now)),
    )
    if counted["n_in_batches"] and not counted["n_free"]:
        return Waiting("batches", None)
    if counted["n_open"] and not counted["n_free"]:
        return Waiting("turn" if run.in_batches else "server", counted["until"])
    last = counted["last"] or run.started_at or run.created_at
    return Waiting("worker", last) if now - last > WORKER_IS_LATE else None
