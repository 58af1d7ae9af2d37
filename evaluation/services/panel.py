"""Opens and stops runs of the panel and says beforehand what one takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from evaluation.errors import ConflictError
from evaluation.models import Job, Judge, Project, Run
from evaluation.services import jobs, judges, patterns, planning
from evaluation.services.planning import Step

PROMPT_TOKENS = 900
CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class RunEstimate:
    """What a run takes: calls as a range, tokens sent, and sentences about what stands in its way."""

    n_responses: int
    n_claims: int
    n_judges: int
    n_calls_low: int
    n_calls_high: int
    input_tokens: int
    remote_providers: tuple[str, ...]
    blockers: tuple[str, ...]


def askable(project: Project) -> list[Judge]:
    """Active judges that can be asked; recorded ones cannot."""
    return [judge for judge in project.judges.filter(is_active=True) if judge.provider != judges.RECORDED]


def estimate(*, project: Project, decompose: str = "", again: bool = False) -> RunEstimate:
    """Say what a run over everything that is not judged yet would take; `again` counts what is judged, too."""
    panel = askable(project)
    steps = list(planning.plan(project, panel, decompose or project.method_parameters.decompose, again=again))
    cutting = [step for step in steps if step.task == Job.Task.DECOMPOSE]
    characters = sum(_characters(step) for step in steps)
    return RunEstimate(
        n_responses=len({step.response.pk for step in steps}),
        n_claims=len({claim.pk for step in steps for claim in step.claims}),
        n_judges=len(panel),
        n_calls_low=len(steps),
        # each response that is cut brings gaps to be asked once more, and any reply may be asked for again
        n_calls_high=2 * (len(steps) + len({step.response.pk for step in cutting}) * len(panel)),
        input_tokens=len(steps) * PROMPT_TOKENS + characters // CHARACTERS_PER_TOKEN,
        remote_providers=tuple(sorted({judge.provider for judge in panel if judges.is_remote(judge)})),
        blockers=tuple(_blockers(project, panel, has_work=bool(steps))),
    )


def _blockers(project: Project, panel: list[Judge], *, has_work: bool) -> Iterator[str]:
    if not panel:
        yield "No judge can be asked: add the offline panel or a judge of a provider on the Judges page."
    if not project.responses.exists():
        yield "There is nothing to judge yet: import responses first."
    elif panel and not has_work:
        yield "Every judge has voted on everything: import more, add a judge, or ask everything again."
    for judge in panel:
        if judges.is_remote(judge) and judge.key_name and not judges.key_of(judge) and not judge.base_url:
            yield f"Judge “{judge}” has no key: set {judge.key_name} in the environment and start again."
        if judges.is_remote(judge) and judge.provider not in project.allowed_providers:
            yield f"“{judge.provider}” may not see this project's text: an owner has to allow it."


def _characters(step: Step) -> int:
    sources = sum(len(document.text) for document in step.response.instance.documents.all())
    return sources + len(step.response.text) + sum(len(claim.text) for claim in step.claims)


def open_run(*, project: Project, by: User | None, decompose: str = "", again: bool = False) -> Run:
    """Open a run with all its jobs; where one is open already, that one is returned.

    The caller wakes a worker with `tasks.drive_run`. Raises ConflictError with the first thing that stands in its way.
    """
    if running := project.runs.filter(kind=Run.Kind.PANEL, state__in=Run.OPEN_STATES).first():
        return running
    decompose = decompose or project.method_parameters.decompose
    if blockers := estimate(project=project, decompose=decompose, again=again).blockers:
        raise ConflictError(blockers[0])
    try:
        with transaction.atomic():
            return _open(project, by, decompose, again=again)
    except IntegrityError:
        return project.runs.filter(kind=Run.Kind.PANEL, state__in=Run.OPEN_STATES).latest("pk")


def _open(project: Project, by: User | None, decompose: str, *, again: bool) -> Run:
    run = Run.objects.create(
        project=project,
        kind=Run.Kind.PANEL,
        panel=patterns.current_panel(project),
        decompose=decompose,
        started_by=by,
    )
    add_jobs(run, planning.plan(project, askable(project), decompose, again=again))
    return run


def add_jobs(run: Run, steps: Iterable[Step]) -> list[Job]:
    """Make a job for each step, once per key."""
    made = []
    for step in steps:
        job, is_new = Job.objects.get_or_create(
            run=run,
            key=step.key,
            defaults={"task": step.task, "judge": step.judge, "response": step.response, "order": step.order},
        )
        if is_new:
            job.claims.set(step.claims)
            made.append(job)
    return made


def stop(*, run: Run) -> Run:
    """Stop a run: nothing new is sent; what came and what is on its way is kept, and claims found so far are joined."""
    Run.objects.filter(pk=run.pk, state__in=[Run.State.QUEUED, Run.State.RUNNING]).update(
        state=Run.State.STOPPING, message="Stopped by hand: start a new run to go on where it stopped."
    )
    jobs.cancel_asking(run)
    jobs.queue_merges(run)
    run.refresh_from_db()
    if not jobs.unfinished(run).exists():
        close(run, Run.State.STOPPED)
    return run


def close(run: Run, state: str, message: str = "") -> bool:
    """End an open run once; False where it was ended already."""
    changes: dict[str, object] = {"state": state, "ended_at": timezone.now()}
    if message:
        changes["message"] = message
    closed = Run.objects.filter(pk=run.pk, state__in=Run.OPEN_STATES).update(**changes)
    run.refresh_from_db()
    return bool(closed)
