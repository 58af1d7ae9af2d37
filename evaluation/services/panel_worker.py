"""Works on a run until nothing is left: threads ask the judges, the main thread alone touches the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty

from django.db import connection
from django.db.models.functions import Coalesce
from django.utils import timezone

from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatReply
from evaluation.models import Job, Run
from evaluation.services import (
    closing,
    hearing,
    job_steps,
    jobs,
    judges,
    ledger,
    panel,
    provider_batches,
    purses,
    sending,
)
from evaluation.services.callers import Callers, Heard
from evaluation.services.desk import Desk, Question
from evaluation.services.job_steps import Ended
from evaluation.services.jobs import Lane
from evaluation.services.preparing import Preparing
from evaluation.services.purses import Emptied
from evaluation.services.taking import Taking
from evaluation.services.watching import Watch

CONCURRENCY = 32
TICK = 0.5
LOOK_EVERY = 0.25
LEASE_AGAIN_AFTER = 1.0  # seconds after which jobs may be free where none were
RENEW_EVERY = 30.0
STORE_AT = 16  # answers are stored together, as soon as there are so many of them, or half as many as can be out
STORE_AFTER = 0.2  # seconds that an answer waits for others at most

logger = logging.getLogger(__name__)


def drive(
    *,
    run_id: int,
    concurrency: int = CONCURRENCY,
    said: Callable[[Run], None] | None = None,
    lane: Lane = Lane.ALL,
) -> Run:
    """Work on a run until it is done, stopped, paused, or only other workers have jobs of it; safe to call twice.

    `concurrency` is how many calls are out at the same time at most; each endpoint has its own limits within that.
    `said` hears of the run when answers were stored, for progress on a terminal. A worker without the model leaves
    the lane of jobs that need vectors to the one that has it.
    """
    Run.objects.filter(pk=run_id, state__in=[Run.State.QUEUED, Run.State.RUNNING]).update(
        state=Run.State.RUNNING, started_at=Coalesce("started_at", timezone.now()), message=""
    )
    run = Run.objects.select_related("project", "panel").get(pk=run_id)
    if lane is not Lane.VECTORS:
        provider_batches.attend(run)
    worker = _Worker(run, concurrency, lane, said)
    try:
        worker.work()
    finally:
        worker.let_go()
    return closing.close_if_over(run)


@dataclass
class _Worker:
    """One worker at one run."""

    run: Run
    concurrency: int
    lane: Lane
    said: Callable[[Run], None] | None
    leased: list[Job] = field(default_factory=list)
    came: list[Heard] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)
    looked_at: float = 0.0
    renewed_at: float = field(default_factory=time.monotonic)
    stored_at: float = field(default_factory=time.monotonic)
    short_until: float = 0.0
    dry_at: float = 0.0
    dry: frozenset[int] | None = None  # no job was free but for these judges
    winds_up: bool = True  # something was given back that a run which is being stopped has to cancel
    is_leaving: bool = False

    def __post_init__(self) -> None:
        self.watch = Watch(self.run)
        self.desk = Desk(time.monotonic, judges.limits_of)
        self.callers = Callers(self.concurrency)
        self.purses = purses.of_run(self.run)
        self.preparing = Preparing(self.run, self.purses)
        self.taking = Taking(self.run, self.lane, provider_batches.for_others(self.run))
        self.store_at = min(STORE_AT, (self.concurrency + 1) // 2)

    def work(self) -> None:
        """Fill, send, hear and store until nothing is left that this worker could do."""
        while not self._is_over():
            self._look()
            self._fill()
            self._send()
            self._hear()
            is_time = not self.desk.out or time.monotonic() - self.stored_at > STORE_AFTER
            self._send()  # first, so that no slot stays free while what came is stored
            if is_time or len(self.ended) >= self.store_at:
                self._store()

    def _is_over(self) -> bool:
        if not self.desk.is_empty:
            return False
        self._store()
        self.dry = None
        self._fill()
        return self.desk.is_empty and not self.ended and self.dry is not None

    @property
    def is_sending(self) -> bool:
        """Whether the run wants to be asked about: it is neither paused nor being stopped."""
        return self.run.state in (Run.State.QUEUED, Run.State.RUNNING)

    @property
    def _is_filled(self) -> bool:
        """Whether questions of every judge with free jobs are ready."""
        return self.dry is not None and self.dry <= self.desk.full(self.concurrency)

    def _look(self) -> None:
        """See now and then what became of the run; keep leases alive."""
        now = time.monotonic()
        if now - self.looked_at > LOOK_EVERY:
            self._see()
        if now - self.dry_at > LEASE_AGAIN_AFTER:
            self.dry = None
        self._renew()

    def _see(self) -> None:
        """Read how the run and its project are now; what was prepared under other terms is prepared anew."""
        self.looked_at = time.monotonic()
        if self.watch.have_terms_changed() or not self.is_sending:
            self._give_back()
        if self.run.state == Run.State.STOPPING and self.winds_up:
            closing.wind_up(self.run)
            self.winds_up = False

    def _renew(self) -> None:
        if time.monotonic() - self.renewed_at > RENEW_EVERY:
            jobs.renew(self.desk.jobs())
            self.renewed_at = time.monotonic()

    def _fill(self) -> None:
        """Take jobs and prepare their questions, so that the next ones are ready when slots become free."""
        if self._is_filled:
            return
        full = self.desk.full(self.concurrency)
        self.leased = [] if self.is_leaving else self.taking.next(self.concurrency, full)
        if not self.leased:
            self.dry, self.dry_at = full, time.monotonic()
            return
        prepared = self.preparing.prepare(self.leased)
        self.leased = []
        self.ended += prepared.ended
        for question in prepared.questions:
            self.desk.put(question)

    def _send(self) -> None:
        """Send what may go now, as far as the money reaches."""
        if not self._may_send():
            return
        due = self.desk.due(self.concurrency - len(self.desk.out))
        try:
            written = sending.write(due=due, drawn_on=self.purses)
        except BaseException:
            self.desk.take_back(due)
            raise
        for question, call in written.calls:
            question.n_calls += 1
            self.desk.out[call.pk] = question
            self.callers.ask(call, question.model, question.conversation.request)
        self.desk.forget(written.lost)
        self.desk.take_back(written.unpaid)
        if written.emptied is not None:
            self._go_short(written.emptied)

    def _may_send(self) -> bool:
        has_room = len(self.desk.out) < self.concurrency and time.monotonic() >= self.short_until
        if not (self.is_sending and has_room and self.desk.next_moment() <= 0):
            return False
        self._see()
        return self.is_sending

    def _go_short(self, emptied: Emptied) -> None:
        """Wait for money that comes back with calls that are out, leave the run to a later worker, or pause it."""
        self.short_until = time.monotonic() + TICK
        if self.desk.out:
            return
        if emptied.is_for_good:
            panel.pause_for_money(run=self.run, emptied=emptied)
        elif not ledger.give_up_all_lost(project=self.run.project):
            self.is_leaving = True
            panel.note_that_money_is_held(run=self.run)
        else:
            return
        self._give_back()

    def _hear(self) -> None:
        """Wait for what happens next, and commit everything that came before any of it is read."""
        pause = self._pause()
        try:
            self.came.append(self.callers.heard.get(timeout=pause) if pause else self.callers.heard.get_nowait())
            while True:
                self.came.append(self.callers.heard.get_nowait())
        except Empty:
            pass
        if self.came:
            heard = [(each, self.desk.out[each.call.pk].card) for each in self.came]
            kept = hearing.keep(heard=heard, drawn_on=self.purses)
            self.came, self.short_until = [], 0.0
            for each in kept:
                self._read(self.desk.out.pop(each.call.pk), each)

    def _pause(self) -> float:
        """How many seconds nothing is to be done for, unless a reply comes."""
        if not self._is_filled or (self.ended and not self.desk.out):
            return 0.0
        due = TICK
        if self.is_sending and len(self.desk.out) < self.concurrency:
            due = max(self.desk.next_moment(), self.short_until - time.monotonic())
        return max(0.0, min(due, STORE_AFTER))

    def _read(self, question: Question, heard: Heard) -> None:
        """Go on with a question: it is answered, is asked again at once or later, or has failed."""
        outcome = heard.outcome
        self.desk.ended(question, outcome)
        try:
            if isinstance(outcome, ChatReply):
                answer = question.conversation.heard(outcome)
                if answer is None:
                    self.desk.put_first(question)
                    return
                done = Ended(question.job, question.asking, answer.value, heard.call, answer.is_repaired)
                self.ended.append(done)
            elif isinstance(outcome, LLMError) and not outcome.stops_judge:
                self.desk.wait(question, question.conversation.failed(outcome))
            else:
                raise outcome
        except Exception as final:
            logger.warning("job %s of run %s failed: %s", question.job.pk, self.run.pk, final)
            self.ended.append(Ended(question.job, question.asking, call=heard.call, error=final))
            if isinstance(final, LLMError) and final.stops_judge:
                self._stop_judge(question, final)

    def _stop_judge(self, question: Question, error: LLMError) -> None:
        """Fail everything else that this judge was to be asked in this run: no other call of it can do better."""
        self.preparing.stopped[question.judge.pk] = error  # what is leased later fails unasked
        self.ended += [Ended(each.job, None, error=error) for each, _ in self.desk.take_all(question.judge)]
        self.dry = None

    def _give_back(self) -> None:
        """Give back what is not out: whoever goes on with the run asks it, when its server allows that."""
        taken = [(question.job, seconds) for question, seconds in self.desk.take_all()]
        taken += [(job, 0.0) for job in self.leased]
        if taken:
            sending.give_back(taken)
            self.leased, self.dry, self.winds_up = [], None, True

    def _store(self) -> None:
        self.stored_at = time.monotonic()
        if self.ended:
            job_steps.store(ended=self.ended)
            self.ended = []
            if self.said is not None:
                self.said(self.run)

    def let_go(self) -> None:
        """Keep what is on its way, send nothing more, and give the rest back; whatever interrupts that is obeyed."""
        try:
            connection.close_if_unusable_or_obsolete()  # replies that are paid for are kept through another one
            self._give_back()
            while self.desk.out:
                self._renew()
                self._hear()
                self._give_back()
            self._store()
        finally:
            self.callers.end()
