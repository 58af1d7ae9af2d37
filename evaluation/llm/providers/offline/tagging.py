"""Dimension tags by a plain rule: only tags of the project's vocabulary, by their own words or by what they name."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.language.lexicon import lexicon
from evaluation.language.names import find_names
from evaluation.language.negation import has_negation
from evaluation.language.quantities import Quantity, find_quantities
from evaluation.language.words import content_words, stem, tokens

_MONEY = frozenset({"euro", "dollar", "pound", "yen", "franc"})
_TIME = frozenset({"time", "calendar", "clock", "date"})
_MAX_TAGS = 4


def tag_claim(text: str, vocabulary: Sequence[str]) -> list[str]:
    """Return the vocabulary's tags that fit a claim, in the vocabulary's order."""
    words = set(content_words(text))
    cues = {word for cue in _cues(text) for word in lexicon().tag_cues[cue]}
    fitting = [tag for tag in vocabulary if _fits(tag, words, cues)]
    return fitting[:_MAX_TAGS]


def _fits(tag: str, words: set[str], cues: set[str]) -> bool:
    own = {token.lower for token in tokens(tag) if token.is_word}
    if set(content_words(tag)) & words:
        return True
    return bool({stem(word) for word in own} & {stem(word) for word in cues})


def _cues(text: str) -> list[str]:
    quantities = find_quantities(text)
    families = {family for quantity in quantities for family in _families(quantity)}
    has_universal = bool(lexicon().universals & {token.lower for token in tokens(text)})
    present = {
        "quantity": bool(quantities),
        "money": bool(families & _MONEY),
        "time": bool(families & _TIME) or any(family.startswith("day of month") for family in families),
        "negation": has_negation(text),
        "name": bool(find_names(text)),
        "universal": has_universal,
    }
    return [cue for cue, is_present in present.items() if is_present]


def _families(quantity: Quantity) -> set[str]:
    return {reading.unit.family for end in quantity.ends for reading in end.readings if reading.unit}
