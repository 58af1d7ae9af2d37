"""Runs as their pages show them: what is done, by whom, what failed, and what is waited for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Q, Sum
from django.utils import timezone

from evaluation.models import Call, Job, Judge, Project, Run, Verdict
from evaluation.selectors.answers import name_of

WORKER_IS_LATE = timedelta(seconds=10)
N_LISTED = 50
WITHOUT_JUDGE = "splitting and merging"
BACKGROUND = (Run.Kind.GRAPH, Run.Kind.SECOND_LOOK, Run.Kind.DRAFT)  # what nobody starts by hand on the page Runs
BY_AI = Q(jobs__judge__isnull=False) & ~Q(jobs__judge__provider=Judge.OFFLINE)
WORDS = {
    Run.Kind.IMPORT: "Import",
    Run.Kind.PANEL: "Panel run",
    Run.Kind.GRAPH: "Claim graph",
    Run.Kind.SECOND_LOOK: "Second look",
    Run.Kind.DRAFT: "Draft of a rule",
}


@dataclass(frozen=True)
class RunRow:
    """One run in the list; `started` says by whom or after which ruling, as the reader would say it."""

    run: Run
    title: str
    started: str
    n_jobs: int
    n_done: int
    n_failed: int


@dataclass(frozen=True)
class JudgeJobs:
    """How far one judge (or a step without a judge) is within a run."""

    judge_id: int | None
    judge: str
    n_jobs: int
    n_done: int
    n_failed: int
    n_waiting: int
    n_votes: int
    n_abstained: int
    n_votes_failed: int


@dataclass(frozen=True)
class Failure:
    """Why something failed and how often."""

    judge_id: int | None
    judge: str
    reason: str
    n: int


@dataclass(frozen=True)
class RunPage:
    """Everything that a run's page shows; a question that got no answer is asked in further attempts."""

    run: Run
    title: str
    started: str
    judges: tuple[JudgeJobs, ...]
    failures: tuple[Failure, ...]
    n_jobs: int
    n_ended: int
    n_questions: int
    n_calls: int
    n_tokens: int
    waits_since: datetime | None

    @property
    def is_open(self) -> bool:
        return self.run.state in Run.OPEN_STATES


def run_rows(*, project: Project, user_id: int | None = None, is_background: bool = False) -> list[RunRow]:
    """The newest runs of a project with their counts of jobs: those that people start, or the background work."""
    wanted = Q(kind__in=BACKGROUND)
    runs = (
        project.runs.filter(wanted if is_background else ~wanted)
        .select_related("started_by")
        .annotate(
            n_jobs=Count("jobs"),
            n_done=Count("jobs", filter=Q(jobs__state=Job.State.DONE)),
            n_failed=Count("jobs", filter=Q(jobs__state=Job.State.FAILED)),
            n_by_ai=Count("jobs", filter=BY_AI),
            n_after_ruling=Count("jobs", filter=Q(jobs__decision__isnull=False)),
        )
    )
    return [
        RunRow(
            run,
            _title(run, is_by_ai=bool(run.n_by_ai)),
            _started(run, user_id, is_after_ruling=bool(run.n_after_ruling)),
            run.n_jobs,
            run.n_done,
            run.n_failed,
        )
        for run in runs.order_by("-pk")[:N_LISTED]
    ]


def _title(run: Run, *, is_by_ai: bool) -> str:
    words = WORDS[Run.Kind(run.kind)]
    return f"{words} (AI)" if is_by_ai and run.kind == Run.Kind.SECOND_LOOK else words


def _started(run: Run, user_id: int | None, *, is_after_ruling: bool) -> str:
    if run.started_by is None:
        return "by JuryFlow"
    is_own = run.started_by_id == user_id
    if is_after_ruling:
        return "after your ruling" if is_own else f"after a ruling by {name_of(run.started_by)}"
    return "by you" if is_own else f"by {name_of(run.started_by)}"


def open_panel_run(*, project: Project) -> Run | None:
    """The panel run that is under way, if one is."""
    return project.runs.filter(kind=Run.Kind.PANEL, state__in=Run.OPEN_STATES).first()


def run_page(*, run: Run, user_id: int | None = None) -> RunPage:
    """Count a run's jobs and votes by judge; the number of queries does not depend on its size."""
    judges = _judge_jobs(run)
    is_after_ruling = run.kind in BACKGROUND and run.jobs.filter(decision__isnull=False).exists()
    is_by_ai = run.kind == Run.Kind.SECOND_LOOK and Run.objects.filter(BY_AI, pk=run.pk).exists()
    return RunPage(
        run=run,
        title=_title(run, is_by_ai=is_by_ai),
        started=_started(run, user_id, is_after_ruling=is_after_ruling),
        judges=judges,
        failures=_failures(run),
        n_jobs=sum(row.n_jobs for row in judges),
        n_ended=sum(row.n_jobs - row.n_waiting for row in judges),
        **_calls(run),
        waits_since=_waits_since(run),
    )


def _judge_jobs(run: Run) -> tuple[JudgeJobs, ...]:
    ids: dict[str, int | None] = {}
    jobs: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    votes: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for counts, rows in ((jobs, run.jobs.order_by()), (votes, run.verdicts.order_by())):
        for judge_id, name, state, n in rows.values_list("judge", "judge__name", "state").annotate(n=Count("pk")):
            ids[name or ""] = judge_id
            counts[name or ""][state] += n
    return tuple(_judge_row(ids[name], name, jobs[name], votes[name]) for name in sorted(ids))


def _judge_row(judge_id: int | None, name: str, jobs: dict[str, int], votes: dict[str, int]) -> JudgeJobs:
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
    )


def _failures(run: Run) -> tuple[Failure, ...]:
    jobs = run.jobs.filter(state=Job.State.FAILED).order_by().values_list("judge", "judge__name", "error")
    verdicts = run.verdicts.filter(state=Verdict.State.FAILED).order_by()
    found = _reasons(jobs.annotate(n=Count("pk")))
    if not found:
        reasons = verdicts.values_list("judge", "judge__name", "failure_reason")
        found = _reasons(reasons.annotate(n=Count("pk")))
    return tuple(sorted(found, key=lambda failure: (-failure.n, failure.judge, failure.reason)))


def _reasons(rows: Iterable[tuple[int | None, str | None, str, int]]) -> list[Failure]:
    return [
        Failure(judge_id, judge or WITHOUT_JUDGE, reason or "no reason was given", n)
        for judge_id, judge, reason, n in rows
    ]


def _calls(run: Run) -> dict[str, int]:
    sums = Call.objects.filter(job__run=run).aggregate(
        n=Count("pk"), asked=Count("job", distinct=True), sent=Sum("input_tokens"), got=Sum("output_tokens")
    )
    return {
        "n_questions": sums["asked"],
        "n_calls": sums["n"],
        "n_tokens": (sums["sent"] or 0) + (sums["got"] or 0),
    }


def _waits_since(run: Run) -> datetime | None:
    """Since when nothing has happened although there is work: then most likely no worker runs."""
    if run.state not in Run.OPEN_STATES or run.jobs.filter(state=Job.State.LEASED).exists():
        return None
    last = run.jobs.aggregate(last=Max("ended_at"))["last"] or run.started_at or run.created_at
    return last if timezone.now() - last > WORKER_IS_LATE else None
