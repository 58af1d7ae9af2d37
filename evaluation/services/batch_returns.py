"""Looks after batches at a provider: asks how far they are, keeps what comes back, and gives up what was lost.

Replies are committed as they came before any of them is read; all of it can be done again after a crash at any point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from itertools import islice

from django.db.models import Q
from django.utils import timezone
from pydantic import BaseModel

from evaluation.errors import JuryFlowError
from evaluation.llm.conversation import Conversation
from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import BatchModel, BatchProgress, ChatReply
from evaluation.llm.retry import RetryPolicy
from evaluation.models import Call, Job, ProviderBatch, Run
from evaluation.schemas import PromptStamp, RubricText
from evaluation.services import askings, costing, job_steps, jobs, judges, ledger, prices, purses
from evaluation.services.askings import Asking, Shelves
from evaluation.services.job_steps import Ended
from evaluation.services.jobs import Wanted
from evaluation.services.ledger import Came

CLAIM_SECONDS = 1_200  # longer than the longest transfer: until then nobody else sees after a batch
SHORTEST_WAIT, LONGEST_WAIT = 10.0, 600.0
RETRY_SECONDS = 300.0
GIVE_UP_AFTER = timedelta(days=3)
STORE_AT = 100
ENDS_THE_JOB = ("refused", "context_length")  # reasons for which asking alone would do no better
LOST = "Nobody knows whether the provider got this batch: its questions are asked once more."


def custom_id(call: Call) -> str:
    """What a call is named within its batch."""
    return f"call-{call.pk}"


def is_due(now: datetime) -> Q:
    """Batches that are to be looked after now."""
    return Q(state__in=ProviderBatch.OPEN_STATES, next_poll_at__lte=now)


def claim_due(run: Run) -> Iterator[ProviderBatch]:
    """Yield the due batches of a run that nobody else is looking after."""
    now = timezone.now()
    for pk in list(run.batches.filter(is_due(now)).order_by("pk").values_list("pk", flat=True)):
        until = now + timedelta(seconds=CLAIM_SECONDS)
        if run.batches.filter(is_due(now), pk=pk).update(next_poll_at=until):
            yield run.batches.select_related("judge", "run__project").get(pk=pk)


def see_after(batch: ProviderBatch) -> None:
    """Do what is to be done for a batch now; what a provider does not answer is tried again later."""
    try:
        model = judges.batches_for(batch.judge)
        if model is None:
            _give_up(batch, LOST)
        elif not batch.provider_id:
            _look_for(batch, model)
        else:
            _poll(batch, model)
    except (LLMError, JuryFlowError) as error:
        if timezone.now() - batch.created_at > GIVE_UP_AFTER:
            _give_up(batch, f"{LOST} {error}")
        else:
            _put_off(batch, str(error))


def fail(batch: ProviderBatch, error: LLMError) -> None:
    """End a batch that never began: it cost nothing, and its questions are free again, later where that may help."""
    _keep_all(batch, [(call, error) for call in batch.calls.filter(state=Call.State.SENT)])
    wait = timedelta(seconds=max(RETRY_SECONDS, error.retry_after or 0.0)) if error.retryable else None
    batch.jobs.update(batch=None, result=None, not_before=timezone.now() + wait if wait else None)
    _end(batch, ProviderBatch.State.FAILED, str(error))


def _look_for(batch: ProviderBatch, model: BatchModel) -> None:
    """Look whether a batch whose submission was cut short is at the provider."""
    if found := model.find(batch.token):
        changes = {"state": ProviderBatch.State.SUBMITTED, "provider_id": found, "next_poll_at": timezone.now()}
        ProviderBatch.objects.filter(pk=batch.pk).update(**changes)
    else:
        _give_up(batch, LOST)


def _poll(batch: ProviderBatch, model: BatchModel) -> None:
    if batch.run.state in (Run.State.STOPPING, Run.State.STOPPED):
        with suppress(LLMError):  # one that is being cancelled or has ended cannot be cancelled
            model.cancel(batch.provider_id)
    progress = model.progress(batch.provider_id)
    if not progress.is_ended:
        _put_off(batch, "")
    elif progress.error:
        fail(batch, LLMError(progress.error, reason="server", retryable=True))
    else:
        _keep_results(batch, model, progress)
        _store(batch)
        is_stopped = batch.run.state in (Run.State.STOPPING, Run.State.STOPPED)
        _end(batch, ProviderBatch.State.CANCELLED if is_stopped else ProviderBatch.State.ENDED, "")


def _put_off(batch: ProviderBatch, error: str) -> None:
    """Look again after a fifth of the batch's age: soon at first, every ten minutes later."""
    now = timezone.now()
    wait = min(max((now - batch.created_at).total_seconds() / 5, SHORTEST_WAIT), LONGEST_WAIT)
    ProviderBatch.objects.filter(pk=batch.pk).update(error=error, next_poll_at=now + timedelta(seconds=wait))


