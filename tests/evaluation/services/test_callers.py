"""Threads that ask: whatever comes of a call is reported once, and no process waits for it in order to end."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from evaluation.llm.protocol import ChatModel, ChatReply, ChatRequest, Message, TextPart
from evaluation.models import Call
from evaluation.schemas import ClaimKind, Subject
from evaluation.services.callers import Callers, Heard

SUBJECT = Subject("judge", ClaimKind.STATEMENT, "?", {})
REQUEST = ChatRequest(model="m", messages=(Message("user", (TextPart("How?"),)),), subject=SUBJECT)
STUCK = """
import threading, django
django.setup()
from evaluation.models import Call
from evaluation.services.callers import Callers

class Deaf:
    def complete(self, request):
        threading.Event().wait()

Callers(2).ask(Call(pk=1), Deaf(), None)
"""


class Doing:
    """A model that does something when it is asked."""

    def __init__(self, deed: Callable[[], object]) -> None:
        self.deed = deed

    def complete(self, request: ChatRequest) -> ChatReply:
        return ChatReply(text=str(self.deed()), model=request.model)


def ask(callers: Callers, *models: ChatModel) -> list[Heard]:
    for number, model in enumerate(models):
        callers.ask(Call(pk=number), model, REQUEST)
    return sorted((callers.heard.get(timeout=5) for _ in models), key=lambda each: each.call.pk)


def raising(error: BaseException) -> Doing:
    def deed() -> object:
        raise error

    return Doing(deed)


def test_it_reports_the_reply_to_each_call() -> None:
    callers = Callers(2)

    heard = ask(callers, *[Doing(lambda number=number: number) for number in range(5)])  # type: ignore[misc]

    assert [(each.call.pk, each.outcome.text) for each in heard] == [(n, str(n)) for n in range(5)]  # type: ignore[union-attr]
    callers.end()


@pytest.mark.parametrize("error", [ValueError("No."), MemoryError(), RecursionError()])
def test_an_error_of_any_kind_is_reported_as_it_is(error: Exception) -> None:
    (heard,) = ask(Callers(1), raising(error))

    assert heard.outcome is error


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()])
def test_what_would_end_a_thread_is_reported_and_the_thread_goes_on(error: BaseException) -> None:
    callers = Callers(1)

    first, second = ask(callers, raising(error), Doing(lambda: "fine"))

    assert isinstance(first.outcome, RuntimeError)
    assert type(error).__name__ in str(first.outcome)
    assert isinstance(second.outcome, ChatReply)


def test_no_more_calls_are_made_at_once_than_there_may_be_and_threads_end() -> None:
    lock, counts = threading.Lock(), {"now": 0, "most": 0}

    def deed() -> None:
        with lock:
            counts["now"] += 1
            counts["most"] = max(counts.values())
        threading.Event().wait(0.02)
        with lock:
            counts["now"] -= 1

    before = set(threading.enumerate())
    callers = Callers(3)
    ask(callers, *[Doing(deed) for _ in range(9)])
    started = set(threading.enumerate()) - before
    callers.end()
    for thread in started:
        thread.join(5)

    assert counts["most"] == len(started) == 3
    assert not any(thread.is_alive() for thread in started)


def test_a_process_that_is_told_to_end_does_not_wait_for_a_call_that_is_out() -> None:
    began = time.monotonic()

    subprocess.run([sys.executable, "-c", STUCK], check=True, timeout=30)

    assert time.monotonic() - began < 20
