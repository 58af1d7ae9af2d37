"""The ledger of calls: a row is committed as sent before sending and as answered before anything is parsed.

Calls are made in threads that never touch the database: a `Line` tells the job's main thread what happened and waits
until it is committed.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from queue import Queue

from django.db.models import QuerySet
from django.utils import timezone

from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatModel, ChatReply, ChatRequest
from evaluation.llm.storable import storable_text
from evaluation.models import Call, Job
from evaluation.schemas import Usage
from evaluation.services import jobs

MAX_UNCONFIRMED = 2
WAIT_SECONDS = 1.0


@dataclass
class Note:
    """Something a thread reports; `is_kept` is set once it is committed."""

    job_id: int
    is_kept: threading.Event = field(default_factory=threading.Event)


@dataclass
class Sent(Note):
    """A request is about to go out."""


@dataclass
class Answered(Note):
    """A reply came."""

    reply: ChatReply | None = None


@dataclass
class Failed(Note):
    """The request brought no reply."""

    error: LLMError | None = None


@dataclass
class Finished(Note):
    """The thread is done with its job: with a value, or with an error."""

    value: object = None
    error: Exception | None = None


class StoppedError(Exception):
    """The worker sends nothing more: the run was stopped, or the worker itself ends."""


@dataclass
class Channel:
    """What threads and the main thread share: notes, the sign to send nothing more, and that nobody keeps notes."""

    notes: Queue[Note] = field(default_factory=Queue)
    is_stopped: threading.Event = field(default_factory=threading.Event)
    is_closed: threading.Event = field(default_factory=threading.Event)


class Line:
    """A model whose calls are kept in the ledger; replies that were kept before are given out first, unasked."""

    def __init__(self, job_id: int, model: ChatModel, kept: Sequence[ChatReply], channel: Channel) -> None:
        self._job_id = job_id
        self._model = model
        self._kept = list(kept)
        self._channel = channel

    def complete(self, request: ChatRequest) -> ChatReply:
        """Return the next kept reply, or send the request; raises LLMError as the model does, StoppedError unsent."""
        if self._kept:
            return self._kept.pop(0)
        if self._channel.is_stopped.is_set():
            raise StoppedError
        self._report(Sent(self._job_id))
        try:
            reply = self._model.complete(request)
        except LLMError as error:
            self._report(Failed(self._job_id, error=error))
            raise
        self._report(Answered(self._job_id, reply=reply))
        return reply

    def _report(self, note: Note) -> None:
        self._channel.notes.put(note)
        while not note.is_kept.wait(WAIT_SECONDS):
            if self._channel.is_closed.is_set():
                raise StoppedError


def kept_replies(job: Job, cache_key: str) -> list[ChatReply]:
    """Answered calls of this job for the same question, oldest first; calls of a crash are marked unconfirmed.

    Raises LLMError where the question was left unanswered by a crash twice: it is asked once more, not for ever.
    """
    job.calls.filter(state=Call.State.SENT).update(state=Call.State.UNCONFIRMED)
    if job.calls.filter(state=Call.State.UNCONFIRMED, cache_key=cache_key).count() >= MAX_UNCONFIRMED:
        raise LLMError("Twice the worker ended before an answer came: start a new run to ask again.", reason="server")
    answered = job.calls.filter(state=Call.State.ANSWERED, cache_key=cache_key).order_by("pk")
    return [
        ChatReply(
            text=call.raw_reply,
            model=call.model,
            usage=Usage(call.input_tokens, call.output_tokens),
            latency=call.latency,
            finish_reason=call.finish_reason,
        )
        for call in answered
    ]


def keep(note: Note, job: Job, cache_key: str) -> None:
    """Commit what a thread reported; runs in the job's main thread."""
    if isinstance(note, Sent):
        attempt = job.calls.filter(cache_key=cache_key).count() + 1
        judge = jobs.judge_of(job)
        Call.objects.create(job=job, judge=judge, attempt=attempt, cache_key=cache_key, model=judge.model)
    elif isinstance(note, Answered) and note.reply is not None:
        _open_call(job).update(**_answer(note.reply))
    elif isinstance(note, Failed) and note.error is not None:
        error = note.error
        _open_call(job).update(
            state=Call.State.FAILED, error=storable_text(str(error)), reason=error.reason, answered_at=timezone.now()
        )


def _open_call(job: Job) -> QuerySet[Call]:
    newest = job.calls.filter(state=Call.State.SENT).order_by("-pk").values("pk")[:1]
    return Call.objects.filter(pk__in=list(newest.values_list("pk", flat=True)))


def _answer(reply: ChatReply) -> dict[str, object]:
    return {
        "state": Call.State.ANSWERED,
        "raw_reply": storable_text(reply.text),
        "finish_reason": reply.finish_reason[:40],
        "model": reply.model[:200],
        "input_tokens": reply.usage.input_tokens,
        "output_tokens": reply.usage.output_tokens,
        "latency": reply.latency,
        "answered_at": timezone.now(),
    }
