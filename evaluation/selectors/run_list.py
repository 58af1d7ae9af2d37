"""The runs of a project as their list shows them: those that people start, and the background work."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from evaluation.models import Job, Judge, Project, Run
from evaluation.selectors.run_words import started_words, title_of

N_LISTED = 50
BACKGROUND = (Run.Kind.GRAPH, Run.Kind.SECOND_LOOK, Run.Kind.DRAFT, Run.Kind.TEST, Run.Kind.TRIAL)
WITHOUT_RULE = "Claims asked together and alone"
BY_AI = Q(jobs__judge__isnull=False) & ~Q(jobs__judge__provider=Judge.OFFLINE)


@dataclass(frozen=True)
class RunRow:
    """One run in the list; `started` says by whom or after which ruling, as the reader would say it."""

    run: Run
    title: str
    started: str
    n_jobs: int
    n_done: int
    n_failed: int


def run_rows(*, project: Project, user_id: int | None = None, is_background: bool = False) -> list[RunRow]:
    """The newest runs of a project with their counts of jobs; `is_background` is what nobody starts on that page."""
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
            title_with_ai(run, is_by_ai=bool(run.n_by_ai)),
            started_words(run, user_id, is_after_ruling=bool(run.n_after_ruling)),
            run.n_jobs,
            run.n_done,
            run.n_failed,
        )
        for run in runs.order_by("-pk")[:N_LISTED]
    ]


def title_with_ai(run: Run, *, is_by_ai: bool) -> str:
    """A run's title; a second look says whether a model took it or word-matching rules did."""
    if run.kind == Run.Kind.TRIAL and run.entry_id is None:
        return WITHOUT_RULE
    title = title_of(run.kind)
    return f"{title} (AI)" if is_by_ai and run.kind == Run.Kind.SECOND_LOOK else title
