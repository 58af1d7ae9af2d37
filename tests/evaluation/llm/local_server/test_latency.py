"""Latencies: their middle, their spread, and that they can be repeated."""

from __future__ import annotations

import random
from statistics import median, stdev

import pytest

from evaluation.errors import InvalidInputError
from evaluation.llm.local_server.latency import Latency, Shape


def drawn(latency: Latency, n: int = 4_000) -> list[float]:
    rng = random.Random(5)
    return [latency.draw(rng) for _ in range(n)]


def test_a_fixed_latency_is_the_same_always() -> None:
    assert set(drawn(Latency(0.5, spread=0.2))) == {0.5}


def test_a_uniform_latency_stays_within_its_spread_and_above_nothing() -> None:
    values, cut_off = drawn(Latency(0.5, 0.2, Shape.UNIFORM)), drawn(Latency(0.1, 0.3, Shape.UNIFORM))

    assert 0.3 <= min(values) < 0.31
    assert 0.69 < max(values) <= 0.7
    assert min(cut_off) == 0.0


def test_a_log_normal_latency_has_its_median_and_a_long_tail() -> None:
    values = drawn(Latency(0.5, 0.5, Shape.LOGNORMAL))

    assert median(values) == pytest.approx(0.5, rel=0.05)
    assert max(values) > 1.5
    assert stdev(values) == pytest.approx(0.5 * (1.2840 - 1) ** 0.5 * 1.1331, rel=0.1)  # m e^(s2/2) sqrt(e^s2 - 1)


def test_without_a_median_nothing_takes_time() -> None:
    assert set(drawn(Latency(0.0, 1.0, Shape.LOGNORMAL), 3)) == {0.0}


@pytest.mark.parametrize("wrong", [{"seconds": -1.0}, {"spread": float("inf")}, {"seconds": float("nan")}])
def test_what_is_no_time_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidInputError, match="number of seconds from 0 on"):
        Latency(**wrong)
