"""The ledger of calls: a row is committed as sent before sending and as answered before anything is parsed.

Calls are made in threads that never touch the database; everything here runs in the job's main thread. Money that a
call may cost is reserved in the transaction that writes its row and settled in the one that keeps its reply.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from evaluation.llm.errors import LLMError
from evaluation.llm.pricing import PriceCard
from evaluation.llm.protocol import ChatReply
from evaluation.llm.storable import storable_text
from evaluation.models import Call, Job, Judge, Project, ProviderBatch, Purse, Run
from evaluation.schemas import Usage
from evaluation.services import purses
from evaluation.services.purses import Emptied

MAX_UNCONFIRMED = 10  # a call lost in a crash is asked once more, but not by one crash after the other for ever


@dataclass(frozen=True)
class Sending:
    """A call that is about to go out: for which job, under which key, and the most it can cost."""

    job: Job
    judge: Judge
    cache_key: str
    attempt: int
    most_micros: int


@dataclass(frozen=True)
class Came:
    """What came of a call: a reply, or the error it ended with; `card` is None where no price is known."""

    call: Call
    outcome: ChatReply | LLMError
    card: PriceCard | None
    in_batch: bool = False


@dataclass(frozen=True)
class Recalled:
    """What the ledger knows of a job that was worked on before."""

    replies: tuple[tuple[Call, ChatReply], ...] = ()
    n_calls: int = 0
    n_unconfirmed: int = 0

    @property
    def is_given_up(self) -> bool:
        """Whether so many crashes left the question unanswered that asking again is not worth it."""
        return self.n_unconfirmed >= MAX_UNCONFIRMED


def write_sent(
    *, sending: Sequence[Sending], drawn_on: Sequence[Purse], batch: ProviderBatch | None = None
) -> list[Call] | Emptied:
    """Reserve what these calls can cost at most and commit their rows as sent; nothing where a purse has no room."""
    with transaction.atomic():
        total = sum(each.most_micros for each in sending)
        if emptied := purses.reserve(purses=drawn_on, micros=total):
            return emptied
        return Call.objects.bulk_create(
            Call(
                job=each.job,
                judge=each.judge,
                attempt=each.attempt,
                cache_key=each.cache_key,
                model=each.judge.model,
                batch=batch,
                reserved_micros=each.most_micros,
            )
            for each in sending
        )


def keep(*, came: Sequence[Came], drawn_on: Sequence[Purse]) -> None:
    """Commit what came of calls, as it came, and settle what they cost."""
    with transaction.atomic():
        reserved = spent = 0
        for each in sorted(came, key=lambda one: one.call.pk):  # in one order, so that no two workers block each other
            cost, is_certain = _cost(each)
            row = Call.objects.filter(pk=each.call.pk)
            fields = _fields(each.outcome) | {"cost_micros": cost, "is_cost_certain": is_certain}
            for name, value in fields.items():
                setattr(each.call, name, value)
            if row.filter(state=Call.State.SENT).update(**fields):
                reserved += each.call.reserved_micros
                spent += cost or 0
            elif row.filter(state=Call.State.UNCONFIRMED).update(**fields):
                # another worker gave it up for lost and counted the most it could cost
                spent += (cost or 0) - each.call.reserved_micros
        purses.settle(purses=drawn_on, reserved_micros=reserved, spent_micros=spent)


def _cost(came: Came) -> tuple[int | None, bool]:
    """What a call cost, and whether that is certain: one that broke off may have been billed at its most."""
    if came.card is None:
        return None, True
    if isinstance(came.outcome, ChatReply):
        return came.card.cost(came.outcome.usage, in_batch=came.in_batch), True
    if came.outcome.may_be_billed:
        return came.call.reserved_micros, False
    return 0, True


def _fields(outcome: ChatReply | LLMError) -> dict[str, object]:
    now = timezone.now()
    if isinstance(outcome, LLMError):
        error = storable_text(str(outcome))
        return {"state": Call.State.FAILED, "error": error, "reason": outcome.reason, "answered_at": now}
    return {
        "state": Call.State.ANSWERED,
        "raw_reply": storable_text(outcome.text),
        "finish_reason": outcome.finish_reason[:40],
        "model": outcome.model[:200],
        "input_tokens": outcome.usage.input_tokens,
        "output_tokens": outcome.usage.output_tokens,
        "cached_tokens": outcome.usage.cached_tokens,
        "written_tokens": outcome.usage.written_tokens,
        "latency": outcome.latency,
        "answered_at": now,
    }


def mark_usable(*, calls: Collection[int], repaired: Collection[int] = ()) -> None:
    """Note which calls had a reply of the asked shape: only those are ever used again."""
    Call.objects.filter(pk__in=calls).update(is_usable=True)
    if repaired:
        Call.objects.filter(pk__in=repaired).update(is_repaired=True)


def recall(*, questions: Iterable[tuple[Job, str]], drawn_on: Sequence[Purse]) -> dict[int, Recalled]:
    """What is known of jobs that were leased before, by job: kept replies to the same question, and lost calls.

    Calls that are found sent were lost with their worker: they become unconfirmed, and their cost counts as the most
    it can be, since the provider may have answered.
    """
    keys = {job.pk: key for job, key in questions if job.attempt > 1}
    if not keys:
        return {}
    with transaction.atomic():
        lost = Call.objects.filter(job__in=keys, state=Call.State.SENT, batch=None).select_for_update(of=("self",))
        _give_up(list(lost), drawn_on)
    found: dict[int, list[Call]] = defaultdict(list)
    for call in Call.objects.filter(job__in=keys).order_by("pk"):
        if call.cache_key == keys[call.job_id]:
            found[call.job_id].append(call)
    return {job_id: _recalled(calls) for job_id, calls in found.items()}


def give_up(*, batch: ProviderBatch, drawn_on: Sequence[Purse]) -> None:
    """Take the unanswered calls of a batch for lost: unconfirmed, at the most they can have cost."""
    with transaction.atomic():
        lost = batch.calls.filter(state=Call.State.SENT).select_for_update(of=("self",))
        _give_up(list(lost), drawn_on)


def give_up_lost(*, run: Run) -> int:
    """Take calls for lost that nobody waits for: sent for jobs that have ended or whose worker died; returns how many.

    What may have been billed stays counted at its most; what was reserved for them is free again.
    """
    sent = Call.objects.filter(job__run=run, state=Call.State.SENT, batch=None)
    at_work = Q(job__state=Job.State.LEASED, job__lease_until__gte=timezone.now())
    with transaction.atomic():
        lost = list(sent.exclude(at_work).select_for_update(of=("self",)))
        if lost:
            _give_up(lost, purses.of_run(run))
    return len(lost)


def give_up_all_lost(*, project: Project) -> int:
    """The same for every run of a project, whose money one purse holds; returns how many calls were lost."""
    sent = Call.objects.filter(job__run__project=project, state=Call.State.SENT, batch=None).values("job__run")
    return sum(give_up_lost(run=run) for run in Run.objects.filter(pk__in=sent).select_related("project"))


def _give_up(lost: Sequence[Call], drawn_on: Sequence[Purse]) -> None:
    for call in lost:
        known = {"cost_micros": call.reserved_micros} if call.reserved_micros else {}
        Call.objects.filter(pk=call.pk).update(state=Call.State.UNCONFIRMED, is_cost_certain=False, **known)
    total = sum(call.reserved_micros for call in lost)
    purses.settle(purses=drawn_on, reserved_micros=total, spent_micros=total)


def _recalled(calls: Sequence[Call]) -> Recalled:
    answered = [call for call in calls if call.state == Call.State.ANSWERED]
    return Recalled(
        replies=tuple((call, reply_of(call)) for call in answered),
        n_calls=len(calls),
        n_unconfirmed=sum(call.state == Call.State.UNCONFIRMED for call in calls),
    )


def reply_of(call: Call) -> ChatReply:
    """The reply of an answered call as its provider gave it; what was parsed is read from the text again."""
    return ChatReply(
        text=call.raw_reply,
        model=call.model,
        usage=Usage(call.input_tokens, call.output_tokens, call.cached_tokens, call.written_tokens),
        latency=call.latency,
        finish_reason=call.finish_reason,
    )


def reuse(*, known: Sequence[tuple[Job, Call]]) -> list[Call]:
    """Note that jobs are answered by calls made earlier: rows of their own that cost nothing and took no time."""
    now = timezone.now()
    return Call.objects.bulk_create(
        Call(
            job=job,
            judge_id=call.judge_id,
            attempt=1,
            cache_key=call.cache_key,
            source_id=call.source_id or call.pk,
            state=Call.State.ANSWERED,
            raw_reply=call.raw_reply,
            finish_reason=call.finish_reason,
            model=call.model,
            is_usable=True,
            is_repaired=call.is_repaired,
            cost_micros=0,
            answered_at=now,
        )
        for job, call in known
    )


def known_answers(*, project_id: int, cache_keys: Collection[str]) -> dict[tuple[int, str], Call]:
    """Usable answers of judges of this project to these questions, by judge and key; the newest counts.

    Two judges that are alike in everything are still asked apart: one is no vote more than the other.
    """
    usable = Call.objects.filter(
        cache_key__in=cache_keys, state=Call.State.ANSWERED, is_usable=True, job__run__project=project_id
    )
    return {(call.judge_id, call.cache_key): call for call in usable.order_by("pk")}
