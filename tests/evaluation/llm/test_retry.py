"""How patiently a failed call is sent again."""

from __future__ import annotations

import random

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.retry import RetryPolicy

CUT = LLMError("cut", reason="server", retryable=True)


def _busy(retry_after: float | None = None) -> LLMError:
    return LLMError("busy", reason="rate_limit", retryable=True, retry_after=retry_after)


def _policy(attempts: int = 5) -> RetryPolicy:
    return RetryPolicy(rng=random.Random(7), attempts=attempts)


def test_it_doubles_waits_with_jitter_in_the_upper_half() -> None:
    policy = _policy(attempts=10)

    waits = [policy.wait([CUT] * n) or 0.0 for n in range(1, 9)]

    assert [2 ** (n - 1) / 2 <= wait <= min(2 ** (n - 1), 60) for n, wait in enumerate(waits[:6], start=1)] == [
        True
    ] * 6
    assert all(30 <= wait <= 60 for wait in waits[6:])
    assert len({wait / 2**power for power, wait in enumerate(waits)}) == 8


def test_wait_is_never_below_what_the_server_asks_for() -> None:
    assert _policy().wait([_busy(retry_after=17)]) == 17


@pytest.mark.parametrize(
    "error",
    [LLMError("wrong key", reason="auth"), _busy(retry_after=3_601)],
    ids=["final", "asks for more than an hour"],
)
def test_asking_ends_at_once_when_waiting_makes_no_sense(error: LLMError) -> None:
    assert _policy().wait([error]) is None


def test_attempts_count_the_first_one() -> None:
    assert _policy(attempts=3).wait([CUT, CUT]) is not None
    assert _policy(attempts=3).wait([CUT, CUT, CUT]) is None


def test_a_server_that_limits_the_rate_is_asked_more_often_and_the_two_are_counted_apart() -> None:
    policy = _policy(attempts=2)

    assert policy.wait([_busy()] * 29) is not None
    assert policy.wait([_busy()] * 30) is None
    assert policy.wait([*[_busy()] * 20, CUT]) is not None
    assert policy.wait([CUT, *[_busy()] * 20, CUT]) is None
