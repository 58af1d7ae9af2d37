"""The embedder for tests."""

from __future__ import annotations

import numpy as np

from evaluation.embeddings.hashing import HashingEmbedder


def test_rows_have_norm_one_and_repeat() -> None:
    texts = ["Installation is included.", "", "的", "is the", "8 °C"]

    first, second = HashingEmbedder().embed(texts), HashingEmbedder().embed(texts)

    assert first.shape == (5, 384)
    assert first.dtype == np.float32
    assert np.allclose(np.linalg.norm(first, axis=1), 1, atol=1e-6)
    assert np.array_equal(first, second)


def test_no_texts_give_no_rows() -> None:
    assert HashingEmbedder(dimensions=16).embed([]).shape == (0, 16)


def test_shared_words_make_texts_near() -> None:
    same, near, far = HashingEmbedder().embed(
        ["Installation is included in the price.", "The price includes installation.", "A logger is read twice a day."]
    )

    assert same @ near > 0.8
    assert same @ far < 0.3


def test_a_lone_surrogate_is_embedded() -> None:
    assert HashingEmbedder().embed(["bad \ud800 sign"]).shape == (1, 384)
