"""Similarity of claims in blocks, against one pair at a time."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.algorithms.similarity import Features, combine, features, jaccard, row_blocks, weight_block

VOCABULARY = ("figures", "dates", "names", "scope")


def _claims(n: int, seed: int = 0) -> tuple[np.ndarray, list[frozenset[str]]]:
    rng = np.random.default_rng(seed)
    embeddings = rng.standard_normal((n, 8), dtype=np.float32)
    marks = rng.random((n, len(VOCABULARY))) < 0.4
    return embeddings, [frozenset(t for t, m in zip(VOCABULARY, row, strict=True) if m) for row in marks]


def _all_weights(claims: Features, max_cells: int = 40) -> np.ndarray:
    weights = np.full((len(claims), len(claims)), np.nan)
    for rows in row_blocks(claims, max_cells):
        weights[rows] = weight_block(claims, rows)
    return weights


def test_blocks_equal_one_pair_at_a_time() -> None:
    embeddings, tags = _claims(30)
    tags[3], tags[4] = frozenset(), frozenset({"other:tone"})

    weights = _all_weights(features(embeddings, tags, VOCABULARY, alpha=0.3))

    for i in range(30):
        for j in range(30):
            cosine = embeddings[i] @ embeddings[j] / np.linalg.norm(embeddings[i]) / np.linalg.norm(embeddings[j])
            expected = combine(float(cosine), jaccard(tags[i], tags[j], frozenset(VOCABULARY)), 0.3)
            assert weights[i, j] == pytest.approx(expected, abs=1e-5)


def test_jaccard_counts_vocabulary_tags_only() -> None:
    known = frozenset(VOCABULARY)

    assert jaccard(frozenset({"dates", "names", "other:x"}), frozenset({"dates"}), known) == 0.5
    assert jaccard(frozenset({"other:x"}), frozenset({"other:x"}), known) is None
    assert jaccard(frozenset(), frozenset({"dates"}), known) is None


def test_jaccard_matches_the_textbook_example() -> None:
    """Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", example 3.1: 3 of 8 elements shared gives 3/8."""
    first, second = frozenset("abcde"), frozenset("cdefgh")

    assert jaccard(first, second, first | second) == 3 / 8


@pytest.mark.parametrize(("alpha", "expected"), [(0.0, 0.0), (1.0, 1.0), (0.5, 0.5)])
def test_alpha_moves_between_embeddings_and_tags(alpha: float, expected: float) -> None:
    opposite = np.array([[1, 0], [-1, 0]], dtype=np.float32)

    weights = _all_weights(features(opposite, [frozenset({"dates"})] * 2, VOCABULARY, alpha))

    assert weights[0, 1] == pytest.approx(expected)


def test_an_empty_embedding_is_similar_to_nothing() -> None:
    embeddings = np.array([[0, 0], [3, 4]], dtype=np.float32)

    weights = _all_weights(features(embeddings, [frozenset()] * 2, VOCABULARY, 0.5))

    assert weights[0].tolist() == [0.0, 0.0]
    assert weights[1, 1] == pytest.approx(1.0)


def test_there_are_no_blocks_when_there_is_no_claim() -> None:
    assert row_blocks(features(np.empty((0, 4), dtype=np.float32), [], VOCABULARY, 0.5)) == []


def test_bad_input_is_refused() -> None:
    embeddings, tags = _claims(3)

    with pytest.raises(ValueError, match="2 claims need"):
        features(embeddings, tags[:2], VOCABULARY, 0.5)
    with pytest.raises(ValueError, match="alpha"):
        features(embeddings, tags, VOCABULARY, 1.5)
    with pytest.raises(ValueError, match="not a number"):
        features(embeddings * np.float32(np.nan), tags, VOCABULARY, 0.5)
    with pytest.raises(ValueError, match="all with or all without"):
        weight_block(features(embeddings, [frozenset(), *[frozenset({"dates"})] * 2], VOCABULARY, 0.5), np.arange(3))
