"""Tells whether a text is English enough for word lists made for English."""

from __future__ import annotations

import unicodedata

from evaluation.language.lexicon import lexicon
from evaluation.language.words import normalise, tokens

MIN_FUNCTION_WORD_SHARE = 0.15
MAX_NON_LATIN_SHARE = 0.30
ENOUGH_WORDS = 8


def is_english(text: str) -> bool:
    """Say whether a text is English by its letters and function words.

    More than 30 % letters of other scripts: no. Otherwise it needs a share of English function words of 0.15 and
    no larger share of those of another language. Under 8 words the share says little ("Weight 61 kg"): there only
    function words of another language speak against it. The two cuts are guesses, not measurements.
    """
    if _non_latin_share(text) > MAX_NON_LATIN_SHARE:
        return False
    words = [token.lower for token in tokens(text) if token.is_word]
    english = sum(word in lexicon().english_function_words or word.endswith("n't") for word in words)
    foreign = sum(word in lexicon().foreign_function_words for word in words)
    if foreign > english:
        return False
    return len(words) < ENOUGH_WORDS or english / len(words) >= MIN_FUNCTION_WORD_SHARE


def _non_latin_share(text: str) -> float:
    letters = [sign for sign in normalise(text) if sign.isalpha()]
    foreign = sum(not unicodedata.name(sign, "").startswith("LATIN") for sign in letters)
    return foreign / len(letters) if letters else 0.0
