"""A deterministic embedder without a model, for tests: hashed words and character trigrams."""

from __future__ import annotations

from collections import defaultdict
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from evaluation.language.words import stems, tokens

_WORD_WEIGHT = 1.0
_GRAM_WEIGHT = 0.3
_GRAM = 3


class HashingEmbedder:
    """Maps texts with shared words to near vectors; the same text gives the same row on every machine."""

    name = "hashing"

    def __init__(self, dimensions: int = 384) -> None:
        self.dimensions = dimensions

    def embed(self, texts: list[str]) -> NDArray[np.float32]:
        """Return an array of shape (len(texts), dimensions) with rows of norm 1."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float64)
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in _features(text).items():
                place, sign = self._slot(feature)
                row[place] += sign * weight
            if not row.any():
                row[0] = 1.0
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def _slot(self, feature: str) -> tuple[int, int]:
        digest = int.from_bytes(blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
        return digest // 2 % self.dimensions, 1 if digest % 2 else -1


def _features(text: str) -> dict[str, float]:
    found: defaultdict[str, float] = defaultdict(float)
    words = stems(text) or tuple(token.lower for token in tokens(text))
    for word in words:
        found[f"word {word}"] += _WORD_WEIGHT
        padded = f"<{word}>"
        for at in range(len(padded) - _GRAM + 1):
            found[f"gram {padded[at : at + _GRAM]}"] += _GRAM_WEIGHT
    return dict(found)
