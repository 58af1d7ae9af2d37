"""Waits and limits that servers name."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from evaluation.llm.providers.rate_hints import rate_hint, retry_after, wait
from evaluation.schemas import RateHint

NOW = datetime(2024, 10, 27, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("9", 9),
        ("0.5", 0.5),
        ("1s", 1),
        ("20ms", 0.02),
        ("6m0s", 360),
        ("2m59.56s", 179.56),
        ("1h2m3s", 3_723),
        ("Sun, 27 Oct 2024 12:00:30 GMT", 30),
        ("Sun, 27 Oct 2024 11:00:00 GMT", 0),
        ("2024-10-27T12:01:00Z", 60),
        ("2024-10-27T14:00:10+02:00", 10),
        ("", None),
        ("soon", None),
        ("1 s", None),
        ("-3", None),
        ("nan", None),
        ("inf", None),
        ("1730030400", None),
    ],
)
def test_it_reads_seconds_durations_and_moments_and_nothing_else(value: str, seconds: float | None) -> None:
    assert wait(value, NOW) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("headers", "said", "seconds"),
    [
        ({"retry-after": "9"}, "", 9),
        ({"retry-after-ms": "250", "retry-after": "9"}, "", 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, "", 9),
        ({}, "Limit reached. Please try again in 6m0s.", 360),
        ({}, "Please retry in 34.07s.", 34.07),
        ({"retry-after": "2"}, "Please try again in 6m0s.", 2),
        ({}, "Please try again later.", None),
        ({}, "", None),
    ],
)
def test_wait_is_read_from_headers_first_and_from_the_text_last(
    headers: dict[str, str], said: str, seconds: float | None
) -> None:
    assert retry_after(headers, NOW, said) == pytest.approx(seconds)


def test_limits_of_openai_are_read() -> None:
    headers = {
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-reset-tokens": "6m0s",
    }

    assert rate_hint(headers, NOW) == RateHint(59, 0, 1.0, 360.0)


def test_limits_of_anthropic_are_read_with_their_moments_as_waits() -> None:
    headers = {
        "anthropic-ratelimit-requests-remaining": "3",
        "anthropic-ratelimit-requests-reset": "2024-10-27T12:00:05Z",
        "anthropic-ratelimit-input-tokens-remaining": "7000",
        "anthropic-ratelimit-input-tokens-reset": "2024-10-27T11:59:00Z",
    }

    assert rate_hint(headers, NOW) == RateHint(3, 7_000, 5.0, 0.0)


@pytest.mark.parametrize("headers", [{}, {"x-ratelimit-remaining-requests": "many"}, {"content-type": "text/html"}])
def test_no_readable_header_is_no_hint(headers: dict[str, str]) -> None:
    assert rate_hint(headers, NOW) is None
