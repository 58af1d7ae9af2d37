"""What a scripted step does on the wire."""

from __future__ import annotations

import time

import httpx
import pytest

from evaluation.llm.local_server.script import Cut, Step
from evaluation.llm.local_server.server import LocalServer


def ask(server: LocalServer, **options: float) -> httpx.Response:
    return httpx.post(f"{server.openai_url}/chat/completions", json={}, headers={"X-Of-Test": "1"}, **options)


def test_raw_bytes_are_the_whole_body(server: LocalServer) -> None:
    server.script(Step(raw=b"\xff not json", headers={"content-type": "text/html"}))

    reply = ask(server)

    assert (reply.status_code, reply.content, reply.headers["content-type"]) == (200, b"\xff not json", "text/html")


def test_a_failure_has_its_status_message_and_headers(server: LocalServer) -> None:
    server.script(Step(status=429, message="Slow down.", headers={"retry-after": "9"}))

    reply = ask(server)

    assert (reply.status_code, reply.headers["retry-after"]) == (429, "9")
    assert reply.json()["error"]["message"] == "Slow down."


@pytest.mark.parametrize("cut", [Cut.BEFORE_REPLY, Cut.WITHIN_REPLY])
def test_a_cut_breaks_the_connection(server: LocalServer, cut: Cut) -> None:
    server.script(Step(text="blue", cut=cut))

    with pytest.raises(httpx.RemoteProtocolError):
        ask(server)


def test_a_delay_outlasts_an_impatient_client_and_ends_with_the_server() -> None:
    started = time.monotonic()
    with LocalServer([Step(delay=60)]) as server, pytest.raises(httpx.ReadTimeout):
        ask(server, timeout=0.1)

    assert time.monotonic() - started < 30


def test_what_came_in_is_kept_with_header_names_in_lower_case(server: LocalServer) -> None:
    ask(server)

    (received,) = server.received
    assert (received.path, received.body) == ("/v1/chat/completions", {})
    assert received.headers["x-of-test"] == "1"
