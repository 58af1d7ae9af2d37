"""What all offline judges of a process share: vectors of texts and sources already read."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

from evaluation.llm.protocol import Embedder
from evaluation.llm.providers.offline.reading import SourceReading
from evaluation.llm.providers.offline.vectors import VectorStore
from evaluation.schemas import SourceText

_KEPT_INSTANCES = 64


class Library:
    """The sources of the last instances as read, and a store of vectors; safe for several threads."""

    def __init__(self, embedder: Embedder | None) -> None:
        self.embedder = embedder
        self.store = VectorStore(embedder) if embedder is not None else None
        self._lock = Lock()
        self._read = lru_cache(maxsize=_KEPT_INSTANCES)(self._read_anew)

    def sources(self, sources: tuple[SourceText, ...]) -> SourceReading:
        """Return these sources as read, the same object for the same texts."""
        with self._lock:
            return self._read(sources)

    def _read_anew(self, sources: tuple[SourceText, ...]) -> SourceReading:
        return SourceReading(sources, self.store)


_KEPT_LIBRARIES = 4
_libraries: list[Library] = []
_lock = Lock()


def shared_library(embedder: Embedder | None) -> Library:
    """Return the one library of an embedder, so that five judges read an instance once."""
    with _lock:
        for library in _libraries:
            if library.embedder is embedder:
                return library
        _libraries.append(Library(embedder))
        del _libraries[:-_KEPT_LIBRARIES]
        return _libraries[-1]
