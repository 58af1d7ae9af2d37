"""Source passages for a claim: sentence windows ranked by the content words they share with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.language.sentences import Sentence, split_sentences
from evaluation.language.words import Rarity, stems, tokens
from evaluation.models import Document

MOST_PASSAGES = 3
CONTEXT_CHARACTERS = 400


@dataclass(frozen=True)
class Passage:
    """A sentence of a source that shares words with the claim, with what stands right before and after it."""

    before: str
    sentence: str
    after: str
    paragraph: int
    score: float


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
    wanted = _words(claim_text)
    ranked = [
        _source(document, sentences, [rarity.share(wanted, words & wanted) for words in of_document])
        for document, sentences, of_document in zip(documents, split, found, strict=True)
    ]
    return tuple(sorted(ranked, key=lambda source: -(source.best.score if source.best else 0.0)))


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
