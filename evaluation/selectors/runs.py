"""Runs as their pages show them: what is done, by whom, what failed, and what is waited for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Q, Sum
from django.utils import timezone

from evaluation.models import Call, Job, Project, Run, Verdict

WORKER_IS_LATE = timedelta(seconds=10)
N_LISTED = 50
WORDS = {
    Run.Kind.IMPORT: "Import",
    Run.Kind.PANEL: "Panel run",
    Run.Kind.GRAPH: "Claim graph",
    Run.Kind.SECOND_LOOK: "Second look (AI)",
    Run.Kind.DRAFT: "Draft of a rule",
}


@dataclass(frozen=True)
class RunRow:
    """One run in the list."""

    run: Run
    title: str
    n_jobs: int
    n_done: int
    n_failed: int


@dataclass(frozen=True)
class JudgeJobs:
    """How far one judge (or a step without a judge) is within a run."""

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

    judge: str
    reason: str
    n: int


@dataclass(frozen=True)
class RunPage:
    """Everything that a run's page shows."""

    run: Run
    title: str
    judges: tuple[JudgeJobs, ...]
    failures: tuple[Failure, ...]
    n_jobs: int
    n_ended: int
    n_calls: int
    n_tokens: int
    waits_since: datetime | None

    @property
    def is_open(self) -> bool:
        return self.run.state in Run.OPEN_STATES


def run_rows(*, project: Project) -> list[RunRow]:
    """The newest runs of a project with their counts of jobs."""
    runs = project.runs.select_related("started_by").annotate(
        n_jobs=Count("jobs"),
        n_done=Count("jobs", filter=Q(jobs__state=Job.State.DONE)),
        n_failed=Count("jobs", filter=Q(jobs__state=Job.State.FAILED)),
    )
    return [
        RunRow(run, WORDS[Run.Kind(run.kind)], run.n_jobs, run.n_done, run.n_failed)
        for run in runs.order_by("-pk")[:N_LISTED]
    ]


def open_panel_run(*, project: Project) -> Run | None:
    """The panel run that is under way, if one is."""
    return project.runs.filter(kind=Run.Kind.PANEL, state__in=Run.OPEN_STATES).first()


def run_page(*, run: Run) -> RunPage:
    """Count a run's jobs and votes by judge; the number of queries does not depend on its size."""
    judges = _judge_jobs(run)
    return RunPage(
        run=run,
        title=WORDS[Run.Kind(run.kind)],
        judges=judges,
        failures=_failures(run),
        n_jobs=sum(row.n_jobs for row in judges),
        n_ended=sum(row.n_jobs - row.n_waiting for row in judges),
        **_calls(run),
        waits_since=_waits_since(run),
    )


def _judge_jobs(run: Run) -> tuple[JudgeJobs, ...]:
    jobs: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for name, state, n in run.jobs.order_by().values_list("judge__name", "state").annotate(n=Count("pk")):
        jobs[name or ""][state] += n
    votes: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for name, state, n in run.verdicts.order_by().values_list("judge__name", "state").annotate(n=Count("pk")):
        votes[name][state] += n
    return tuple(_judge_row(name, jobs[name], votes[name]) for name in sorted({*jobs, *votes}))


def _judge_row(name: str, jobs: dict[str, int], votes: dict[str, int]) -> JudgeJobs:
    return JudgeJobs(
        judge=name or "splitting and merging",
        n_jobs=sum(jobs.values()),
        n_done=jobs[Job.State.DONE],
        n_failed=jobs[Job.State.FAILED],
        n_waiting=jobs[Job.State.WAITING] + jobs[Job.State.LEASED],
        n_votes=votes[Verdict.State.CAST],
        n_abstained=votes[Verdict.State.ABSTAINED],
        n_votes_failed=votes[Verdict.State.FAILED],
    )


def _failures(run: Run) -> tuple[Failure, ...]:
    jobs = run.jobs.filter(state=Job.State.FAILED).order_by().values_list("judge__name", "error")
    verdicts = run.verdicts.filter(state=Verdict.State.FAILED).order_by()
    found = _reasons(jobs.annotate(n=Count("pk")))
    if not found:
        found = _reasons(verdicts.values_list("judge__name", "failure_reason").annotate(n=Count("pk")))
    return tuple(sorted(found, key=lambda failure: (-failure.n, failure.judge, failure.reason)))


def _reasons(rows: Iterable[tuple[str | None, str, int]]) -> list[Failure]:
    return [Failure(judge or "splitting and merging", reason or "no reason was given", n) for judge, reason, n in rows]


def _calls(run: Run) -> dict[str, int]:
    sums = Call.objects.filter(job__run=run).aggregate(
        n=Count("pk"), sent=Sum("input_tokens"), got=Sum("output_tokens")
    )
    return {"n_calls": sums["n"], "n_tokens": (sums["sent"] or 0) + (sums["got"] or 0)}


def _waits_since(run: Run) -> datetime | None:
    """Since when nothing has happened although there is work: then most likely no worker runs."""
    if run.state not in Run.OPEN_STATES or run.jobs.filter(state=Job.State.LEASED).exists():
        return None
    last = run.jobs.aggregate(last=Max("ended_at"))["last"] or run.started_at or run.created_at
    return last if timezone.now() - last > WORKER_IS_LATE else None
