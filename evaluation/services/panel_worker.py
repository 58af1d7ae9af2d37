"""Works on a run until nothing is left: threads ask the judges, the main thread alone touches the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from queue import Empty

from django.db import transaction
from django.utils import timezone

from evaluation.errors import JuryFlowError
from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatModel
from evaluation.llm.retry import RetryPolicy
from evaluation.llm.structured import ask
from evaluation.models import Job, Judge, Run
from evaluation.services import graph, job_steps, jobs, judges, ledger, merging, panel, projects, track_records
from evaluation.services.job_steps import Asking
from evaluation.services.jobs import Lane
from evaluation.services.ledger import Channel, Finished, Line, Note, StoppedError

CONCURRENCY = 8
TICK = 0.5
RENEW_EVERY = 30.0

logger = logging.getLogger(__name__)


@dataclass
class Desk:
    """What one worker has in hand: jobs on their way and the channel to the threads that ask."""

    run: Run
    pool: ThreadPoolExecutor
    model_for: Callable[[Judge], ChatModel]
    lane: Lane
    channel: Channel = field(default_factory=Channel)
    in_hand: dict[int, tuple[Job, Asking]] = field(default_factory=dict)
    renewed_at: float = field(default_factory=time.monotonic)

    def nap(self, seconds: float) -> None:
        """Wait before a call is sent again; a stopped run waits no longer."""
        self.channel.is_stopped.wait(seconds)


def drive(
    *,
    run_id: int,
    concurrency: int = CONCURRENCY,
    said: Callable[[Run], None] | None = None,
    lane: Lane = Lane.ALL,
) -> Run:
    """Work on a run until it is done, stopped, or only other workers have jobs of it; safe to call twice at once.

    `said` hears of the run after each job, for progress on a terminal. A worker without the model leaves the lane of
    jobs that need vectors to the one that has it.
    """
    run = Run.objects.select_related("project", "panel").get(pk=run_id)
    Run.objects.filter(pk=run.pk, state=Run.State.QUEUED).update(state=Run.State.RUNNING, started_at=timezone.now())
    pool = ThreadPoolExecutor(max_workers=concurrency, thread_name_prefix="judge")
    desk = Desk(run, pool, cache(judges.model_for), lane)
    try:
        while _take(desk, concurrency) or desk.in_hand:
            _attend(desk, said)
    finally:
        _let_go(desk)
    return _close(run)


def _take(desk: Desk, concurrency: int) -> bool:
    """Start as many jobs as there is room for; returns whether any was started or done here."""
    has_started = False
    while len(desk.in_hand) < concurrency:
        desk.run.refresh_from_db(fields=["state"])
        if desk.run.state not in (Run.State.QUEUED, Run.State.RUNNING):
            desk.channel.is_stopped.set()
            # joining asks nobody: claims that were found are joined all the same
            job = jobs.lease(desk.run, Job.Task.MERGE, lane=desk.lane)
        else:
            job = jobs.lease(desk.run, lane=desk.lane)
        if job is None:
            return has_started
        has_started = True
        _start(desk, job)
    return has_started


def _start(desk: Desk, job: Job) -> None:
    if job.task in (Job.Task.MERGE, Job.Task.GRAPH):
        _do_in_place(job)
        return
    asking: Asking | None = None
    try:
        asking = job_steps.prepare(job)
        model = desk.model_for(jobs.judge_of(job))
        kept = ledger.kept_replies(job, asking.cache_key)
    except (JuryFlowError, LLMError) as error:
        job_steps.fail(job, asking, error)
        return
    line = Line(job.pk, model, kept, desk.channel)
    desk.in_hand[job.pk] = (job, asking)
    desk.pool.submit(_ask, desk, job.pk, line, asking)


def _ask(desk: Desk, job_id: int, line: Line, asking: Asking) -> None:
    """Runs in a thread: ask, and report what came of it. Whatever goes wrong is reported, not lost."""
    policy = RetryPolicy(sleep=desk.nap)
    try:
        answer = ask(line, asking.request, asking.shape, policy=policy)
    except Exception as error:
        desk.channel.notes.put(Finished(job_id, error=error))
    else:
        desk.channel.notes.put(Finished(job_id, value=answer.value))


def _do_in_place(job: Job) -> None:
    """Joining claims and building the graph ask nobody and need the database: the main thread does them."""
    try:
        if job.task == Job.Task.MERGE:
            merging.merge(job)
        else:
            built = graph.build(project=job.run.project)
            jobs.end(job, result={"graph": built.pk})
    except JuryFlowError as error:
        jobs.end(job, error=str(error))


def _attend(desk: Desk, said: Callable[[Run], None] | None) -> None:
    """Take one note from a thread, or none within a moment; keep leases alive."""
    if time.monotonic() - desk.renewed_at > RENEW_EVERY:
        jobs.renew(job for job, _ in desk.in_hand.values())
        desk.renewed_at = time.monotonic()
    if not desk.in_hand:
        return
    try:
        note = desk.channel.notes.get(timeout=TICK)
    except Empty:
        return
    job, asking = desk.in_hand[note.job_id]
    if not isinstance(note, Finished):
        _keep(desk, note, job, asking)
        return
    del desk.in_hand[note.job_id]
    _finish(job, asking, note)
    if said is not None:
        said(desk.run)


def _keep(desk: Desk, note: Note, job: Job, asking: Asking) -> None:
    """Keep a note; where that fails, no thread may wait for it any longer."""
    try:
        ledger.keep(note, job, asking.cache_key)
    except Exception:
        desk.channel.is_closed.set()
        raise
    note.is_kept.set()


def _finish(job: Job, asking: Asking, note: Finished) -> None:
    if note.error is None:
        job_steps.store(job, asking, note.value)
        return
    if isinstance(note.error, StoppedError):
        jobs.release(job)
        return
    logger.warning("job %s of run %s failed: %s", job.pk, job.run_id, note.error)
    job_steps.fail(job, asking, note.error)


def _let_go(desk: Desk) -> None:
    """Keep what is on its way, send nothing more, and never leave a thread waiting for a note to be kept."""
    desk.channel.is_stopped.set()
    try:
        while desk.in_hand:
            _attend(desk, None)
    finally:
        desk.channel.is_closed.set()
        desk.pool.shutdown()


def _close(run: Run) -> Run:
    run.refresh_from_db()
    if run.state == Run.State.STOPPING:
        jobs.cancel_asking(run)  # steps that were found on the way, such as gaps
    if jobs.unfinished(run).exists():
        return run
    if run.state == Run.State.STOPPING:
        panel.close(run, Run.State.STOPPED)
    elif panel.close(run, Run.State.FAILED if _is_in_vain(run) else Run.State.DONE, _summary(run)):
        with transaction.atomic():
            projects.hold(run.project)
            for kind in set(run.project.claims.values_list("kind", flat=True)):
                track_records.remake(project=run.project, kind=kind)
    return run


def _is_in_vain(run: Run) -> bool:
    """Whether every step of the run failed."""
    return run.jobs.exists() and not run.jobs.exclude(state=Job.State.FAILED).exists()


def _summary(run: Run) -> str:
    failed = run.jobs.filter(state=Job.State.FAILED)
    if not failed.exists():
        return ""
    return f"{failed.count()} of {run.jobs.count()} steps failed. First reason: {failed.order_by('pk')[0].error}"
