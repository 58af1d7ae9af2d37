"""Names in a text: capitalised words that are not capitalised just for starting a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.language.lexicon import lexicon
from evaluation.language.sentences import split_sentences
from evaluation.language.words import Token, bare, is_cue, tokens


@dataclass(frozen=True)
class Casing:
    """How a set of texts writes its words: in lower case, and capitalised inside a sentence."""

    lower: frozenset[str]
    inner_capitals: frozenset[str]
    all_words: frozenset[str]


def casing(sentences: Iterable[str]) -> Casing:
    """Collect from sentences which words occur in lower case, and which capitalised after the first word."""
    lower: set[str] = set()
    inner: set[str] = set()
    everything: set[str] = set()
    for sentence in sentences:
        words = [token for token in tokens(sentence) if token.is_word]
        everything.update(bare(token.lower) for token in words)
        lower.update(bare(token.text) for token in words if token.text.islower())
        inner.update(bare(token.lower) for token in words[1:] if token.text[0].isupper())
    return Casing(frozenset(lower), frozenset(inner), frozenset(everything))


def find_names(text: str, known: Casing | None = None) -> tuple[str, ...]:
    """Return the names of a text as written, each once, in order.

    The first word of a sentence counts only if the next is capitalised too or the sources have it capitalised
    inside a sentence, and never if they have it in lower case. A text all in lower case or all in capitals has no
    names that this rule can see.
    """
    found: dict[str, str] = {}
    for sentence in split_sentences(text):
        words = [token for token in tokens(sentence.text) if token.is_word]
        if all(token.text.isupper() for token in words):
            continue
        for at, token in enumerate(words):
            if _is_name(words, at, known):
                found.setdefault(bare(token.lower), token.text)
    return tuple(found.values())


def _is_name(words: list[Token], at: int, known: Casing | None) -> bool:
    token = words[at]
    if not token.text[0].isupper() or not _can_be_name(token.lower):
        return False
    if at > 0:
        return True
    lower = bare(token.lower)
    if known and lower in known.lower:
        return False
    following = words[1] if len(words) > 1 else None
    is_followed = following is not None and following.text[0].isupper() and _can_be_name(following.lower)
    return is_followed or bool(known and lower in known.inner_capitals)


def _can_be_name(lower: str) -> bool:
    words = lexicon()
    is_plain = lower in words.stop_words or is_cue(lower) or lower in words.units
    return not is_plain and len(lower) > 1 and lower not in words.universals and lower not in words.numbers.values
