"""Unit vectors of texts, each embedded once."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.embeddings.hashing import HashingEmbedder
from evaluation.llm.providers.offline import vectors
from evaluation.llm.providers.offline.vectors import VectorStore
from tests.evaluation.llm.providers.offline.readings import CountingEmbedder


def test_rows_belong_to_their_texts_whatever_was_known_before() -> None:
    store, plain = VectorStore(HashingEmbedder()), HashingEmbedder()
    store.rows(["two"])

    rows = store.rows(["one", "two", "one", "three"])

    assert np.array_equal(rows, plain.embed(["one", "two", "one", "three"]))


def test_no_text_gives_no_row_and_asks_nobody() -> None:
    embedder = CountingEmbedder()

    assert len(VectorStore(embedder).rows([])) == 0
    assert embedder.texts == []


def test_a_cosine_is_one_with_itself_and_small_for_strangers() -> None:
    store = VectorStore(HashingEmbedder())

    assert store.cosine("Prices hold.", "Prices hold.") == pytest.approx(1)
    assert store.cosine("Prices hold.", "A heavy fridge") < 0.5


def test_memory_is_bounded_and_keeps_what_was_used_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_KEPT", 3)
    embedder = CountingEmbedder()
    store = VectorStore(embedder)
    for text in ("a", "b", "c", "a", "d"):
        store.rows([text])

    store.rows(["a", "d"])
    store.rows(["b"])

    assert embedder.texts == ["a", "b", "c", "d", "b"]


def test_more_texts_at_once_than_are_kept_still_have_a_row_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_KEPT", 2)

    rows = VectorStore(HashingEmbedder()).rows(["a", "b", "c", "d"])

    assert np.array_equal(rows, HashingEmbedder().embed(["a", "b", "c", "d"]))
