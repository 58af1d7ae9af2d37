"""The two benchmarks, small: what they report and that their ratios hold."""

from __future__ import annotations

import pytest

from evaluation.errors import InvalidInputError
from evaluation.services.bench import bench_decide, bench_graph


def test_it_times_a_graph_and_beats_loops_over_pairs() -> None:
    figures = bench_graph(claims=1_500)

    assert list(figures) == [
        "seconds_product",
        "seconds_edges",
        "seconds_networkx",
        "ratio_to_matmul",
        "ratio_to_loops",
    ]
    assert min(figures.values()) > 0
    assert figures["ratio_to_loops"] > 10


def test_a_decision_costs_by_patterns_and_not_by_claims() -> None:
    few, many = bench_decide(claims=5_000, voters=2), bench_decide(claims=100_000, voters=2)

    assert few["patterns"] == many["patterns"] == 9
    assert many["seconds_median"] < 5 * few["seconds_median"]


@pytest.mark.parametrize("claims", [1, 20])
def test_decisions_are_timed_when_hardly_anything_is_disputed(claims: int) -> None:
    figures = bench_decide(claims=claims, voters=1)

    assert 1 <= figures["patterns"] <= 3
    assert figures["seconds_median"] > 0


def test_nothing_is_timed_when_there_is_nothing_to_time() -> None:
    with pytest.raises(InvalidInputError, match="at least 2 claims"):
        bench_graph(claims=1)
    with pytest.raises(InvalidInputError, match="at least 1 claim and 1 voter"):
        bench_decide(claims=10, voters=0)
