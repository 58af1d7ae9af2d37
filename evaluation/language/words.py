"""Words of a text: normalisation, tokens, stems, content words and how rare a word is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

from evaluation.language.lexicon import lexicon

_STRAIGHT = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2212": "-", "\u2011": "-"})
_VULGAR_FRACTION = re.compile("[\u00bc-\u00be\u2150-\u215e]")
_HYPHENATED_LINE_END = re.compile(r"(?<=[^\W\d_])-\n\s*(?=[a-z])")
_SPACED_THOUSANDS = re.compile("(?<=\\d)[\u00a0\u2009\u202f](?=\\d{3}(?!\\d))")
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+(?:[.,]\d+)*|[^\w\s]")
_MIN_STEM = 3
_KEPT_DOUBLES = "lszaeiou"


@dataclass(frozen=True)
class Token:
    """A word, number or sign with its place in the normalised text."""

    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The token in lower case."""
        return self.text.lower()

    @property
    def is_word(self) -> bool:
        """Whether the token is made of letters."""
        return self.text[0].isalpha()


def normalise(text: str) -> str:
    """Return the text in NFKC with straight quotes, whole words at line ends and readable fractions."""
    spelled = _VULGAR_FRACTION.sub(lambda sign: " " + unicodedata.normalize("NFKC", sign.group()), text)
    joined = _SPACED_THOUSANDS.sub("", _HYPHENATED_LINE_END.sub("", spelled))
    return unicodedata.normalize("NFKC", joined).translate(_STRAIGHT).replace("\u2044", "/")


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[Token, ...]:
    """Return words, numbers and signs of the text in order; the spans are those of `normalise(text)`."""
    return tuple(Token(match.group(), *match.span()) for match in _TOKEN.finditer(normalise(text)))


def is_cue(word: str) -> bool:
    """Say whether a lower-case word negates what follows it."""
    return word in lexicon().negation.cues or word.endswith("n't")


def is_content(word: str) -> bool:
    """Say whether a lower-case word carries content: more than one letter, no stop word and no negation cue."""
    return len(word) > 1 and word[0].isalpha() and bare(word) not in lexicon().stop_words and not is_cue(word)


def bare(word: str) -> str:
    """Return a lower-case word without its possessive ending."""
    return word[:-2] if word.endswith("'s") else word.rstrip("'")


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Strip the light endings of an English lower-case word ('s, ies, ing, ed, ly, es, s, e)."""
    root = bare(word)
    if root.endswith("ies") and len(root) > _MIN_STEM + 1:
        root = root[:-3] + "y"
    for ending in ("ing", "ed", "ly", "es", "s"):
        if root.endswith(ending) and len(root) - len(ending) >= _MIN_STEM and not root.endswith("ss"):
            root = _undoubled(root[: -len(ending)]) if ending in ("ing", "ed") else root[: -len(ending)]
            break
    return root[:-1] if root.endswith("e") and len(root) > _MIN_STEM else root


def _undoubled(root: str) -> str:
    is_doubled = len(root) > _MIN_STEM and root[-1] == root[-2] and root[-1] not in _KEPT_DOUBLES
    return root[:-1] if is_doubled else root


def stems(text: str) -> tuple[str, ...]:
    """Return the stems of the text's content words in order, with repetitions."""
    return tuple(stem(token.lower) for token in tokens(text) if token.is_word and is_content(token.lower))


def content_words(text: str) -> dict[str, str]:
    """Return each content stem once, in order of appearance, with the word as first written."""
    found: dict[str, str] = {}
    for token in tokens(text):
        if token.is_word and is_content(token.lower):
            found.setdefault(stem(token.lower), token.text)
    return found


class Rarity:
    """Inverse document frequency of stems over the sentences of one instance's sources."""

    def __init__(self, sentences: Sequence[Iterable[str]]) -> None:
        self._n = len(sentences)
        self._frequency: dict[str, int] = {}
        for sentence in sentences:
            for word in set(sentence):
                self._frequency[word] = self._frequency.get(word, 0) + 1

    def of(self, word: str) -> float:
        """Return ln(1 + (n - df + 0.5) / (df + 0.5)); a word of no sentence is the rarest."""
        df = self._frequency.get(word, 0)
        return log(1 + (self._n - df + 0.5) / (df + 0.5))

    def share(self, wanted: Iterable[str], found: Iterable[str]) -> float:
        """Return the share of the wanted words' rarity that is found; no word wanted is 0."""
        present = set(found)
        weights = {word: self.of(word) for word in wanted}
        total = sum(weights.values())
        return sum(weight for word, weight in weights.items() if word in present) / total if total else 0.0
