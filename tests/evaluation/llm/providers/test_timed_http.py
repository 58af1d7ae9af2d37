"""No call lasts longer than it may, and connections are used again."""

from __future__ import annotations

import gzip
import time
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.providers import timed_http
from tests.evaluation.llm.providers.raw_server import JSON_HEAD, RawServer, full_server, ok

QUICK = OwnParameters(timeout=0.3, connect_timeout=0.3, read_timeout=0.3)
DRIPPED_HEAD = [b"HTTP/1.1 200 OK\r\nx-slow: "] + [b"a"] * 300
DRIPPED_BODY = [JSON_HEAD % 300] + [b" "] * 300


def _post(server: RawServer, own: OwnParameters = QUICK) -> httpx2.Response:
    with timed_http.client(server.url, own) as client:
        return client.post(f"{server.url}/v1/x", json={"a": 1})


@pytest.mark.parametrize("pieces", [DRIPPED_HEAD, DRIPPED_BODY], ids=["headers", "body"])
def test_it_ends_at_the_total_when_a_server_drips(pieces: list[bytes]) -> None:
    with RawServer([pieces], pause=0.05) as server:
        started = time.perf_counter()
        with pytest.raises(httpx2.ReadTimeout):
            _post(server)

        assert 0.25 < time.perf_counter() - started < 1.5
        assert server.closed.acquire(timeout=5), "the connection stayed open"


def test_silence_between_two_pieces_ends_a_call_before_the_total() -> None:
    own = OwnParameters(timeout=30, connect_timeout=1, read_timeout=0.2)

    with RawServer([[JSON_HEAD % 2, b"{", b"}"]], pause=3) as server, pytest.raises(httpx2.ReadTimeout):
        _post(server, own)


def test_server_that_takes_no_connection_is_a_time_out_of_connecting() -> None:
    own = OwnParameters(timeout=30, connect_timeout=0.2, read_timeout=30)

    with full_server() as url, timed_http.client(url, own) as client, pytest.raises(httpx2.ConnectTimeout):
        client.post(f"{url}/v1/x", json={})


def test_connection_is_kept_for_the_next_call() -> None:
    with RawServer([[ok(b"{}")]] * 3) as server, timed_http.client(server.url, QUICK) as client:
        for _ in range(3):
            client.post(f"{server.url}/v1/x", json={})

        assert (server.n_accepted, len(server.requests)) == (1, 3)


def test_call_after_an_idle_while_has_its_whole_time() -> None:
    replies = [[ok(b"{}")], [b"", ok(b"{}")]]

    with RawServer(replies, pause=0.2) as server, timed_http.client(server.url, QUICK) as client:
        client.post(f"{server.url}/v1/x", json={})
        reply = client.post(f"{server.url}/v1/x", json={})

    assert reply.json() == {}


def test_many_calls_go_out_at_once() -> None:
    n_calls = 64
    own = OwnParameters(timeout=20, connect_timeout=5, read_timeout=20)

    with (
        RawServer([[b"", ok(b"{}")]] * n_calls, pause=0.3) as server,
        timed_http.client(server.url, own) as client,
        ThreadPoolExecutor(n_calls) as pool,
    ):
        started = time.perf_counter()
        replies = list(pool.map(lambda _: client.post(f"{server.url}/v1/x", json={}), range(n_calls)))

    assert {reply.status_code for reply in replies} == {200}
    assert time.perf_counter() - started < 5


def test_packed_reply_is_unpacked() -> None:
    packed = gzip.compress(b'{"a": 1}')
    head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(packed)

    with RawServer([[head + packed]]) as server:
        assert _post(server).json() == {"a": 1}


def test_redirect_is_not_followed() -> None:
    with RawServer([[ok(b"{}")]]) as other:
        moved = f"HTTP/1.1 307 Moved\r\nlocation: {other.url}/v1/x\r\ncontent-length: 0\r\n\r\n".encode()
        with RawServer([[moved]]) as server:
            reply = _post(server)

    assert (reply.status_code, other.requests) == (307, [])


def test_reply_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_http, "MOST_BYTES", 1_000)

    with RawServer([[ok(b" " * 5_000)]]) as server, pytest.raises(httpx2.ReadError, match="longer than 1000 bytes"):
        _post(server)


def test_proxy_of_the_environment_is_used_with_its_name_and_password(monkeypatch: pytest.MonkeyPatch) -> None:
    with RawServer([[ok(b"{}")]]) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.replace("http://", "http://ann:p%40ss@"))
        monkeypatch.delenv("no_proxy", raising=False)
        with timed_http.client("http://judge.test/v1", QUICK) as client:
            client.post("http://judge.test/v1/x", json={})

    assert proxy.requests[0].startswith(b"POST http://judge.test/v1/x HTTP/1.1")
    assert b"Proxy-Authorization: Basic YW5uOnBAc3M=" in proxy.requests[0]


def test_host_that_needs_no_proxy_is_reached_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")

    with RawServer([[ok(b"{}")]]) as server:
        assert _post(server).status_code == 200
