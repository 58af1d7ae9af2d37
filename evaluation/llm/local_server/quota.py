"""Fixed limits per minute that a server enforces and announces, in the headers of either protocol."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from evaluation.errors import InvalidInputError


@dataclass
class _Bucket:
    """What is left of a limit; it fills evenly up to the limit."""

    limit: int
    seconds: float
    left: float = field(init=False)
    at: float = 0.0

    def __post_init__(self) -> None:
        self.left = float(self.limit)

    def fill(self, now: float) -> None:
        self.left = min(self.limit, self.left + (now - self.at) * self.limit / self.seconds)
        self.at = now

    def wait_for(self, amount: float) -> float:
        """Seconds until so much is there; what is more than the limit is never there and waits for a full one."""
        return max(0.0, min(amount, self.limit) - self.left) * self.seconds / self.limit

    def take(self, amount: float) -> None:
        self.left = max(0.0, self.left - amount)


@dataclass(frozen=True)
class Left:
    """A limit, what is left of it, and in how many seconds it is full again."""

    limit: int
    left: int
    reset: float


@dataclass(frozen=True)
class Standing:
    """Whether a request is let through (`wait` is 0) or after how many seconds it would be, and what is left."""

    wait: float
    requests: Left | None
    tokens: Left | None

    def openai_headers(self) -> dict[str, str]:
        """Return x-ratelimit-* headers; times are spans such as ``1m6.5s``."""
        headers: dict[str, str] = {}
        for name, each in (("requests", self.requests), ("tokens", self.tokens)):
            if each is not None:
                headers[f"x-ratelimit-limit-{name}"] = str(each.limit)
                headers[f"x-ratelimit-remaining-{name}"] = str(each.left)
                headers[f"x-ratelimit-reset-{name}"] = _span(each.reset)
        if self.wait:
            headers |= {
                "retry-after": str(math.ceil(self.wait)),
                "retry-after-ms": str(math.ceil(self.wait * 1000)),
            }
        return headers

    def anthropic_headers(self, now: datetime) -> dict[str, str]:
        """Return anthropic-ratelimit-* headers; times are moments (RFC 3339)."""
        headers: dict[str, str] = {}
        for name, each in (("requests", self.requests), ("tokens", self.tokens), ("input-tokens", self.tokens)):
            if each is not None:
                moment = (now + timedelta(seconds=each.reset)).astimezone(UTC)
                headers[f"anthropic-ratelimit-{name}-limit"] = str(each.limit)
                headers[f"anthropic-ratelimit-{name}-remaining"] = str(each.left)
                headers[f"anthropic-ratelimit-{name}-reset"] = f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"
        if self.wait:
            headers["retry-after"] = str(math.ceil(self.wait))
        return headers


class Quota:
    """Limits of each model, each a bucket that is full at first and fills evenly.

    Parameters
    ----------
    requests, tokens : int, optional
        What is let through per `seconds`; None sets no limit. Input tokens count.
    seconds : float
        The minute; less makes tests short.
    clock : callable
        Seconds from any start.
    """

    def __init__(
        self,
        requests: int | None = None,
        tokens: int | None = None,
        *,
        seconds: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        for name, value in (("requests", requests), ("tokens", tokens)):
            if value is not None and value < 1:
                raise InvalidInputError(f"The limit of {name} per minute is {value}, but must be at least 1.")
        self._limits = {"requests": requests, "tokens": tokens}
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._models: dict[str, dict[str, _Bucket]] = {}

    def take(self, model: str, tokens: int) -> Standing:
        """Let a request through and count it, or say how long it must wait; one that waits is not counted."""
        with self._lock:
            now = self._clock()
            buckets = self._models.setdefault(model, self._full(now))
            wanted = {"requests": 1.0, "tokens": float(tokens)}
            for bucket in buckets.values():
                bucket.fill(now)
            wait = max((bucket.wait_for(wanted[name]) for name, bucket in buckets.items()), default=0.0)
            if not wait:
                for name, bucket in buckets.items():
                    bucket.take(wanted[name])
            left = {name: _left(bucket) for name, bucket in buckets.items()}
            return Standing(wait, left.get("requests"), left.get("tokens"))

    def _full(self, now: float) -> dict[str, _Bucket]:
        limits = {name: limit for name, limit in self._limits.items() if limit is not None}
        return {name: _Bucket(limit, self._seconds, at=now) for name, limit in limits.items()}


def _left(bucket: _Bucket) -> Left:
    return Left(bucket.limit, int(bucket.left), bucket.wait_for(bucket.limit))


def _span(seconds: float) -> str:
    if seconds < 1:
        return f"{math.ceil(seconds * 1000)}ms"
    minutes, rest = divmod(round(seconds, 3), 60)
    return f"{minutes:.0f}m{rest:g}s" if minutes else f"{rest:g}s"
