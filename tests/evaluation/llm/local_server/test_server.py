"""The local server as any client sees it."""

from __future__ import annotations

import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.faults import Faults
from evaluation.llm.local_server.journal import entries
from evaluation.llm.local_server.latency import Latency
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer

CHAT = "/chat/completions"


def test_it_uses_up_its_script_in_order_and_keeps_every_request() -> None:
    with LocalServer([Step(text="one")]) as server:
        server.script(Step(text="two"))
        replies = [httpx.post(server.openai_url + CHAT, json={"n": n}).json() for n in (1, 2)]

    assert [reply["choices"][0]["message"]["content"] for reply in replies] == ["one", "two"]
    assert [received.body for received in server.received] == [{"n": 1}, {"n": 2}]


@pytest.mark.parametrize(("path", "content", "status"), [("/v1/other", b"{}", 404), ("/v1/messages", b"not json", 400)])
def test_what_it_does_not_speak_is_refused_with_a_sentence(path: str, content: bytes, status: int) -> None:
    with LocalServer() as server:
        reply = httpx.post(server.url + path, content=content)

    assert reply.status_code == status
    assert "/v1/chat/completions and /v1/messages" in reply.json()["error"]["message"]


def test_it_listens_on_loopback_only() -> None:
    with LocalServer() as server:
        address = server.server_address[0]

    assert address == "127.0.0.1"


def test_what_is_beside_judging_can_be_scripted_by_path() -> None:
    with LocalServer() as server:
        server.script(Step(status=500, message="Broken."), Step(raw=b'{"odd": 1}'), path="/v1/batches")
        replies = [httpx.get(f"{server.openai_url}/batches/x") for _ in range(3)]
        judged = httpx.post(server.openai_url + CHAT, json={})

    assert [reply.status_code for reply in replies] == [500, 200, 404]
    assert replies[1].json() == {"odd": 1}
    assert judged.status_code == 200


def test_its_log_is_the_same_over_http_and_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    with LocalServer([Step(status=429)], log=file, is_keeping=False) as server:
        for path in ("/v1/messages", "/v1/responses"):
            httpx.post(server.url + path, json={"model": "m"})
        text = httpx.get(f"{server.url}/log").text

    assert text == file.read_text()
    assert [(each.path, each.done) for each in entries(text)] == [
        ("/v1/messages", "rate_limited"),
        ("/v1/responses", "answered"),
    ]
    assert server.received == []


def test_a_dripping_body_comes_in_pieces_and_whole() -> None:
    with LocalServer([Step(text="x" * 400, drip=0.2)]) as server:
        began = time.monotonic()
        with httpx.stream("POST", server.openai_url + CHAT, json={}) as reply:
            pieces = list(reply.iter_raw())

    assert len(pieces) > 5
    assert json.loads(b"".join(pieces))["choices"][0]["message"]["content"] == "x" * 400
    assert time.monotonic() - began > 0.15


def test_latency_is_the_same_for_all_who_ask_at_once() -> None:
    behaviour = Behaviour(faults=Faults(latency=Latency(0.2)))
    with LocalServer(behaviour=behaviour) as server, httpx.Client(limits=httpx.Limits(max_connections=32)) as client:

        def seconds(_: int) -> float:
            began = time.monotonic()
            client.post(server.openai_url + CHAT, json={})
            return time.monotonic() - began

        with ThreadPoolExecutor(32) as pool:
            spent = list(pool.map(seconds, range(64)))

    assert min(spent) >= 0.2
    assert sum(spent) / len(spent) < 0.5


def test_a_client_that_hangs_up_is_no_news(capfd: pytest.CaptureFixture[str]) -> None:
    with LocalServer([Step(text="x" * 10_000_000)] * 2) as server:
        for _ in range(2):
            with socket.create_connection(server.server_address[:2]) as client:
                client.sendall(b"POST /v1/messages HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
                client.recv(10)
        threading.Event().wait(0.05)

    assert capfd.readouterr().err == ""
