"""Three judges that see only presence and absence: Words, Meaning, and Names and new words."""

from __future__ import annotations

from evaluation.language.names import find_names
from evaluation.language.words import bare, tokens
from evaluation.llm.providers.offline.finding import (
    NOT_ENGLISH,
    Finding,
    cannot_say,
    in_between,
    not_supported,
    supported,
)
from evaluation.llm.providers.offline.reading import ClaimReading
from evaluation.llm.providers.offline.thresholds import THRESHOLDS

_NO_WORDS = "The sentence has no content word to look for."
_JOINTS = frozenset({"and", "but", "so", ";"})
_LONG_SENTENCE = 8
_NAMED = 6


def judge_words(claim: ClaimReading) -> Finding:
    """Vote by the rarity-weighted share of the claim's content words in the best passage."""
    if not (claim.is_english and claim.sources.is_english):
        return cannot_say(NOT_ENGLISH)
    if not claim.words:
        return cannot_say(_NO_WORDS)
    window = claim.best_window
    passage = claim.sources.cite(*window.places)
    if window.coverage >= THRESHOLDS.words_supported:
        return supported(f"The words are found in {passage}")
    missing = _missing(claim, window.places)
    if window.coverage < THRESHOLDS.words_not_supported:
        return not_supported(f"No passage has: {missing}. The nearest is {passage}{_two_facts(claim)}")
    return in_between(f"Only part of the words are found in {passage}; not: {missing}.{_two_facts(claim)}")


def judge_meaning(claim: ClaimReading) -> Finding:
    """Vote by the highest cosine of the claim and one source sentence."""
    if not (claim.is_english and claim.sources.is_english):
        return cannot_say(NOT_ENGLISH)
    if claim.cosines is None:
        return cannot_say("There is no model to compare meanings with.")
    place = int(claim.cosines.argmax())
    cosine = float(claim.cosines[place])
    passage = claim.sources.cite(place)
    if cosine >= THRESHOLDS.meaning_supported:
        return supported(f"It reads much like {passage}")
    if cosine < THRESHOLDS.meaning_not_supported:
        return not_supported(f"No source sentence reads like it; the nearest is {passage}")
    return in_between(f"It reads somewhat like {passage}")


def judge_names(claim: ClaimReading) -> Finding:
    """Vote by names that are in no source, and by the share of content words that are in no source."""
    sources = claim.sources
    if not (claim.is_english and sources.is_english):
        return cannot_say(NOT_ENGLISH)
    if not claim.words:
        return cannot_say(_NO_WORDS)
    unknown = [
        name for name in find_names(claim.text, sources.casing) if bare(name.lower()) not in sources.casing.all_words
    ]
    if unknown:
        return not_supported(f"No source has the name: {', '.join(unknown)}.")
    fresh = [word for root, word in claim.words.items() if root not in sources.stems]
    share = len(fresh) / len(claim.words)
    if share <= THRESHOLDS.new_words_supported:
        return supported("All names and nearly all words occur in the sources.")
    said = f"No source has: {', '.join(fresh[:_NAMED])}."
    return not_supported(said) if share > THRESHOLDS.new_words_not_supported else in_between(said)


def _missing(claim: ClaimReading, places: tuple[int, ...]) -> str:
    present = frozenset().union(*(claim.sources.sentences[place].stems for place in places))
    return ", ".join([word for root, word in claim.words.items() if root not in present][:_NAMED])


def _two_facts(claim: ClaimReading) -> str:
    signs = {token.lower for token in tokens(claim.text)}
    is_double = len(claim.words) >= _LONG_SENTENCE and bool(signs & _JOINTS)
    return " If this sentence holds two facts, split it." if is_double else ""
