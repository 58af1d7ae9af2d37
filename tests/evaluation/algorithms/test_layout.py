"""Pages of a claim graph and the places of its nodes."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.algorithms.claim_graph import ClaimGraph
from evaluation.algorithms.layout import Point, pages, positions


def _graph(n: int, *pairs: tuple[int, int]) -> ClaimGraph:
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return ClaimGraph(n, ends[:, 0], ends[:, 1], np.full(len(pairs), 0.8, dtype=np.float32), 0.5)


def test_components_stay_together_and_fill_pages() -> None:
    graph = _graph(7, (0, 1), (1, 2), (3, 4))

    assert pages(graph, max_nodes=5) == [(0, 1, 2, 3, 4), (5, 6)]
    assert pages(graph, max_nodes=4) == [(0, 1, 2), (3, 4, 5, 6)]


def test_a_component_larger_than_a_page_is_cut_along_its_neighbours() -> None:
    chain = _graph(10, *[(i, i + 1) for i in range(9)])

    cut = pages(chain, max_nodes=4)

    assert sorted(row for page in cut for row in page) == list(range(10))
    assert max(len(page) for page in cut) == 4
    assert cut[0] == (1, 0, 2, 3)


def test_there_is_no_page_when_there_is_no_claim() -> None:
    assert pages(_graph(0)) == []
    assert positions(_graph(0), []) == {}


def test_one_claim_lies_in_the_middle() -> None:
    assert positions(_graph(2), [1]) == {1: Point(0.0, 0.0)}


def test_a_layout_is_repeatable_and_inside_the_page() -> None:
    graph = _graph(30, *[(i, (i * 7 + 1) % 30) for i in range(30) if i < (i * 7 + 1) % 30])

    first = positions(graph, range(30), seed=3)

    assert first == positions(graph, list(reversed(range(30))), seed=3) != positions(graph, range(30), seed=4)
    assert all(-1 <= value <= 1 for point in first.values() for value in (point.x, point.y))


def test_similar_claims_lie_closer_than_others() -> None:
    graph = _graph(
        8, (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (4, 5), (4, 6), (4, 7), (5, 6), (5, 7), (6, 7), (3, 4)
    )

    placed = positions(graph, range(8))

    def distance(i: int, j: int) -> float:
        return float(np.hypot(placed[i].x - placed[j].x, placed[i].y - placed[j].y))

    assert distance(0, 1) < distance(0, 6)


def test_too_many_claims_for_one_page_are_refused() -> None:
    with pytest.raises(ValueError, match="301 claims"):
        positions(_graph(301), range(301))
    with pytest.raises(ValueError, match="at least one claim"):
        pages(_graph(2), max_nodes=0)
