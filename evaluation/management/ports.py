"""Finds a free port on this machine and says who has the others."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from evaluation.errors import MissingPieceError

HOST = "127.0.0.1"
TRIES = 100
PATIENCE = 1.0


@dataclass(frozen=True)
class Listener:
    """A listening socket that a server can take over, and the ports before it that were taken."""

    socket: socket.socket
    port: int
    taken: tuple[int, ...]

    @property
    def url(self) -> str:
        """The address that a browser on this machine opens."""
        return f"http://{HOST}:{self.port}"


@contextmanager
def listening(first: int) -> Iterator[Listener]:
    """Listen on the first free port from `first`, on the loopback address only.

    Raises MissingPieceError where a hundred ports in a row are taken, and for a number that no port has.
    """
    if not 1 <= first <= 65535:
        raise MissingPieceError(f"There is no port {first}: name one from 1 to 65535, such as up --port 9000")
    taken: list[int] = []
    for port in range(first, min(first + TRIES, 65536)):
        server = socket.socket()
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind((HOST, port))
            server.listen(512)
        except OSError:
            server.close()
            taken.append(port)
            continue
        with server:
            yield Listener(server, port, tuple(taken))
        return
    raise MissingPieceError(f"No port from {first} to {first + TRIES - 1} is free. Name another: up --port 9000")


def answers_like(port: int) -> str:
    """Return what the server on a port calls itself, or an empty text where it does not say."""
    try:
        if _models_are_from_vllm(port):
            return "vLLM"
        with _connect(port) as connection:
            connection.request("GET", "/")
            return (connection.getresponse().getheader("Server") or "").split("/")[0][:40]
    except (OSError, http.client.HTTPException):
        return ""


def _models_are_from_vllm(port: int) -> bool:
    with _connect(port) as connection:
        connection.request("GET", "/v1/models")
        return b'"vllm"' in connection.getresponse().read(20_000)


def does_answer(port: int) -> bool:
    """Return whether a web server answers on the port, with whatever status."""
    try:
        with _connect(port) as connection:
            connection.request("GET", "/")
            return connection.getresponse().status > 0
    except (OSError, http.client.HTTPException):
        return False


def _connect(port: int) -> closing[http.client.HTTPConnection]:
    return closing(http.client.HTTPConnection(HOST, port, timeout=PATIENCE))
