"""Waits that servers ask for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from evaluation.llm.providers.status import retry_after

NOW = datetime(2024, 10, 27, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("9", 9),
        ("0.5", 0.5),
        ("Sun, 27 Oct 2024 12:00:30 GMT", 30),
        ("Sun, 27 Oct 2024 11:00:00 GMT", 0),
        ("", None),
        ("soon", None),
        ("-3", None),
        ("nan", None),
        ("inf", None),
    ],
)
def test_it_reads_seconds_and_dates_and_nothing_else(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}, NOW) == seconds
