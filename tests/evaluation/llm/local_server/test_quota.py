"""Limits per minute: what is let through, and how what is left is announced."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from evaluation.errors import InvalidInputError
from evaluation.llm.local_server.quota import Left, Quota, Standing


class Clock:
    """Time that stands still until it is moved."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_as_many_are_let_through_as_the_limit_says_and_then_one_at_a_time() -> None:
    clock = Clock()
    quota = Quota(requests=3, clock=clock)

    waits = [quota.take("m", 1).wait for _ in range(5)]
    clock.now += 20
    later = [quota.take("m", 1).wait for _ in range(2)]

    assert waits == [0, 0, 0, 20, 20]
    assert later == [0, 20]


def test_tokens_are_limited_apart_and_one_request_above_the_limit_waits_for_a_full_bucket() -> None:
    clock = Clock()
    quota = Quota(requests=100, tokens=600, clock=clock)

    waits = [quota.take("m", 600).wait, quota.take("m", 60).wait, quota.take("m", 5_000).wait]
    clock.now += 60

    assert waits == [0, 6, 60]
    assert quota.take("m", 5_000).wait == 0


def test_each_model_has_its_own_limit() -> None:
    quota = Quota(requests=1, clock=Clock())

    assert [quota.take(model, 1).wait for model in ("a", "b", "a")] == [0, 0, 60]


def test_without_limits_nothing_waits_and_nothing_is_announced() -> None:
    standing = Quota().take("m", 10**9)

    assert standing == Standing(0, None, None)
    assert standing.openai_headers() == standing.anthropic_headers(datetime.now(UTC)) == {}


def test_openai_is_told_in_spans() -> None:
    standing = Standing(1.25, Left(60, 0, 75.5), Left(1_000, 990, 0.6))

    assert standing.openai_headers() == {
        "x-ratelimit-limit-requests": "60",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "1m15.5s",
        "x-ratelimit-limit-tokens": "1000",
        "x-ratelimit-remaining-tokens": "990",
        "x-ratelimit-reset-tokens": "600ms",
        "retry-after": "2",
        "retry-after-ms": "1250",
    }


def test_anthropic_is_told_in_moments() -> None:
    headers = Standing(0, Left(60, 12, 75.5), None).anthropic_headers(datetime(2026, 1, 1, tzinfo=UTC))

    assert headers == {
        "anthropic-ratelimit-requests-limit": "60",
        "anthropic-ratelimit-requests-remaining": "12",
        "anthropic-ratelimit-requests-reset": "2026-01-01T00:01:15.500000Z",
    }


def test_a_limit_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="requests per minute is 0"):
        Quota(requests=0)
