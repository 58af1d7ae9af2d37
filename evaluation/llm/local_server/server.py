"""A real HTTP server on this machine that speaks both remote protocols, scripted or judging by a simple rule."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from evaluation.llm.local_server.protocols import (
    ANTHROPIC_PATH,
    OPENAI_PATH,
    anthropic_reply,
    error_body,
    openai_reply,
)
from evaluation.llm.local_server.script import Cut, Received, Step
from evaluation.llm.protocol import JsonObject

_REPLIES = {OPENAI_PATH: openai_reply, ANTHROPIC_PATH: anthropic_reply}


class LocalServer(ThreadingHTTPServer):
    """Serves on loopback in a thread of its own; `received` holds every request, `script` the next answers.

    Steps are used up in order, one a request; when none is left the built-in rule judges.
    """

    daemon_threads = True

    def __init__(self, steps: Iterable[Step] = (), *, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.received: list[Received] = []
        self._steps = deque(steps)
        self._lock = threading.Lock()
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        """The base URL for `anthropic_messages`."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def openai_url(self) -> str:
        """The base URL for `openai_chat`."""
        return f"{self.url}/v1"

    def script(self, *steps: Step) -> None:
        """Add the next answers."""
        with self._lock:
            self._steps.extend(steps)

    def taken_in(self, received: Received) -> Step:
        """Remember a request and return what to do with it."""
        with self._lock:
            self.received.append(received)
            return self._steps.popleft() if self._steps else Step()

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: LocalServer

    def do_POST(self) -> None:
        body = self._read_body()
        if self.path not in _REPLIES or body is None:
            status = 404 if self.path not in _REPLIES else 400
            known = " and ".join(_REPLIES)
            self._send(status, error_body(self.path, status, f"This server takes JSON at {known}."), {})
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        step = self.server.taken_in(Received(self.path, headers, body))
        self.server.closing.wait(step.delay)
        self._answer(step, body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is that of the base class)
        """Stay silent: `received` is the log."""

    def _read_body(self) -> JsonObject | None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            body = json.loads(raw)
        except ValueError:
            return None
        return body if isinstance(body, dict) else None

    def _answer(self, step: Step, body: JsonObject) -> None:
        if step.cut is Cut.BEFORE_REPLY:
            self.close_connection = True
        elif step.status != 200:
            self._send(step.status, error_body(self.path, step.status, step.message), step.headers)
        else:
            reply = _REPLIES[self.path](body, step) if step.raw is None else step.raw
            self._send(200, reply, step.headers, is_cut=step.cut is Cut.WITHIN_REPLY)

    def _send(self, status: int, body: JsonObject | bytes, headers: Mapping[str, str], *, is_cut: bool = False) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if is_cut else content)
        self.close_connection = self.close_connection or is_cut
