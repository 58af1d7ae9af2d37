"""Unit vectors of texts, each text embedded once per process."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from evaluation.llm.protocol import Embedder

Vectors = NDArray[np.float32]
_KEPT = 20_000


class VectorStore:
    """An embedder with a memory; safe for several threads, which wait for each other."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    def rows(self, texts: list[str]) -> Vectors:
        """Return one row per text, in order; an empty list gives an array without rows."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if text not in self._known]
            if missing:
                self._known.update(
                    zip(missing, np.asarray(self._embedder.embed(missing), dtype=np.float32), strict=True)
                )
            found = np.stack([self._known[text] for text in texts])
            for text in texts:
                self._known.move_to_end(text)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return found

    def cosine(self, one: str, other: str) -> float:
        """Return the cosine of two texts."""
        first, second = self.rows([one, other])
        return float(first @ second)
