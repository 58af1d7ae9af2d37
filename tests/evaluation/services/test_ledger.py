"""The ledger: a row before a request goes out, another state before its reply is read."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatReply, ChatRequest
from evaluation.models import Call, Job, Project
from evaluation.schemas import ClaimKind, Subject, Usage
from evaluation.services import ledger
from evaluation.services.ledger import Answered, Channel, Failed, Line, Sent
from tests import factories

pytestmark = pytest.mark.django_db

KEY = "k" * 64
REQUEST = ChatRequest(model="m", messages=(), subject=Subject("judge", ClaimKind.STATEMENT, "?", {}))


class Speaker:
    """A model that says one thing, or fails with one error."""

    def __init__(self, said: str | LLMError) -> None:
        self.said = said
        self.n_asked = 0

    def complete(self, request: ChatRequest) -> ChatReply:
        self.n_asked += 1
        if isinstance(self.said, LLMError):
            raise self.said
        return ChatReply(text=self.said, model="m-2026", usage=Usage(7, 3), latency=0.5, finish_reason="stop")


@pytest.fixture
def job(project: Project) -> Job:
    judge = factories.make_judges(project, 1)[0]
    return Job.objects.create(run=factories.make_run(project), task="judge", key="j", judge=judge)


def in_thread(work: Callable[[], object]) -> tuple[threading.Thread, list[object]]:
    outcome: list[object] = []

    def run() -> None:
        try:
            outcome.append(work())
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, outcome


def test_a_request_goes_out_only_when_its_row_is_kept(job: Job) -> None:
    channel, speaker = Channel(), Speaker("Hello\x00 you.")
    thread, outcome = in_thread(lambda: Line(job.pk, speaker, [], channel).complete(REQUEST))

    sent = channel.notes.get(timeout=5)
    asked_before = speaker.n_asked
    ledger.keep(sent, job, KEY)
    states = list(Call.objects.values_list("state", "attempt"))
    sent.is_kept.set()
    answered = channel.notes.get(timeout=5)
    ledger.keep(answered, job, KEY)
    answered.is_kept.set()
    thread.join(5)

    assert (type(sent), type(answered), asked_before) == (Sent, Answered, 0)
    assert states == [("sent", 1)]
    call = Call.objects.get()
    assert (call.state, call.raw_reply, call.model) == ("answered", "Hello\ufffd you.", "m-2026")
    assert (call.input_tokens, call.output_tokens, call.latency) == (7, 3, 0.5)
    assert call.answered_at is not None
    assert isinstance(outcome[0], ChatReply)


def test_a_call_that_brought_nothing_keeps_its_reason(job: Job) -> None:
    ledger.keep(Sent(job.pk), job, KEY)

    ledger.keep(Failed(job.pk, error=LLMError("Too many requests.", reason="rate_limit", retryable=True)), job, KEY)

    call = Call.objects.get()
    assert (call.state, call.reason, call.error) == ("failed", "rate_limit", "Too many requests.")


def test_kept_replies_are_given_out_first_and_unasked(job: Job) -> None:
    speaker = Speaker("New.")
    line = Line(job.pk, speaker, [ChatReply(text="Old.", model="m")], Channel())

    reply = line.complete(REQUEST)

    assert reply.text == "Old."
    assert speaker.n_asked == 0


def test_nothing_is_sent_once_the_run_is_stopped(job: Job) -> None:
    channel, speaker = Channel(), Speaker("New.")
    channel.is_stopped.set()

    with pytest.raises(ledger.StoppedError):
        Line(job.pk, speaker, [], channel).complete(REQUEST)

    assert speaker.n_asked == 0
    assert channel.notes.empty()


def test_a_thread_does_not_wait_for_a_worker_that_is_gone(job: Job) -> None:
    channel, speaker = Channel(), Speaker("New.")
    thread, outcome = in_thread(lambda: Line(job.pk, speaker, [], channel).complete(REQUEST))

    channel.is_closed.set()
    thread.join(5)

    assert isinstance(outcome[0], ledger.StoppedError)
    assert speaker.n_asked == 0


def test_only_answers_to_the_same_question_are_kept(job: Job) -> None:
    for key, text in ((KEY, "One."), ("o" * 64, "Other."), (KEY, "Two.")):
        ledger.keep(Sent(job.pk), job, key)
        ledger.keep(Answered(job.pk, reply=ChatReply(text=text, model="m")), job, key)

    assert [reply.text for reply in ledger.kept_replies(job, KEY)] == ["One.", "Two."]
    assert list(Call.objects.values_list("attempt", flat=True)) == [1, 1, 2]


def test_a_question_is_given_up_after_two_crashes(job: Job) -> None:
    ledger.keep(Sent(job.pk), job, KEY)
    once = ledger.kept_replies(job, KEY)
    ledger.keep(Sent(job.pk), job, KEY)

    with pytest.raises(LLMError, match="Twice the worker ended"):
        ledger.kept_replies(job, KEY)

    assert once == []
    assert set(Call.objects.values_list("state", flat=True)) == {"unconfirmed"}
