"""The graph of similar claims, against a plain search over all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.algorithms.claim_graph import (
    ClaimGraph,
    GraphSettings,
    beta_at,
    build,
    components,
    neighbour_lists,
    to_networkx,
)
from evaluation.algorithms.similarity import combine, features, jaccard

VOCABULARY = ("figures", "dates", "names")
NO_TAGS: frozenset[str] = frozenset()


def _claims(n: int, seed: int) -> tuple[np.ndarray, list[frozenset[str]]]:
    rng = np.random.default_rng(seed)
    marks = rng.random((n, len(VOCABULARY))) < 0.4
    tags = [frozenset(t for t, m in zip(VOCABULARY, row, strict=True) if m) for row in marks]
    return rng.standard_normal((n, 6), dtype=np.float32), tags


def _plain_search(
    embeddings: np.ndarray, tags: list[frozenset[str]], settings: GraphSettings
) -> dict[tuple[int, int], float]:
    unit = embeddings / np.linalg.norm(embeddings, axis=1, keepdims=True)
    edges = {}
    for i in range(len(tags)):
        near = []
        for j in range(len(tags)):
            index = jaccard(tags[i], tags[j], frozenset(VOCABULARY))
            weight = round(combine(float(unit[i] @ unit[j]), index, settings.alpha), 6)
            if i != j and weight > settings.beta:
                near.append((-weight, j))
        for negative, j in sorted(near)[: settings.k]:
            edges[min(i, j), max(i, j)] = -negative
    return edges


def _edges(graph: ClaimGraph) -> dict[tuple[int, int], float]:
    pairs = zip(graph.source.tolist(), graph.target.tolist(), strict=True)
    return dict(zip(pairs, graph.weight.tolist(), strict=True))


@pytest.mark.parametrize("beta", [0.0, 0.4, 0.7])
@pytest.mark.parametrize("k", [1, 4, 80])
def test_it_finds_the_strongest_neighbours(beta: float, k: int) -> None:
    embeddings, tags = _claims(60, seed=3)
    settings = GraphSettings(alpha=0.4, beta=beta, k=k)

    found = _edges(build(embeddings, tags, VOCABULARY, settings))

    expected = _plain_search(embeddings, tags, settings)
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("n", [12, 400])
def test_ties_go_to_the_smaller_id_in_sparse_and_dense_rows(n: int) -> None:
    same = np.ones((n, 4), dtype=np.float32)

    graph = build(same, [NO_TAGS] * n, VOCABULARY, GraphSettings(k=2))

    assert neighbour_lists(graph)[-1] == [(0, 1.0), (1, 1.0)]
    assert len(graph.source) == 2 * n - 3


def test_ties_go_to_the_smaller_id_when_few_of_many_claims_are_alike() -> None:
    groups = np.eye(25, dtype=np.float32)[np.arange(200) % 25]

    graph = build(groups, [NO_TAGS] * 200, VOCABULARY, GraphSettings(k=2))

    assert neighbour_lists(graph)[199] == [(24, 1.0), (49, 1.0)]


def test_a_weight_has_to_exceed_beta() -> None:
    embeddings = np.eye(2, dtype=np.float32)
    tags = [frozenset({"dates"})] * 2

    assert _edges(build(embeddings, tags, VOCABULARY, GraphSettings(alpha=0.5, beta=0.5))) == {}
    assert _edges(build(embeddings, tags, VOCABULARY, GraphSettings(alpha=0.5, beta=0.49))) == {(0, 1): 0.5}


@pytest.mark.parametrize("n", [0, 1])
def test_there_is_no_edge_when_there_is_no_pair(n: int) -> None:
    graph = build(np.ones((n, 3), dtype=np.float32), [NO_TAGS] * n, [], GraphSettings(quantile=0.9))

    assert (_edges(graph), graph.degrees().tolist(), graph.beta) == ({}, [0] * n, 1.0)
    assert components(graph) == [(row,) for row in range(n)]


def test_a_quantile_sets_beta_from_a_seeded_sample() -> None:
    embeddings, tags = _claims(80, seed=5)
    laid_out = features(embeddings, tags, VOCABULARY, 0.5)

    graph = build(embeddings, tags, VOCABULARY, GraphSettings(quantile=0.9, seed=4))

    assert graph.beta == beta_at(laid_out, 0.9, seed=4) != beta_at(laid_out, 0.9, seed=5)
    everything = _plain_search(embeddings, tags, GraphSettings(beta=-1, k=80)).values()
    assert np.mean(np.array(list(everything)) > graph.beta) == pytest.approx(0.1, abs=0.01)


def test_it_is_the_same_graph_in_networkx() -> None:
    embeddings, tags = _claims(40, seed=8)

    graph = build(embeddings, tags, VOCABULARY, GraphSettings(beta=0.6))
    handed_over = to_networkx(graph)

    assert dict(handed_over.degree) == dict(enumerate(graph.degrees().tolist()))
    assert all(handed_over[low][high]["weight"] == weight for (low, high), weight in _edges(graph).items())
    assert sum(len(neighbours) for neighbours in neighbour_lists(graph)) == 2 * handed_over.number_of_edges()


def test_components_come_largest_first() -> None:
    graph = ClaimGraph(6, np.array([1, 4, 2]), np.array([5, 5, 3]), np.ones(3, dtype=np.float32), 0.5)

    assert components(graph) == [(1, 4, 5), (2, 3), (0,)]


def test_bad_settings_are_refused() -> None:
    embeddings, tags = _claims(3, seed=0)

    with pytest.raises(ValueError, match="at least one neighbour"):
        build(embeddings, tags, VOCABULARY, GraphSettings(k=0))
    with pytest.raises(ValueError, match="quantile"):
        build(embeddings, tags, VOCABULARY, GraphSettings(quantile=1.5))
