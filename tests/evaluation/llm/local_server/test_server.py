"""The local server as any client sees it."""

from __future__ import annotations

import httpx
import pytest

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer


def test_it_uses_up_its_script_in_order_and_keeps_every_request() -> None:
    with LocalServer([Step(text="one")]) as server:
        server.script(Step(text="two"))
        replies = [httpx.post(f"{server.openai_url}/chat/completions", json={"n": n}).json() for n in (1, 2)]

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
