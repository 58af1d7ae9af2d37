"""A free port is found beside taken ones, and a taken one says what it answers like."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from evaluation.errors import MissingPieceError
from evaluation.management import ports


class Named(http.server.BaseHTTPRequestHandler):
    server_version = "Tern/2"
    sys_version = ""
    models = b'{"data": []}'

    def do_GET(self) -> None:
        body = self.models if self.path == "/v1/models" else b"hello"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the test's output quiet."""


class Vllm(Named):
    models = b'{"data": [{"owned_by": "vllm"}]}'


@contextmanager
def serving(handler: type[Named]) -> Iterator[int]:
    with http.server.ThreadingHTTPServer((ports.HOST, 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as server:
        server.bind((ports.HOST, 0))
        server.listen()
        yield server.getsockname()[1]


def test_it_listens_on_the_next_port_where_one_is_taken(taken: int) -> None:
    with ports.listening(taken) as listener:
        assert listener.port > taken
        assert taken in listener.taken
        assert listener.url == f"http://127.0.0.1:{listener.port}"


def test_it_is_reached_on_the_loopback_address_only(taken: int) -> None:
    with ports.listening(taken) as listener:
        assert listener.socket.getsockname()[0] == "127.0.0.1"


def test_no_free_port_is_said_with_the_range(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "TRIES", 1)

    with pytest.raises(MissingPieceError, match=f"{taken} to {taken} is free"), ports.listening(taken):
        pass


def test_a_server_is_named_by_its_header() -> None:
    with serving(Named) as port:
        likeness = ports.answers_like(port)

    assert likeness == "Tern"


def test_a_model_server_is_known_by_its_models() -> None:
    with serving(Vllm) as port:
        likeness = ports.answers_like(port)

    assert likeness == "vLLM"


def test_a_silent_port_is_like_nothing(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "PATIENCE", 0.05)

    likeness = ports.answers_like(taken)

    assert likeness == ""


def test_a_free_port_does_not_answer(taken: int) -> None:
    with ports.listening(taken) as listener:
        port = listener.port

    assert not ports.does_answer(port)


def test_a_server_answers_with_whatever_status() -> None:
    with serving(Named) as port:
        assert ports.does_answer(port)


@pytest.mark.parametrize("number", [-5, 0, 65536])
def test_a_number_that_no_port_has_is_said(number: int) -> None:
    with pytest.raises(MissingPieceError, match=f"no port {number}"), ports.listening(number):
        pass
