"""The sources of an instance and a claim, read once for all offline judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evaluation.language.english import is_english
from evaluation.language.names import Casing, casing
from evaluation.language.quantities import Quantity, find_quantities
from evaluation.language.sentences import split_sentences
from evaluation.language.words import Rarity, content_words, stems
from evaluation.llm.providers.offline.vectors import VectorStore
from evaluation.schemas import SourceText

_WORDS_PER_PIECE = 60


@dataclass(frozen=True)
class SourceSentence:
    """A sentence of a document; a document's title is its first sentence."""

    document: int
    title: str
    text: str
    stems: frozenset[str]
    quantities: tuple[Quantity, ...]
    is_title: bool = False


@dataclass(frozen=True)
class Window:
    """One sentence, or two adjacent ones of a document, with the share of a claim's words found in it."""

    places: tuple[int, ...]
    coverage: float


class SourceReading:
    """All sentences of an instance's sources with what the judges look up in them."""

    def __init__(self, sources: Sequence[SourceText], store: VectorStore | None) -> None:
        self.sentences = tuple(_sentences(sources))
        self.rarity = Rarity([sentence.stems for sentence in self.sentences])
        self.stems: frozenset[str] = frozenset().union(*(sentence.stems for sentence in self.sentences))
        self.is_english = is_english(" ".join(source.text for source in sources))
        self._store = store

    @cached_property
    def casing(self) -> Casing:
        """How the sources write their words."""
        return casing(sentence.text for sentence in self.sentences)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """All quantities of all sentences."""
        return tuple(quantity for sentence in self.sentences for quantity in sentence.quantities)

    @cached_property
    def windows(self) -> tuple[tuple[int, ...], ...]:
        """Places of all windows, single sentences first."""
        pairs = [
            (at, at + 1)
            for at in range(len(self.sentences) - 1)
            if self.sentences[at].document == self.sentences[at + 1].document
        ]
        return (*((at,) for at in range(len(self.sentences))), *pairs)

    def cite(self, *places: int) -> str:
        """Return sentences of one document with its title, as a rationale quotes them."""
        title = self.sentences[places[0]].title
        said = " ".join(self.sentences[at].text for at in places if not self.sentences[at].is_title)
        if not said:
            return f"{title} (title)"
        return f'{title}: "{said}"' if title else f'"{said}"'

    def cosines(self, text: str) -> NDArray[np.float32] | None:
        """Return the cosine of a text with every sentence, None without an embedder; long sentences go in pieces."""
        if self._store is None or not self.sentences:
            return None
        texts, starts = self._pieces
        return np.maximum.reduceat(self._store.rows(texts) @ self._store.rows([text])[0], starts)

    @cached_property
    def _pieces(self) -> tuple[list[str], list[int]]:
        texts: list[str] = []
        starts: list[int] = []
        for sentence in self.sentences:
            starts.append(len(texts))
            words = sentence.text.split()
            texts.extend(" ".join(words[at : at + _WORDS_PER_PIECE]) for at in range(0, len(words), _WORDS_PER_PIECE))
        return texts, starts


class ClaimReading:
    """A claim read against the sources."""

    def __init__(self, text: str, sources: SourceReading) -> None:
        self.text = text
        self.sources = sources
        self.words = content_words(text)
        self.quantities = find_quantities(text)
        self.is_english = is_english(text)

    @cached_property
    def coverages(self) -> list[float]:
        """The rarity-weighted share of the claim's content words in each source sentence."""
        return [self.sources.rarity.share(self.words, sentence.stems) for sentence in self.sources.sentences]

    @cached_property
    def cosines(self) -> NDArray[np.float32] | None:
        """The cosine with each source sentence, None without an embedder."""
        return self.sources.cosines(self.text)

    @cached_property
    def alignments(self) -> list[float]:
        """The mean of coverage and cosine per sentence; without an embedder the coverage alone."""
        if self.cosines is None:
            return self.coverages
        return [(share + float(cosine)) / 2 for share, cosine in zip(self.coverages, self.cosines, strict=True)]

    @cached_property
    def best_window(self) -> Window:
        """The window with most of the claim's words; the first and shortest of equals."""
        sentences, rarity = self.sources.sentences, self.sources.rarity
        windows = (
            Window(places, rarity.share(self.words, frozenset().union(*(sentences[at].stems for at in places))))
            for places in self.sources.windows
        )
        return max(windows, key=lambda window: round(window.coverage, 9))

    def closest(self, count: int = 1) -> list[int]:
        """Return the places of the best-aligned sentences, best first."""
        return sorted(range(len(self.alignments)), key=lambda at: (-self.alignments[at], at))[:count]


def _sentences(sources: Sequence[SourceText]) -> list[SourceSentence]:
    found: list[SourceSentence] = []
    for number, source in enumerate(sources):
        title = source.title.strip()
        if title:
            found.append(_sentence(number, title, title, is_title=True))
        found.extend(_sentence(number, title, sentence.text) for sentence in split_sentences(source.text))
    return found


def _sentence(document: int, title: str, text: str, *, is_title: bool = False) -> SourceSentence:
    return SourceSentence(document, title, text, frozenset(stems(text)), find_quantities(text), is_title)
