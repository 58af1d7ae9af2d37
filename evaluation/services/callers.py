"""Threads that ask judges: they touch no database, report whatever comes, and hold up no process that is to end."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from queue import SimpleQueue

from evaluation.llm.protocol import ChatModel, ChatReply, ChatRequest
from evaluation.models import Call


@dataclass(frozen=True)
class Heard:
    """What a thread reports of a call: a reply, or the error that came instead of one."""

    call: Call
    outcome: ChatReply | Exception


@dataclass(frozen=True)
class _Task:
    call: Call
    model: ChatModel
    request: ChatRequest


class Callers:
    """At most `most` threads, started as they are needed; what comes of each call is put into `heard`, once.

    They are daemons: a process that is told to end while calls are out does not wait for replies that nobody hears.
    """

    def __init__(self, most: int) -> None:
        self.heard: SimpleQueue[Heard] = SimpleQueue()
        self._most = most
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._n_threads = 0

    def ask(self, call: Call, model: ChatModel, request: ChatRequest) -> None:
        """Send a request in a thread that is free."""
        self._tasks.put(_Task(call, model, request))
        if not self._idle.acquire(blocking=False) and self._n_threads < self._most:
            self._n_threads += 1
            threading.Thread(target=self._work, name=f"judge-{self._n_threads}", daemon=True).start()

    def end(self) -> None:
        """Let every thread end when it is done with the call it is at."""
        for _ in range(self._n_threads):
            self._tasks.put(None)

    def _work(self) -> None:
        while task := self._tasks.get():
            self.heard.put(Heard(task.call, _outcome(task)))
            self._idle.release()


def _outcome(task: _Task) -> ChatReply | Exception:
    """Whatever goes wrong is reported, since somebody waits for it: even what is meant to end a thread."""
    try:
        return task.model.complete(task.request)
    except Exception as error:
        return error
    except BaseException as error:
        return RuntimeError(f"the call was broken off by {error!r}")
