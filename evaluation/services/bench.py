"""Timing of the two steps that must stay fast: building the claim graph and taking a decision."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from evaluation.algorithms.claim_graph import GraphSettings, join, strongest, to_networkx
from evaluation.algorithms.entropy import TAU, vote_entropy
from evaluation.algorithms.outcome import PanelOutcome, panel_outcomes
from evaluation.algorithms.patterns import Pattern, pattern_of
from evaluation.algorithms.propagation import reweight
from evaluation.algorithms.reliability import PRIOR_STRENGTH, reliabilities, weights_of
from evaluation.algorithms.selection import PatternRow, rank_patterns
from evaluation.algorithms.similarity import Features, features, row_blocks, weight_block
from evaluation.errors import InvalidInputError
from evaluation.schemas import SelectionPolicy, Vote

DIMENSIONS = 384
VOCABULARY = tuple(f"tag {number}" for number in range(12))
TAG_SHARE = 0.15
LOOP_CLAIMS = 2_000
ROUNDS = 3  # the fastest counts: other work on the machine only ever adds time
MANY_CLAIMS = 20_000  # beyond this one round is long enough
VOTE_RIGHT = 0.7
VOTE_MISSING = 0.05
DECISIONS = 9
LABELS = ("first", "second")
SEED = 0


@dataclass(frozen=True)
class GraphTiming:
    """Seconds of one round: the bare product, the weights, the choice of edges, and the hand-over to networkx."""

    bare: float
    product: float
    edges: float
    networkx: float


@dataclass(frozen=True, eq=False)
class DrawnVotes:
    """Vote patterns of drawn claims with what their rows store: claims, gold of one claim, panel entropy."""

    patterns: dict[str, Pattern]
    n_claims: dict[str, int]
    gold: dict[str, str]
    entropy: dict[str, float]
    voters: tuple[str, ...]


def bench_graph(*, claims: int) -> dict[str, float]:
    """Time a claim graph over random claims against the bare product and against loops over pairs.

    Raises InvalidInputError for fewer than two claims.
    """
    if claims < 2:
        raise InvalidInputError(f"A graph needs at least 2 claims to time, not {claims}.")
    rng = np.random.default_rng(SEED)
    embeddings = rng.standard_normal((claims, DIMENSIONS), dtype=np.float32)
    tags = _draw_tags(rng, claims)
    laid_out = features(embeddings, tags, VOCABULARY, GraphSettings().alpha)
    rounds = [_time_graph(laid_out) for _ in range(ROUNDS if claims <= MANY_CLAIMS else 1)]
    best = min(rounds, key=lambda timing: timing.product + timing.edges)
    loops = _seconds_per_looped_pair(laid_out.unit, tags) * claims * (claims - 1) / 2
    return {
        "seconds_product": best.product,
        "seconds_edges": best.edges,
        "seconds_networkx": min(timing.networkx for timing in rounds),
        "ratio_to_matmul": (best.product + best.edges) / min(timing.bare for timing in rounds),
        "ratio_to_loops": loops / (best.product + best.edges),
    }


def bench_decide(*, claims: int, voters: int) -> dict[str, float | int]:
    """Time single decisions, each with its re-weighting of all vote patterns and the next ranking.

    It measures processor time of this process, which other work on the machine does not lengthen.
    Raises InvalidInputError without a claim or a voter.
    """
    if claims < 1 or voters < 1:
        raise InvalidInputError(f"A decision needs at least 1 claim and 1 voter, not {claims} and {voters}.")
    drawn = _draw_votes(np.random.default_rng(SEED), claims, voters)
    strengths = dict.fromkeys(drawn.voters, PRIOR_STRENGTH)
    rulings: list[tuple[Sequence[Vote], str]] = []
    weights = weights_of(reliabilities([], strengths, len(LABELS)))
    queue = _queue(drawn, panel_outcomes(drawn.patterns, weights, len(LABELS)), 0)
    seconds = []
    for key in queue[:DECISIONS] or list(drawn.patterns)[:DECISIONS]:
        with _collector_paused():
            start = process_time()
            rulings.append((drawn.patterns[key].votes, drawn.gold[key]))
            before, weights = weights, weights_of(reliabilities(rulings, strengths, len(LABELS)))
            reweight(drawn.patterns, before, weights, len(LABELS))
            _queue(drawn, panel_outcomes(drawn.patterns, weights, len(LABELS)), len(rulings))
            seconds.append(process_time() - start)
    return {"seconds_median": median(seconds), "patterns": len(drawn.patterns)}


def _time_graph(laid_out: Features) -> GraphTiming:
    settings, chosen = GraphSettings(), []
    bare = product = edges = 0.0
    for rows in row_blocks(laid_out):
        start = perf_counter()
        laid_out.unit[rows] @ laid_out.unit.T
        multiplied = perf_counter()
        weights = weight_block(laid_out, rows)
        weighed = perf_counter()
        chosen.append(strongest(weights, rows, settings.beta, settings.k))
        bare, product = bare + multiplied - start, product + weighed - multiplied
        edges += perf_counter() - weighed
    start = perf_counter()
    graph = join(chosen, len(laid_out), settings.beta)
    joined = perf_counter()
    to_networkx(graph)
    return GraphTiming(bare, product, edges + joined - start, perf_counter() - joined)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep garbage collection out of a measurement, as `timeit` does: it depends on whatever else is in memory."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _draw_tags(rng: Generator, claims: int) -> list[frozenset[str]]:
    marks = rng.random((claims, len(VOCABULARY))) < TAG_SHARE
    return [frozenset(tag for tag, marked in zip(VOCABULARY, row, strict=True) if marked) for row in marks.tolist()]


def _seconds_per_looped_pair(unit: NDArray[np.float32], tags: Sequence[frozenset[str]]) -> float:
    size = min(LOOP_CLAIMS, len(tags))
    rows, found, total = list(unit[:size]), tags[:size], 0.0
    start = perf_counter()
    for i in range(size):
        for j in range(i + 1, size):
            cosine = np.dot(rows[i], rows[j])
            union = found[i] | found[j]
            total += 0.5 * (len(found[i] & found[j]) / len(union) if union else 0.0) + 0.5 * max(0.0, cosine)
    return (perf_counter() - start) / (size * (size - 1) / 2)


def _draw_votes(rng: Generator, claims: int, voters: int) -> DrawnVotes:
    gold = rng.integers(2, size=claims)
    is_right = rng.random((claims, voters)) < VOTE_RIGHT
    said = np.where(is_right, gold[:, None], 1 - gold[:, None])
    said[rng.random((claims, voters)) < VOTE_MISSING] = -1
    names = tuple(f"voter {number:02d}" for number in range(voters))
    distinct, first, counts = np.unique(said, axis=0, return_index=True, return_counts=True)
    patterns, n_claims, golds, entropy = {}, {}, {}, {}
    for row, one, count in zip(distinct.tolist(), first.tolist(), counts.tolist(), strict=True):
        votes = [Vote(name, LABELS[label]) for name, label in zip(names, row, strict=True) if label >= 0]
        pattern = pattern_of("preference", 1, votes)
        patterns[pattern.key], n_claims[pattern.key], golds[pattern.key] = pattern, count, LABELS[int(gold[one])]
        entropy[pattern.key] = vote_entropy(pattern.counts(), len(LABELS)) if votes else 0.0
    return DrawnVotes(patterns, n_claims, golds, entropy, names)


def _queue(drawn: DrawnVotes, outcomes: dict[str, PanelOutcome], n_rulings: int) -> list[str]:
    rows = [
        PatternRow(
            key=key,
            split=pattern.split,
            n_open=drawn.n_claims[key],
            panel_entropy=drawn.entropy[key],
            posterior_entropy=outcomes[key].entropy,
            rulings=0,
            is_full_panel=pattern.n_cast == len(drawn.voters),
        )
        for key, pattern in drawn.patterns.items()
        if drawn.entropy[key] > TAU
    ]
    return [scored.key for scored in rank_patterns(rows, n_rulings, SelectionPolicy.POSTERIOR_ENTROPY)]
