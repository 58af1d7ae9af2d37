"""The judge Negation and opposites: compares what the claim and its nearest source sentence deny."""

from __future__ import annotations

from evaluation.language.negation import mismatched, negates_on_claim_side, new_universals, opposites
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


def judge_negation(claim: ClaimReading) -> Finding:
    """Vote "not supported" on a word negated on one side only or on an opposite, "supported" where there is neither."""
    if not (claim.is_english and claim.sources.is_english):
        return cannot_say(NOT_ENGLISH)
    place = claim.closest()[0]
    passage = claim.sources.cite(place)
    if claim.alignments[place] < THRESHOLDS.negation_aligned:
        return cannot_say(f"No source sentence is near enough to compare; the nearest is {passage}")
    sentence = claim.sources.sentences[place].text
    if words := mismatched(claim.text, sentence):
        side = "claim" if negates_on_claim_side(claim.text, words[0]) else "source"
        return not_supported(f"'{words[0]}' is negated in the {side} only. {passage}")
    if pairs := opposites(claim.text, sentence):
        here, there = pairs[0]
        return not_supported(f"The claim says '{here}' where the source says '{there}'. {passage}")
    if universals := new_universals(claim.text, sentence):
        return in_between(f"'{universals[0]}' has no counterpart in {passage}")
    return supported(f"Nothing is negated or opposite on one side only. {passage}")
