"""Whether two texts make the same claim, and groups of one claim found by several judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evaluation.language.guard import Match, guard, is_same_text

THRESHOLD = 0.85
DOUBTFUL_BELOW = 0.10


@dataclass(frozen=True)
class Candidate:
    """A claim that one judge found in a response; `span` in code points, None where its quote was not found."""

    judge: str
    text: str
    span: tuple[int, int] | None = None


@dataclass(frozen=True)
class Alignment:
    """Groups of places that are one claim, in order of their first place; and pairs a person should look at."""

    groups: tuple[tuple[int, ...], ...]
    doubtful: tuple[tuple[int, int], ...] = ()


def same_claim(a: str, b: str, cosine: float, threshold: float = THRESHOLD) -> Match:
    """Decide whether two texts make the same claim.

    Parameters
    ----------
    a, b : str
        The texts.
    cosine : float
        Cosine of their embeddings, in [-1, 1].
    threshold : float, default 0.85
        From here on the wording counts as the same; down to 0.10 below it as doubtful.

    Returns
    -------
    Match
        SAME if the texts are equal up to case, spacing and end marks, or if the cosine reaches the threshold and
        the guard finds nothing. DIFFERENT if the guard finds other numbers, units or names, a negation on one side
        only or an opposite, or if the cosine is too low. DOUBTFUL otherwise.

    Raises
    ------
    ValueError
        If the cosine is not a number.

    Notes
    -----
    A vector sees topic, not truth: "6 weeks" and "16 weeks" have cosine 0.94 with all-MiniLM-L6-v2, "included" and
    "not included" 0.93. The guard is symmetric. Doubtful are also: a number, name or word like "all" on one side
    only, the same names in another order ("Bert sued Anna", cosine 0.99 with "Anna sued Bert"), exactly one word
    replaced ("loud", "quiet"), a longer list ("parts", "parts and labour"). Swapped roles without names pass.

    Examples
    --------
    >>> same_claim("Delivery takes 6 weeks.", "Delivery takes 16 weeks.", cosine=0.94).name
    'DIFFERENT'
    >>> same_claim("Delivery takes 6 weeks.", "Delivery takes six weeks.", cosine=0.97).name
    'SAME'
    """
    if np.isnan(cosine):
        raise ValueError(f"The cosine of '{a}' and '{b}' is not a number.")
    if is_same_text(a, b):
        return Match.SAME
    if cosine < threshold - DOUBTFUL_BELOW:
        return Match.DIFFERENT
    return min(guard(a, b), Match.SAME if cosine >= threshold else Match.DOUBTFUL)


def is_same_claim(a: str, b: str, cosine: float) -> bool:
    """Say whether two texts make the same claim without doubt; precedents ask this.

    Parameters
    ----------
    a, b : str
        The texts.
    cosine : float
        Cosine of their embeddings.

    Returns
    -------
    bool
        Whether `same_claim` says SAME at its default threshold.
    """
    return same_claim(a, b, cosine) is Match.SAME


def align(claims: Sequence[Candidate], vectors: NDArray[np.float32], threshold: float = THRESHOLD) -> Alignment:
    """Group claims that different judges found.

    Parameters
    ----------
    claims : sequence of Candidate
        What the judges found in one response.
    vectors : array of shape (len(claims), d)
        Their embeddings, rows of norm 1.
    threshold : float, default 0.85
        Passed to `same_claim`.

    Returns
    -------
    Alignment
        Every claim is in exactly one group.

    Raises
    ------
    ValueError
        If there is not one vector per claim.

    Notes
    -----
    Pairs with the same span come first, then by cosine, then by place. Two groups merge only if no judge is in both
    (a judge that found two claims meant two) and no pair across them is DIFFERENT, so chains cannot join "6 weeks"
    with "16 weeks". The same span is the same claim where neither judge found a second claim there, doubtful where
    the guard finds a difference; else the wording decides. No claims give no groups. Cost: quadratic in the claims
    of one response.

    Examples
    --------
    >>> found = [Candidate("a", "It is cold.", (0, 11)), Candidate("b", "It is cold.", (0, 11))]
    >>> align(found, np.eye(2, dtype=np.float32)).groups
    ((0, 1),)
    """
    if len(vectors) != len(claims):
        raise ValueError(f"There are {len(claims)} claims but {len(vectors)} vectors.")
    pairs = _pairs(claims, vectors, threshold)
    matches = {pair.places: pair.match for pair in pairs}
    grouping = _Grouping(claims, matches)
    for pair in sorted(pairs, key=lambda each: (not each.is_same_span, -each.cosine, each.places)):
        if pair.match is Match.SAME:
            grouping.merge(*pair.places)
    groups = grouping.groups()
    owner = {place: number for number, group in enumerate(groups) for place in group}
    doubtful = [
        places
        for places, match in matches.items()
        if match is not Match.DIFFERENT and owner[places[0]] != owner[places[1]]
    ]
    return Alignment(groups, tuple(sorted(doubtful)))


@dataclass(frozen=True)
class _Pair:
    places: tuple[int, int]
    match: Match
    cosine: float
    is_same_span: bool


@dataclass
class _Grouping:
    """Merges groups while keeping judges apart and differences out."""

    claims: Sequence[Candidate]
    matches: dict[tuple[int, int], Match]
    members: dict[int, list[int]] = field(init=False)
    owner: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.members = {place: [place] for place in range(len(self.claims))}
        self.owner = list(range(len(self.claims)))

    def merge(self, one: int, other: int) -> None:
        first, second = sorted((self.owner[one], self.owner[other]))
        if first == second or not self._may_merge(first, second):
            return
        for place in self.members[second]:
            self.owner[place] = first
        self.members[first] += self.members.pop(second)

    def groups(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(sorted(places)) for _, places in sorted(self.members.items()))

    def _may_merge(self, first: int, second: int) -> bool:
        left, right = self.members[first], self.members[second]
        if {self.claims[at].judge for at in left} & {self.claims[at].judge for at in right}:
            return False
        crossing = (self.matches[min(here, there), max(here, there)] for here in left for there in right)
        return all(match is not Match.DIFFERENT for match in crossing)


def _pairs(claims: Sequence[Candidate], vectors: NDArray[np.float32], threshold: float) -> list[_Pair]:
    cosines = vectors @ vectors.T if len(claims) else vectors
    found: list[_Pair] = []
    for first in range(len(claims)):
        for second in range(first + 1, len(claims)):
            if claims[first].judge == claims[second].judge:
                continue
            cosine = float(cosines[first, second])
            is_same_span = _is_shared_span(claims, first, second)
            match = same_claim(claims[first].text, claims[second].text, cosine, threshold)
            if is_same_span:
                is_contradicted = guard(claims[first].text, claims[second].text) is Match.DIFFERENT
                match = Match.DOUBTFUL if is_contradicted else Match.SAME
            found.append(_Pair((first, second), match, cosine, is_same_span))
    return found


def _is_shared_span(claims: Sequence[Candidate], first: int, second: int) -> bool:
    span = claims[first].span
    if span is None or span != claims[second].span:
        return False
    judges = [claim.judge for claim in claims if claim.span == span]
    return judges.count(claims[first].judge) == 1 and judges.count(claims[second].judge) == 1
