"""What goes wrong at a server, by shares: drawn for each request from its content, so that it is repeatable."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace

from evaluation.errors import InvalidInputError
from evaluation.llm.local_server.latency import Latency
from evaluation.llm.local_server.script import Cut, Step, Tokens
from evaluation.llm.protocol import JsonObject

ENDINGS = (
    *("rate_limited", "rate_limited_silently", "server_errors", "cut"),
    *("malformed", "truncated", "wrong_shape", "refused", "expired"),
)
SIDES = ("slow", "dripped", "lying_usage")

_PAGE = b"<html><head><title>502 Bad Gateway</title></head><body>upstream</body></html>"
_HALF = b'{"id": "local", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "mess'
_TEXTS = (
    "I have read the claims with care, and on the whole they seem fine to me.",
    '{"verdicts": [{"claim": "1", "rationale": "The passage says so", "verdict": ',
    "```json\n{'verdicts': None}\n```",
)
_SHAPES: tuple[JsonObject, ...] = (
    {"answer": "accept"},
    {"verdicts": "accept", "claims": 3},
    {"verdicts": [{"verdict": "accept"}], "claims": [{"verdict": "accept"}]},
)
_LIES = (Tokens(0, 0), Tokens(-7, -7, -7), Tokens(10**12, 10**12, 10**13), Tokens("many", None, "?", None))
_STATUSES = (500, 502, 503, 504, 529)


@dataclass(frozen=True)
class Faults:
    """Shares of requests, from 0 to 1, that end in each way; what is left over is answered by the rule.

    At most one of the endings befalls a request: `rate_limited` (429 with Retry-After `retry_after`),
    `rate_limited_silently` (429 without), `server_errors`, `cut` (half before the reply, half within it), `malformed`
    (half no reply of the protocol, half a reply whose text holds no answer), `truncated`, `wrong_shape`, `refused`,
    and `expired` (in batches only). Besides, and drawn apart: `slow` adds `slow_seconds` before the first byte,
    `dripped` lets the body take `drip_seconds`, `lying_usage` states figures that cannot be. `tokens` sets the usage
    of every other reply. Raises InvalidInputError for shares outside 0 to 1 or endings of more than 1 together.
    """

    seed: int = 0
    latency: Latency = field(default_factory=Latency)
    rate_limited: float = 0.0
    retry_after: float = 1.0
    rate_limited_silently: float = 0.0
    server_errors: float = 0.0
    cut: float = 0.0
    malformed: float = 0.0
    truncated: float = 0.0
    wrong_shape: float = 0.0
    refused: float = 0.0
    expired: float = 0.0
    slow: float = 0.0
    slow_seconds: float = 5.0
    dripped: float = 0.0
    drip_seconds: float = 2.0
    lying_usage: float = 0.0
    tokens: Tokens | None = None

    def __post_init__(self) -> None:
        for each in fields(self):
            value, ceiling = getattr(self, each.name), 1.0 if each.name in (*ENDINGS, *SIDES) else math.inf
            if isinstance(value, float | int) and each.name != "seed" and not 0 <= value <= ceiling:
                said = "a share from 0 to 1" if ceiling == 1 else "a number from 0 on"
                raise InvalidInputError(f"{each.name.replace('_', '-')} is {value:g}, but must be {said}.")
        if (total := math.fsum(getattr(self, name) for name in ENDINGS)) > 1 + 1e-9:
            raise InvalidInputError(f"The shares of what goes wrong add up to {total:.3g}, but at most to 1.")

    def step(self, digest: str, nth: int) -> Step:
        """Return what happens to a request.

        Parameters
        ----------
        digest : str
            A digest of what was asked.
        nth : int
            How often the same was asked before.

        Returns
        -------
        Step
            The same for the same seed, digest and number, whatever else was asked in between.
        """
        rng = random.Random(f"{self.seed}/{digest}/{nth}")
        step = self._ended(rng)
        is_slow, is_dripped, is_lying = (rng.random() < getattr(self, name) for name in SIDES)
        delay = self.latency.draw(rng) + (self.slow_seconds if is_slow else 0.0)
        return replace(
            step,
            delay=delay,
            drip=self.drip_seconds if is_dripped else 0.0,
            tokens=rng.choice(_LIES) if is_lying else self.tokens,
        )

    def _ended(self, rng: random.Random) -> Step:
        drawn, passed = rng.random(), 0.0
        for name in ENDINGS:
            passed += getattr(self, name)
            if drawn < passed:
                return _MAKERS[name](self, rng)
        return Step(did="answered")


def _limited(faults: Faults, _: random.Random) -> Step:
    message = "Rate limit reached: slow down."
    return Step(status=429, message=message, headers={"retry-after": f"{faults.retry_after:g}"}, did="rate_limited")


def _limited_silently(_: Faults, __: random.Random) -> Step:
    return Step(status=429, message="Too many requests.", did="rate_limited")


def _broken(_: Faults, rng: random.Random) -> Step:
    return Step(status=rng.choice(_STATUSES), message="The server had an error. Try again.", did="server_error")


def _cut(_: Faults, rng: random.Random) -> Step:
    return Step(cut=rng.choice([Cut.BEFORE_REPLY, Cut.WITHIN_REPLY]), did="cut")


def _malformed(_: Faults, rng: random.Random) -> Step:
    if rng.random() < 0.5:
        return Step(text=rng.choice(_TEXTS), did="malformed_text")
    raw = rng.choice([_PAGE, _HALF, b"[]"])
    kind = "text/html" if raw == _PAGE else "application/json"
    return Step(raw=raw, headers={"content-type": kind}, did="malformed_body")


def _truncated(_: Faults, __: random.Random) -> Step:
    return Step(finish="length", is_halved=True, did="truncated")


def _misshapen(_: Faults, rng: random.Random) -> Step:
    return Step(answer=rng.choice(_SHAPES), did="wrong_shape")


def _refused(_: Faults, __: random.Random) -> Step:
    return Step(text="I am not able to help with that.", finish="refused", did="refused")


def _expired(_: Faults, __: random.Random) -> Step:
    return Step(did="expired")


_MAKERS: dict[str, Callable[[Faults, random.Random], Step]] = {
    "rate_limited": _limited,
    "rate_limited_silently": _limited_silently,
    "server_errors": _broken,
    "cut": _cut,
    "malformed": _malformed,
    "truncated": _truncated,
    "wrong_shape": _misshapen,
    "refused": _refused,
    "expired": _expired,
}
