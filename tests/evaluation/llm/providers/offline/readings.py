"""Claims read against sources without the real model, for tests of one judge at a time."""

from __future__ import annotations

from typing import Any

from evaluation.embeddings.hashing import HashingEmbedder
from evaluation.llm.providers.offline.reading import ClaimReading, SourceReading
from evaluation.llm.providers.offline.vectors import VectorStore
from evaluation.schemas import SourceText


class CountingEmbedder(HashingEmbedder):
    """Keeps the texts it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def embed(self, texts: list[str]) -> Any:
        self.texts += texts
        return super().embed(texts)


def claim_in(text: str, *sources: str | SourceText, has_model: bool = False) -> ClaimReading:
    """Read a claim against sources; with a model the vectors are those of the hashing embedder."""
    documents = [source if isinstance(source, SourceText) else SourceText("", source) for source in sources]
    store = VectorStore(HashingEmbedder()) if has_model else None
    return ClaimReading(text, SourceReading(documents, store))