def _give_up(batch: ProviderBatch, why: str) -> None:
    """End a batch that may have been answered and billed: its calls are unconfirmed, its questions free again."""
    ledger.give_up(batch=batch, drawn_on=purses.of_run(batch.run))
    batch.jobs.update(batch=None, result=None)
    _end(batch, ProviderBatch.State.FAILED, why)


def _end(batch: ProviderBatch, state: str, error: str) -> None:
    changes = {"state": state, "error": error, "ended_at": timezone.now(), "next_poll_at": None}
    ProviderBatch.objects.filter(pk=batch.pk).update(**changes)


def _keep_results(batch: ProviderBatch, model: BatchModel, progress: BatchProgress) -> None:
    """Commit every reply as it came; a request without one was left undone, unless its line could not be read."""
    calls = {custom_id(call): call for call in batch.calls.all()}
    results = ((calls[name], outcome) for name, outcome in model.results(batch.provider_id) if name in calls)
    n_replies = 0
    while block := list(islice(results, STORE_AT)):
        n_replies += sum(isinstance(outcome, ChatReply) for _, outcome in block)
        _keep_all(batch, block)
    undone = LLMError(
        "The provider left this request of a batch unanswered.",
        reason="server",
        retryable=True,
        may_be_billed=n_replies < progress.n_done,
    )
    _keep_all(batch, [(call, undone) for call in batch.calls.filter(state=Call.State.SENT)])


def _keep_all(batch: ProviderBatch, came: Sequence[tuple[Call, ChatReply | LLMError]]) -> None:
    card = prices.card(batch.judge)
    is_cheap = costing.is_cheap_in_batches(batch.judge)
    kept = [Came(call, outcome, card, in_batch=is_cheap) for call, outcome in came]
    ledger.keep(came=kept, drawn_on=purses.of_run(batch.run))


def _store(batch: ProviderBatch) -> None:
    """Read the replies and store what they say; what could not be read is free to be asked one by one."""
    run = batch.run
    shelves = Shelves(run.project)
    while leased := jobs.lease(run, STORE_AT, Wanted(of_batch=batch.pk)):
        askings.fetch(leased, run.project)
        calls = {call.job_id: call for call in batch.calls.filter(job__in=leased)}
        read = {job.pk: _read(job, calls[job.pk], shelves) for job in leased}
        Job.objects.filter(pk__in=read).update(result=None)
        job_steps.store(ended=[ended for ended in read.values() if ended is not None])
        jobs.release(job for job in leased if read[job.pk] is None)


def _read(job: Job, call: Call, shelves: Shelves) -> Ended | None:
    """What a call of a batch makes of its job: an end, or None where it is to be asked (again)."""
    if call.state == Call.State.FAILED and call.reason in ENDS_THE_JOB:
        return Ended(job, None, call=call, error=LLMError(call.error, reason=call.reason))
    if call.state != Call.State.ANSWERED:
        return None
    try:
        asking = _as_asked(askings.prepare(job, shelves), job)
        conversation: Conversation[BaseModel] = Conversation(asking.request, asking.shape, RetryPolicy())
        answer = conversation.heard(ledger.reply_of(call))
    except (LLMError, JuryFlowError) as error:
        return Ended(job, None, call=call, error=error)
    return Ended(job, asking, answer.value, call, answer.is_repaired) if answer else None


def as_shown(asking: Asking) -> dict[str, object]:
    """What a judge was shown, kept with the job: rules may change before the batch comes back."""
    prompt = asking.request.prompt
    shown = [[entry.entry_id, entry.version] for entry in asking.subject.rubric]
    return {"prompt": asdict(prompt) if prompt else None, "rubric": shown, "rubric_version": asking.rubric_version}


def _as_asked(asking: Asking, job: Job) -> Asking:
    """The question with the prompt and the rules that were in force when it was handed over."""
    if not (shown := job.result):
        return asking
    rules = tuple(RubricText(entry_id, version, "") for entry_id, version in shown["rubric"])
    stamp = PromptStamp(**shown["prompt"]) if shown["prompt"] else None
    return replace(
        asking,
        request=replace(asking.request, prompt=stamp),
        subject=replace(asking.subject, rubric=rules),
        rubric_version=shown["rubric_version"],
    )
