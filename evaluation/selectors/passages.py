"""Source passages for a claim: sentences ranked by the words, figures and units they share with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.language.comparison import same_value
from evaluation.language.quantities import Quantity, Reading, find_quantities
from evaluation.language.sentences import Sentence, split_sentences
from evaluation.language.words import Rarity, stems, tokens
from evaluation.models import Document

MOST_PASSAGES = 3
CONTEXT_CHARACTERS = 400
SAME_AMOUNT, SAME_UNIT, SAME_SORT, SAME_FIGURE = 0.5, 0.4, 0.2, 0.1  # beside the share of words, which is at most 1
NAMED_BY_TITLE = 0.15
WEAK_BELOW = 0.3


@dataclass(frozen=True)
class Passage:
    """A sentence of a source that shares words with the claim, with what stands right before and after it."""

    before: str
    sentence: str
    after: str
    paragraph: int
    score: float

    @property
    def is_weak(self) -> bool:
        return self.score < WEAK_BELOW


@dataclass(frozen=True)
class Source:
    """A source document with its best passages; none where no content word of the claim occurs in it."""

    document_id: int
    title: str
    text: str
    passages: tuple[Passage, ...]

    @property
    def best(self) -> Passage | None:
        return self.passages[0] if self.passages else None

    @property
    def others(self) -> tuple[Passage, ...]:
        return self.passages[1:]


def sources_of(documents: Sequence[Document], claim_text: str) -> tuple[Source, ...]:
    """The documents with their best passages for a claim, best document first, else in their own order."""
    split = [split_sentences(document.text) for document in documents]
    found = [[_words(sentence.text) for sentence in sentences] for sentences in split]
    rarity = Rarity([words for of_document in found for words in of_document])
    claim = _Wanted(_words(claim_text), find_quantities(claim_text), rarity)
    ranked = [
        _source(document, sentences, claim.scores(str(document), sentences, of_document))
        for document, sentences, of_document in zip(documents, split, found, strict=True)
    ]
    return tuple(sorted(ranked, key=lambda source: -(source.best.score if source.best else 0.0)))


@dataclass(frozen=True)
class _Wanted:
    """What a claim is looked up by."""

    words: set[str]
    quantities: tuple[Quantity, ...]
    rarity: Rarity

    def scores(self, title: str, sentences: Sequence[Sentence], words: Sequence[set[str]]) -> list[float]:
        """One score a sentence: shared words, figures and units, and a little where the claim names the document."""
        named = NAMED_BY_TITLE if self.words & _words(title) else 0.0
        own = [
            self.rarity.share(self.words, each & self.words) + self._figures(sentence.text)
            for sentence, each in zip(sentences, words, strict=True)
        ]
        return [score + named if score else 0.0 for score in own]

    def _figures(self, sentence: str) -> float:
        """The mean over the claim's figures of how near the sentence comes to each."""
        found = find_quantities(sentence)
        nearest = [max((_likeness(mine, theirs) for theirs in found), default=0.0) for mine in self.quantities]
        return sum(nearest) / len(nearest) if nearest else 0.0


def _likeness(one: Quantity, other: Quantity) -> float:
    return max((_reading_likeness(mine, theirs) for mine in _readings(one) for theirs in _readings(other)), default=0.0)


def _readings(quantity: Quantity) -> list[Reading]:
    return [reading for end in quantity.ends for reading in end.readings]


def _reading_likeness(one: Reading, other: Reading) -> float:
    if not one.unit or not other.unit:
        is_bare = one.unit is other.unit
        return (SAME_AMOUNT if is_bare else SAME_FIGURE) * same_value(one, other)
    if one.unit.family != other.unit.family:
        return 0.0
    if same_value(one, other):
        return SAME_AMOUNT
    return SAME_UNIT if one.unit == other.unit else SAME_SORT


def _words(text: str) -> set[str]:
    """Content stems and figures; a figure counts like a word, so that the right number is found."""
    return {*stems(text), *(token.text for token in tokens(text) if token.text[0].isdigit())}


def _source(document: Document, sentences: Sequence[Sentence], scores: Sequence[float]) -> Source:
    order = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: (-scores[at], at))
    passages = tuple(_passage(document.text, sentences, at, scores[at]) for at in order[:MOST_PASSAGES])
    return Source(document.pk, str(document), document.text, passages)


def _passage(text: str, sentences: Sequence[Sentence], at: int, score: float) -> Passage:
    start = sentences[at - 1].start if at else 0
    stop = sentences[at + 1].end if at + 1 < len(sentences) else len(text)
    this = sentences[at]
    before, after = text[start : this.start], text[this.end : stop]
    return Passage(
        before=_tail(before),
        sentence=this.text,
        after=_head(after),
        paragraph=text[: this.start].count("\n\n") + 1,
        score=score,
    )


def _tail(text: str) -> str:
    return text if len(text) <= CONTEXT_CHARACTERS else "… " + text[-CONTEXT_CHARACTERS:]


def _head(text: str) -> str:
    return text if len(text) <= CONTEXT_CHARACTERS else text[:CONTEXT_CHARACTERS] + " …"
