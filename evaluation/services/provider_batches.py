"""Hands the questions of a run to the batch APIs of its judges' providers: for later, and for less.

Rows come first: the calls as `sent`, what they can cost at most reserved, and the batch as `submitting` are committed
before anything leaves. From then on the jobs are nobody's until the batch comes back (`batch_returns`), so that a run
is worked on, paused, stopped and gone on with as any other.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate

from django.db import transaction
from django.db.models import Count, Exists, Min, OuterRef, Q
from django.utils import timezone

from evaluation.errors import JuryFlowError
from evaluation.llm.errors import LLMError
from evaluation.llm.pricing import most_tokens
from evaluation.llm.protocol import ChatRequest
from evaluation.models import Call, Job, Judge, ProviderBatch, Purse, Run
from evaluation.services import batch_returns, costing, job_steps, jobs, judges, ledger, panel, purses
from evaluation.services.askings import AGAIN
from evaluation.services.desk import Question
from evaluation.services.jobs import Lane, Wanted
from evaluation.services.ledger import Sending
from evaluation.services.preparing import Preparing
from evaluation.services.purses import Emptied

MOST_CALLS = 500
MOST_BYTES = 50_000_000
MOST_FAILURES = 3
LOOK_AFTER_SECONDS = 60.0
ENDS_BATCHES = ("config", "auth")  # reasons for which another batch would fail as well
TASKS = (Job.Task.JUDGE, Job.Task.DECOMPOSE)


@dataclass(frozen=True)
class _Begun:
    """A committed batch with its requests by their ids, and how many of the questions at hand it took."""

    batch: ProviderBatch
    requests: Mapping[str, ChatRequest]
    n_taken: int


def attend(run: Run) -> None:
    """See after the batches of a run: fetch what came back, and hand over what waits. Safe to call twice at once."""
    if not run.in_batches:
        return
    for batch in batch_returns.claim_due(run):
        batch_returns.see_after(batch)
    for judge in _takers(run):
        _hand_over(run, judge)


def runs_to_attend() -> list[int]:
    """Runs with a batch whose time to be looked after has come, whatever became of the run."""
    due = ProviderBatch.objects.filter(batch_returns.is_due(timezone.now()))
    return sorted(set(due.values_list("run_id", flat=True)))


def for_others(run: Run) -> Q | None:
    """The jobs of a run that are not meant for a batch: a worker asks about them one by one; None: that is all."""
    takers = _takers(run)
    return ~_for_batches(takers) if takers else None


def _takers(run: Run) -> list[Judge]:
    """Judges that a run asks in batches: their provider has them, and it did not refuse those of this run."""
    if not run.in_batches:
        return []
    failed = run.batches.filter(state=ProviderBatch.State.FAILED)
    often = failed.values("judge").annotate(n=Count("pk")).filter(n__gte=MOST_FAILURES).values("judge")
    final = failed.filter(calls__reason__in=ENDS_BATCHES).values("judge")
    asked = Judge.objects.filter(jobs__run=run, jobs__task__in=TASKS).distinct().order_by("pk")
    left = asked.exclude(pk__in=often).exclude(pk__in=final)
    return [judge for judge in left if costing.has_batches(judge)]


def _for_batches(takers: Sequence[Judge]) -> Q:
    """Jobs that were never asked, or only in batches that were never begun; what was left out is asked one by one."""
    asked = Call.objects.filter(job=OuterRef("pk")).exclude(batch__state=ProviderBatch.State.FAILED)
    fresh = Q(judge__in=[judge.pk for judge in takers], task__in=TASKS) & ~Q(key__startswith=AGAIN)
    return fresh & ~Q(Exists(asked))


def _hand_over(run: Run, judge: Judge) -> None:
    """Submit what waits for this judge. Votes wait until all answers are split, so that they go out together."""
    drawn_on = purses.of_run(run)
    preparing = Preparing(run, drawn_on)
    while _is_sending(run):
        leased = jobs.lease(
            run, MOST_CALLS, Wanted(Lane.REMOTE, _ripe(run), of_judge=judge.pk, only=_for_batches([judge]))
        )
        prepared = preparing.prepare(leased)
        job_steps.store(ended=prepared.ended)
        if not leased:
            return
        rest = prepared.questions
        while rest:
            begun = _begin_most(run, judge, rest, drawn_on) if _is_sending(run) else None
            if begun is None or not _send(begun):
                _give_back(run, rest, _when_failed() if begun else _when_money_returns(run))
                return
            rest = rest[begun.n_taken :]


def _is_sending(run: Run) -> bool:
    run.refresh_from_db(fields=["state"])
    return run.state in (Run.State.QUEUED, Run.State.RUNNING)


def _ripe(run: Run) -> tuple[str, ...]:
    splitting = run.jobs.filter(task__in=[Job.Task.DECOMPOSE, Job.Task.MERGE], state__in=Job.OPEN_STATES)
    return (Job.Task.DECOMPOSE,) if splitting.exists() else TASKS


def _begin_most(run: Run, judge: Judge, questions: Sequence[Question], drawn_on: Sequence[Purse]) -> _Begun | None:
    """Begin a batch with as many of the questions as a file and the purses have room for; None: with none of them."""
    n = _n_fitting(questions)
    while isinstance(begun := _begin(run, judge, questions[:n], drawn_on), Emptied):
        if n == 1:
            if not _is_any_out(run):  # else money may come back with what is out
                panel.pause_for_money(run=run, emptied=begun)
            return None
        n //= 2
    return begun


def _n_fitting(questions: Sequence[Question]) -> int:
    sizes = accumulate(most_tokens(question.conversation.request) for question in questions)
    return max(1, sum(size <= MOST_BYTES for size in sizes))


def _is_any_out(run: Run) -> bool:
    return Call.objects.filter(job__run=run, state=Call.State.SENT).exists()


def _begin(run: Run, judge: Judge, questions: Sequence[Question], drawn_on: Sequence[Purse]) -> _Begun | Emptied:
    """Commit a batch with its calls and leave its jobs to it; nothing of it where a purse has no room."""
    is_cheap = costing.is_cheap_in_batches(judge)
    with transaction.atomic():
        held = jobs.lock_held(question.job for question in questions)
        mine = [question for question in questions if question.job.pk in held]
        batch = ProviderBatch.objects.create(
            run=run,
            judge=judge,
            token=secrets.token_hex(16),
            n_calls=len(mine),
            next_poll_at=timezone.now() + timedelta(seconds=batch_returns.CLAIM_SECONDS),
        )
        sending = [_sending(question, is_cheap=is_cheap) for question in mine]
        written = ledger.write_sent(sending=sending, drawn_on=drawn_on, batch=batch)
        if isinstance(written, Emptied):
            transaction.set_rollback(True)
            return written
        for question in mine:
            question.job.result = batch_returns.as_shown(question.asking)
        Job.objects.bulk_update((question.job for question in mine), ["result"])
        Job.objects.filter(pk__in=held).update(batch=batch, state=Job.State.WAITING, lease_until=None)
    asked = {
        batch_returns.custom_id(call): question.conversation.request
        for call, question in zip(written, mine, strict=True)
    }
    return _Begun(batch, asked, len(questions))


def _sending(question: Question, *, is_cheap: bool) -> Sending:
    most = question.card.most(question.conversation.request, in_batch=is_cheap) if question.card else 0
    return Sending(question.job, question.judge, question.asking.cache_key, question.n_calls + 1, most)


def _send(begun: _Begun) -> bool:
    """Submit a batch that is committed; False where it failed. One that may have arrived is looked for later."""
    batch = begun.batch
    row = ProviderBatch.objects.filter(pk=batch.pk)
    if not begun.requests:
        row.delete()
        return True
    try:
        model = judges.batches_for(batch.judge)
        name = model.submit(begun.requests, batch.token) if model else ""
    except JuryFlowError as error:
        batch_returns.fail(batch, LLMError(str(error), reason="config"))
        return False
    except LLMError as error:
        if error.may_be_billed:
            soon = timezone.now() + timedelta(seconds=LOOK_AFTER_SECONDS)
            row.update(error=str(error), next_poll_at=soon)
        else:
            batch_returns.fail(batch, error)
        return False
    soon = timezone.now() + timedelta(seconds=batch_returns.SHORTEST_WAIT)
    row.update(provider_id=name, state=ProviderBatch.State.SUBMITTED, next_poll_at=soon)
    return True


def _when_failed() -> datetime:
    return timezone.now() + timedelta(seconds=batch_returns.RETRY_SECONDS)


def _when_money_returns(run: Run) -> datetime:
    """When the next batch of the run is looked after, which gives back what it did not cost, or soon if none is out."""
    soon = timezone.now() + timedelta(seconds=batch_returns.SHORTEST_WAIT)
    out = run.batches.filter(state__in=ProviderBatch.OPEN_STATES)
    return min(out.aggregate(due=Min("next_poll_at"))["due"] or soon, _when_failed())


def _give_back(run: Run, questions: Sequence[Question], when: datetime) -> None:
    """Give back what was not handed over: later where the run goes on with batches, else to be asked one by one."""
    judge_ids = {judge.pk for judge in _takers(run)}
    goes_on = _is_sending(run) and any(question.judge.pk in judge_ids for question in questions)
    jobs.release((question.job for question in questions), not_before=when if goes_on else None)
