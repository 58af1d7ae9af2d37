"""The graph of similar claims: each claim's strongest neighbours, found by blocked matrix products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from evaluation.algorithms.similarity import Features, Floats, features, row_blocks, weight_block

Indices = NDArray[np.int64]
WEIGHT_DIGITS = 6  # float32 products differ beyond this; rounding keeps ties by id stable
QUANTILE_PAIRS = 200_000


@dataclass(frozen=True)
class GraphSettings:
    """How claims become neighbours: weight of tags, threshold (absolute, or a quantile of weights), neighbours each."""

    alpha: float = 0.5
    beta: float = 0.5
    k: int = 10
    quantile: float | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Edges:
    """Claim rows joined by a weight; in a block `source` is the claim that chose `target`."""

    source: Indices
    target: Indices
    weight: Floats


@dataclass(frozen=True, eq=False)
class ClaimGraph:
    """An undirected graph over n claims by row number; `source < target`, each pair once, in that order."""

    n_claims: int
    source: Indices
    target: Indices
    weight: Floats
    beta: float

    def degrees(self) -> Indices:
        """Number of neighbours of each claim, shape (n,)."""
        return np.bincount(np.concatenate([self.source, self.target]), minlength=self.n_claims)


def build(
    embeddings: Floats,
    tags: Sequence[frozenset[str]],
    vocabulary: Sequence[str],
    settings: GraphSettings,
) -> ClaimGraph:
    """Join each claim to its k strongest neighbours with ``w > beta``.

    Parameters
    ----------
    embeddings
        (n, d) float32, in the order of claim ids, because ties go to the smaller row.
    tags
        Tags of each claim; those outside `vocabulary` are left out.
    vocabulary
        The project's tags.
    settings
        alpha, beta, k, and optionally the quantile of pair weights that replaces beta, with the seed of its sample.

    Returns
    -------
    ClaimGraph
        Edge (i, j) exists if either claim chose the other, so a degree can exceed k. `beta` is the one used.

    Raises
    ------
    ValueError
        If lengths differ, alpha or the quantile is outside [0, 1], k is below 1, or an embedding is not finite.

    Notes
    -----
    ``w = alpha J + (1 - alpha) max(0, cosine)``, and ``max(0, cosine)`` where either claim has no vocabulary tag.
    No claim or one claim makes a graph without edges. Cost: O(n^2 d) time in blocks, O(n (d + k)) memory.

    Examples
    --------
    >>> same = np.ones((3, 2), dtype=np.float32)
    >>> graph = build(same, [frozenset()] * 3, [], GraphSettings(k=1))
    >>> list(zip(graph.source.tolist(), graph.target.tolist()))
    [(0, 1), (0, 2)]
    """
    if settings.k < 1:
        raise ValueError(f"a claim needs at least one neighbour to look for, not {settings.k}")
    claims = features(embeddings, tags, vocabulary, settings.alpha)
    beta = settings.beta if settings.quantile is None else beta_at(claims, settings.quantile, settings.seed)
    chosen = [strongest(weight_block(claims, rows), rows, beta, settings.k) for rows in row_blocks(claims)]
    return join(chosen, len(claims), beta)


def beta_at(claims: Features, quantile: float, seed: int, n_pairs: int = QUANTILE_PAIRS) -> float:
    """Threshold above which lies a share of ``1 - quantile`` of all pairs, from a seeded sample of pairs.

    Parameters
    ----------
    claims
        The n claims.
    quantile
        In [0, 1], for example 0.95.
    seed
        Seed of the sample.
    n_pairs
        Size of the sample, drawn with replacement.

    Returns
    -------
    float
        1.0 with fewer than two claims: there is no pair.

    Raises
    ------
    ValueError
        If the quantile is outside [0, 1].
    """
    if not 0 <= quantile <= 1:
        raise ValueError(f"a quantile must be between 0 and 1, not {quantile}")
    n = len(claims)
    if n < 2:
        return 1.0
    rng = np.random.default_rng(seed)
    first = rng.integers(n, size=n_pairs)
    second = (first + rng.integers(1, n, size=n_pairs)) % n
    cuts = range(0, n_pairs, 10_000)
    sample = np.concatenate(
        [_pair_weights(claims, first[cut : cut + 10_000], second[cut : cut + 10_000]) for cut in cuts]
    )
    return float(np.quantile(sample, quantile))


def strongest(weights: Floats, rows: Indices, beta: float, k: int) -> Edges:
    """Choose the k largest weights above beta in each row of a block.

    Parameters
    ----------
    weights
        (b, n) weights of the block's claims to all claims. Changed: a claim's weight to itself becomes -1.
    rows
        (b,) row numbers of the block's claims.
    beta
        A weight has to exceed it (after rounding to 6 digits).
    k
        Neighbours per claim.

    Returns
    -------
    Edges
        At most b k edges from the block's claims; ties go to the smaller row number.

    Notes
    -----
    Weights are masked by beta first. Only what passes is sorted; rows where more than a sixteenth passes are cut
    by a partition instead, so that neither sparse nor dense graphs cost more than a few passes.
    """
    n = weights.shape[1]
    weights[np.arange(len(rows)), rows] = -1.0
    passing = np.flatnonzero(weights > np.float32(beta + 0.5 * 10**-WEIGHT_DIGITS))
    block_row, target = np.divmod(passing, n)
    counts = np.bincount(block_row, minlength=len(rows))
    crowded = np.flatnonzero(counts > max(k, n // 16))
    if len(crowded):
        keep = ~np.isin(block_row, crowded)
        dense_row, dense_target = _top_of_dense(weights[crowded], k)
        block_row = np.concatenate([block_row[keep], crowded[dense_row]])
        target = np.concatenate([target[keep], dense_target])
    weight = np.round(weights[block_row, target], WEIGHT_DIGITS)
    order = np.lexsort((target, -weight, block_row))
    block_row, target, weight = block_row[order], target[order], weight[order]
    starts = np.searchsorted(block_row, np.arange(len(rows)))
    best = np.arange(len(block_row)) - starts[block_row] < k
    return Edges(rows[block_row[best]], target[best], weight[best])


def join(chosen: Sequence[Edges], n_claims: int, beta: float) -> ClaimGraph:
    """Make one undirected graph of what all blocks chose.

    Parameters
    ----------
    chosen
        Edges of each block.
    n_claims
        n, including claims without a neighbour.
    beta
        The threshold used, kept with the graph.

    Returns
    -------
    ClaimGraph
        Pairs once, sorted by source, then target.
    """
    source = np.concatenate([np.empty(0, dtype=np.int64), *(edges.source for edges in chosen)])
    target = np.concatenate([np.empty(0, dtype=np.int64), *(edges.target for edges in chosen)])
    weight = np.concatenate([np.empty(0, dtype=np.float32), *(edges.weight for edges in chosen)])
    pair = np.minimum(source, target) * n_claims + np.maximum(source, target)
    pair, first = np.unique(pair, return_index=True)
    low, high = np.divmod(pair, max(1, n_claims))
    return ClaimGraph(n_claims, low, high, weight[first], beta)


def to_networkx(graph: ClaimGraph) -> nx.Graph[int]:
    """Give the graph to networkx: all n claims as nodes, edges with the attribute `weight`."""
    result: nx.Graph[int] = nx.Graph()
    result.add_nodes_from(range(graph.n_claims))
    triples = zip(graph.source.tolist(), graph.target.tolist(), graph.weight.tolist(), strict=True)
    result.add_weighted_edges_from(triples)
    return result


def components(graph: ClaimGraph) -> list[tuple[int, ...]]:
    """Find the connected components, largest first, then by smallest row; claims without neighbours come alone."""
    found = (tuple(sorted(component)) for component in nx.connected_components(to_networkx(graph)))
    return sorted(found, key=lambda component: (-len(component), component[0]))


def neighbour_lists(graph: ClaimGraph) -> list[list[tuple[int, float]]]:
    """List each claim's neighbours with their weights, strongest first, ties by row."""
    lists: list[list[tuple[int, float]]] = [[] for _ in range(graph.n_claims)]
    for low, high, weight in zip(graph.source.tolist(), graph.target.tolist(), graph.weight.tolist(), strict=True):
        lists[low].append((high, weight))
        lists[high].append((low, weight))
    for neighbours in lists:
        neighbours.sort(key=lambda pair: (-pair[1], pair[0]))
    return lists


def _top_of_dense(weights: Floats, k: int) -> tuple[Indices, Indices]:
    weights = np.round(weights, WEIGHT_DIGITS)
    at_rank_k = np.partition(weights, -k, axis=1)[:, -k, None]
    above, level = weights > at_rank_k, weights == at_rank_k
    room = k - above.sum(axis=1, keepdims=True)
    kept = above | (level & (np.cumsum(level, axis=1) <= room))
    row, target = np.nonzero(kept)
    return row, target


def _pair_weights(claims: Features, first: Indices, second: Indices) -> Floats:
    both = claims.is_tagged[first] & claims.is_tagged[second]
    shared = (claims.shared[first] * claims.shared[second]).sum(axis=1)
    union = (claims.union_left[first] * claims.union_right[second]).sum(axis=1)
    closeness = np.maximum((claims.unit[first] * claims.unit[second]).sum(axis=1), 0)
    index = np.divide(shared, union, out=np.zeros_like(shared), where=both)
    mixed: Floats = np.where(both, claims.alpha * index + (1 - claims.alpha) * closeness, closeness).astype(np.float32)
    return mixed
