"""A real HTTP server on this machine that speaks the remote protocols, scripted or judging by a simple rule."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit

from evaluation.llm.local_server import anthropic_batches, openai_batches
from evaluation.llm.local_server.answering import Answering, Behaviour
from evaluation.llm.local_server.journal import Journal
from evaluation.llm.local_server.protocols import ANTHROPIC_PATH, OPENAI_PATH, REPLIES, RESPONSES_PATH
from evaluation.llm.local_server.script import Cut, Received, Step
from evaluation.llm.local_server.wire import JSON_TYPE, LINES_TYPE, Reply, Request, refused

LOG_PATH = "/log"
_DROPS = 20
_KNOWN = f"JSON at {RESPONSES_PATH}, {OPENAI_PATH} and {ANTHROPIC_PATH}, and files and batches"

Route = Callable[..., Reply]


class LocalServer(ThreadingHTTPServer):
    """Serves on loopback in threads of its own; `received` holds the JSON requests, `script` the next answers.

    Steps are used up in order, one a request to judge; when none is left `behaviour` decides. `log` is a file that
    gets a line for each request; GET /log has the same lines. One that serves for long keeps nothing in `received`.
    """

    daemon_threads = True
    request_queue_size = 512

    def __init__(
        self,
        steps: Iterable[Step] = (),
        *,
        port: int = 0,
        behaviour: Behaviour | None = None,
        log: Path | None = None,
        is_keeping: bool = True,
    ) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        how = behaviour or Behaviour()
        self.received: list[Received] = []
        self.journal = Journal(log)
        self.closing = threading.Event()
        self._answering = Answering(how, self.journal)
        self._is_keeping = is_keeping
        self._beside: list[tuple[str, deque[Step]]] = []
        self._lock = threading.Lock()
        self._routes = self._table(how.batch_seconds)
        self.script(*steps)

    @property
    def url(self) -> str:
        """The base URL for `anthropic_messages`."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def openai_url(self) -> str:
        """The base URL for `openai_chat` and `openai_responses`."""
        return f"{self.url}/v1"

    @property
    def n_received(self) -> int:
        """How many requests were judged so far, or noted as undone."""
        return self.journal.n_entries

    def script(self, *steps: Step, path: str = "") -> None:
        """Add the next answers to requests to judge, or to any request whose path starts with `path`."""
        if not path:
            self._answering.steps.extend(steps)
            return
        with self._lock:
            self._beside.append((path, deque(steps)))

    def script_batched(self, *steps: Step) -> None:
        """Add what the next requests within batches get, in the order in which they were handed over."""
        self._answering.batch_steps.extend(steps)

    def reply_to(self, request: Request) -> Reply:
        """Answer one request."""
        if (step := self._scripted_for(request.path)) is not None:
            return _scripted(request, step)
        for method, pattern, route in self._routes:
            if request.method in method and (found := pattern.fullmatch(request.path)):
                return route(request, *found.groups())
        return refused(request, 404, f"This server takes {_KNOWN}.")

    def keep(self, received: Received) -> None:
        """Remember a request."""
        if self._is_keeping:
            self.received.append(received)

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent where a client hung up; anything else is a fault of ours and is shown."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()
        self.journal.close()

    def _scripted_for(self, path: str) -> Step | None:
        with self._lock:
            waiting = (steps for start, steps in self._beside if steps and path.startswith(start))
            steps = next(waiting, None)
            return None if steps is None else steps.popleft()

    def _table(self, batch_seconds: float) -> list[tuple[str, re.Pattern[str], Route]]:
        openai = openai_batches.OpenAIBatches(self._answering, batch_seconds)
        anthropic = anthropic_batches.AnthropicBatches(self._answering, batch_seconds)
        files, batches, messages = (
            openai_batches.FILES_PATH,
            openai_batches.BATCHES_PATH,
            anthropic_batches.BATCHES_PATH,
        )
        rows: list[tuple[str, str, Route]] = [
            ("POST", "|".join(REPLIES), self._judge),
            ("GET", LOG_PATH, self._log),
            ("POST", files, openai.upload),
            ("GET DELETE", f"{files}/([^/]+)", openai.file),
            ("GET", f"{files}/([^/]+)/content", openai.content),
            ("POST", batches, openai.create),
            ("GET", batches, openai.list),
            ("GET", f"{batches}/([^/]+)", openai.retrieve),
            ("POST", f"{batches}/([^/]+)/cancel", openai.cancel),
            ("POST", messages, anthropic.create),
            ("GET", messages, anthropic.list),
            ("GET DELETE", f"{messages}/([^/]+)", anthropic.retrieve),
            ("GET", f"{messages}/([^/]+)/results", anthropic.results),
            ("POST", f"{messages}/([^/]+)/cancel", anthropic.cancel),
        ]
        return [(method, re.compile(pattern), route) for method, pattern, route in rows]

    def _judge(self, request: Request) -> Reply:
        body = request.body
        if body is None:
            return refused(request, 400, f"This is no JSON object: this server takes {_KNOWN}.")
        outcome = self._answering.single(request.path, body)
        step = outcome.step
        return Reply(step.status, outcome.content, step.headers, step.delay, step.drip, step.cut)

    def _log(self, _: Request) -> Reply:
        return Reply(200, self.journal.text().encode(), {"content-type": LINES_TYPE})


def _scripted(request: Request, step: Step) -> Reply:
    """Return a step as the answer to a request that judges nothing; `raw` is its body where it succeeds."""
    if step.status != 200:
        refusal = refused(request, step.status, step.message)
        return Reply(step.status, refusal.content, step.headers, step.delay, step.drip, step.cut)
    return Reply(200, step.raw or b"{}", step.headers, step.delay, step.drip, step.cut)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: LocalServer

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_DELETE(self) -> None:
        self._serve()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is that of the base class)
        """Stay silent: the journal is the log."""

    def _serve(self) -> None:
        split = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        content = self.rfile.read(int(headers.get("content-length", 0)))
        began = time.monotonic()
        query = dict(parse_qsl(split.query))
        request = Request(self.command, split.path, query, headers, content, self.server.url)
        if self.command == "POST" and (body := request.body) is not None:
            self.server.keep(Received(request.path, headers, body))
        reply = self.server.reply_to(request)
        self.server.closing.wait(max(0.0, reply.delay - (time.monotonic() - began)))
        self._send(reply)

    def _send(self, reply: Reply) -> None:
        if reply.cut is Cut.BEFORE_REPLY:
            self.close_connection = True
            return
        lines = [f"HTTP/1.1 {reply.status} {_phrase(reply.status)}"]
        length = {"content-type": JSON_TYPE, **reply.headers, "content-length": str(len(reply.content))}
        lines += [f"{name}: {value}" for name, value in length.items()]
        head = "\r\n".join([*lines, "\r\n"]).encode("latin-1")
        content = reply.content
        if reply.cut is Cut.WITHIN_REPLY:
            self.close_connection = True
            content = content[: len(content) // 2]
        if reply.drip:
            self._drip(head, content, reply.drip)
        else:
            self.wfile.write(head + content)  # one write: a second one would wait for the first to be acknowledged

    def _drip(self, head: bytes, content: bytes, seconds: float) -> None:
        self.wfile.write(head)
        size = max(1, -(-len(content) // _DROPS))
        for start in range(0, len(content), size):
            self.server.closing.wait(seconds / _DROPS)
            self.wfile.write(content[start : start + size])


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Overloaded"
