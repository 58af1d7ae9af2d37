"""HTTP with a limit on the whole of a call: client libraries limit only each wait for the next bytes."""

from __future__ import annotations

import ssl
import threading
import time
import weakref
from functools import cache
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from evaluation.llm.own_parameters import OwnParameters

KEPT_ALIVE = 128
KEPT_ALIVE_SECONDS = 4.0  # below the 5 s after which common servers close what is idle
MOST_BYTES = 512 * 2**20
_NAMED_ALIKE = (
    *("ConnectTimeout", "ReadTimeout", "WriteTimeout", "PoolTimeout", "ConnectError", "ReadError", "WriteError"),
    *("ProxyError", "UnsupportedProtocol", "LocalProtocolError", "RemoteProtocolError"),
)
_ERRORS: tuple[tuple[type[Exception], type[httpx2.RequestError]], ...] = tuple(
    (getattr(httpcore2, name), getattr(httpx2, name)) for name in _NAMED_ALIKE
)
_core_errors = tuple(each for each, _ in _ERRORS)


def client(base_url: str, own: OwnParameters) -> httpx2.Client:
    """Return a client for one server whose every call ends after `own.timeout` seconds.

    Parameters
    ----------
    base_url : str
        Where the server is; it settles which proxy of the environment is used.
    own : OwnParameters
        Gives the three limits on time.

    Returns
    -------
    httpx2.Client
        Safe to be used by several threads at once. It follows no redirect: a text goes to the host that was named.
    """
    limits = httpx2.Timeout(own.read_timeout, connect=own.connect_timeout)
    return httpx2.Client(transport=_Transport(base_url, own.timeout), timeout=limits, follow_redirects=False)


class _Clock(threading.local):
    """When the call of this thread has to be over, in seconds of the monotonic clock."""

    ends_at = float("inf")

    def left(self, seconds: float | None) -> float:
        """Return the shorter of a limit and of what is left; raises ReadTimeout where nothing is."""
        left = self.ends_at - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the time for the whole call is over")
        return left if seconds is None else min(seconds, left)


class _Stream(httpcore2.NetworkStream):
    """A connection that waits no longer than the call of the thread that uses it may last."""

    def __init__(self, inner: httpcore2.NetworkStream, clock: _Clock) -> None:
        self._inner = inner
        self._clock = clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._clock.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._clock.left(timeout))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, self._clock.left(timeout)), self._clock)

    def close(self) -> None:
        self._inner.close()

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore2.SyncBackend):
    """Makes such connections."""

    def __init__(self, clock: _Clock) -> None:
        self._clock = clock

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore2.NetworkStream:
        left = self._clock.left(timeout)
        return _Stream(super().connect_tcp(host, port, left, local_address, socket_options), self._clock)


class _Transport(httpx2.BaseTransport):
    """Sends, and reads the whole reply before the time is up; a connection of an unfinished reply is closed."""

    def __init__(self, base_url: str, seconds: float) -> None:
        self._clock = _Clock()
        self._seconds = seconds
        self._pool = httpcore2.ConnectionPool(
            ssl_context=_ssl_context(),
            proxy=_proxy(base_url),
            max_connections=None,
            max_keepalive_connections=KEPT_ALIVE,
            keepalive_expiry=KEPT_ALIVE_SECONDS,
            network_backend=_Backend(self._clock),
        )
        weakref.finalize(self, self._pool.close)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self._clock.ends_at = time.monotonic() + self._seconds
        url = request.url
        target = httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        asked = httpcore2.Request(
            request.method, target, headers=request.headers.raw, content=request.read(), extensions=request.extensions
        )
        try:
            reply = self._pool.handle_request(asked)
            content = _whole(reply)
        except _core_errors as error:
            raise _translated(error, request) from error
        finally:
            self._clock.ends_at = float("inf")
        return httpx2.Response(reply.status, headers=reply.headers, content=content)

    def close(self) -> None:
        self._pool.close()


def _whole(reply: httpcore2.Response) -> bytes:
    pieces: list[bytes] = []
    n_bytes = 0
    try:
        for piece in reply.iter_stream():
            pieces.append(piece)
            n_bytes += len(piece)
            if n_bytes > MOST_BYTES:
                raise httpcore2.ReadError(f"the reply is longer than {MOST_BYTES} bytes")
    finally:
        reply.close()
    return b"".join(pieces)


def _translated(error: Exception, request: httpx2.Request) -> httpx2.RequestError:
    kind = next(ours for theirs, ours in _ERRORS if isinstance(error, theirs))
    return kind(str(error), request=request)


@cache
def _ssl_context() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


def _proxy(base_url: str) -> httpcore2.Proxy | None:
    """Return the proxy that the environment names for this server, None for a direct connection."""
    at = urlsplit(base_url)
    proxies = getproxies()
    named = proxies.get(at.scheme) or proxies.get("all")
    if not named or not at.hostname or proxy_bypass(at.hostname):
        return None
    parts = urlsplit(named if "://" in named else f"http://{named}")
    auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    place = f"{parts.scheme}://{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
    return httpcore2.Proxy(place, auth=auth)
