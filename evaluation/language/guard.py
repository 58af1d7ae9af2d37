"""The guard of alignment: what numbers, units, negation and names say about two texts being the same claim."""

from __future__ import annotations

from enum import IntEnum

from evaluation.language.comparison import Agreement, compare_quantities
from evaluation.language.lexicon import lexicon
from evaluation.language.names import casing, find_names
from evaluation.language.negation import has_negation, mismatched, opposites
from evaluation.language.words import bare, normalise, stems, tokens

_LISTS = frozenset({"and", "or"})


class Match(IntEnum):
    """Whether two texts make the same claim; doubtful ones are for a person."""

    DIFFERENT = 0
    DOUBTFUL = 1
    SAME = 2


def guard(a: str, b: str) -> Match:
    """Return the best that two texts may match, whatever their wording; the worst of the single checks.

    DIFFERENT: other numbers, units or names, a negation on one side only, an opposite. DOUBTFUL: a number, name or
    word like "all" on one side only, the same names in another order, exactly one word replaced, a longer list.
    """
    return min(_numbers(a, b), _polarity(a, b), _names(a, b), _universals(a, b), _wording(a, b))


def is_same_text(a: str, b: str) -> bool:
    """Say whether two texts are equal up to case, spacing and end marks."""
    return _folded(a) == _folded(b)


def _folded(text: str) -> str:
    return " ".join(normalise(text).casefold().split()).rstrip(" .!")


def _numbers(a: str, b: str) -> Match:
    matches = {
        Agreement.SAME: Match.SAME,
        Agreement.ONE_SIDED: Match.DOUBTFUL,
        Agreement.DIFFERENT: Match.DIFFERENT,
    }
    return matches[compare_quantities(a, b)]


def _polarity(a: str, b: str) -> Match:
    if mismatched(a, b) or opposites(a, b):
        return Match.DIFFERENT
    return Match.SAME if has_negation(a) == has_negation(b) else Match.DOUBTFUL


def _names(a: str, b: str) -> Match:
    known = casing([a, b])
    left, right = ([bare(name.lower()) for name in find_names(text, known)] for text in (a, b))
    if set(left) == set(right):
        return Match.SAME if left == right else Match.DOUBTFUL
    is_subset = set(left) <= set(right) or set(right) <= set(left)
    return Match.DOUBTFUL if is_subset else Match.DIFFERENT


def _wording(a: str, b: str) -> Match:
    left, right = stems(a), stems(b)
    only_left, only_right = (set(one) - set(other) for one, other in ((left, right), (right, left)))
    is_replaced = len(only_left) == len(only_right) == 1
    listed = [bool(_LISTS & {token.lower for token in tokens(text)}) for text in (a, b)]
    is_longer_list = bool(only_left) != bool(only_right) and listed[0] != listed[1]
    return Match.DOUBTFUL if is_replaced or is_longer_list else Match.SAME


def _universals(a: str, b: str) -> Match:
    left, right = (bool(lexicon().universals & {token.lower for token in tokens(text)}) for text in (a, b))
    return Match.SAME if left == right else Match.DOUBTFUL
