"""A socket server that sends exactly the bytes it is told to, as slowly as it is told to."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Self

JSON_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"


def ok(body: bytes) -> bytes:
    """Return a whole reply."""
    return JSON_HEAD % len(body) + body


@contextmanager
def full_server() -> Iterator[str]:
    """Yield the address of a server whose queue is full: it takes no further connection."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, ExitStack() as waiting:
        address = server.getsockname()
        for _ in range(3):
            client = waiting.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(address)
        yield f"http://127.0.0.1:{address[1]}"


class RawServer:
    """Answers each request with the next pieces, `pause` seconds apart."""

    def __init__(self, replies: Iterable[Sequence[bytes]], pause: float = 0.0) -> None:
        self.requests: list[bytes] = []
        self.n_accepted = 0
        self.closed = threading.Semaphore(0)
        self._replies = list(replies)
        self._pause = pause
        self._ending = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.n_accepted += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            try:
                while (request := _request(connection)) and self._replies:
                    self.requests.append(request)
                    for number, piece in enumerate(self._replies.pop(0)):
                        self._ending.wait(self._pause if number else 0)
                        connection.sendall(piece)
            except OSError:
                pass
        self.closed.release()


def _request(connection: socket.socket) -> bytes:
    received = b""
    while b"\r\n\r\n" not in received:
        if not (piece := connection.recv(65_536)):
            return b""
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    while len(body) < int(lengths[0] if lengths else 0):
        body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body
