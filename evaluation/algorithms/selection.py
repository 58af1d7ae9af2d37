"""Which claim a person should rule on next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.random import Generator

from evaluation.schemas import SelectionPolicy

MASS_EXPONENT = 0.5
MASS_DECAY = 5.0
_SCORE_DIGITS = 9  # scores of a pattern and its mirror differ by rounding only


@dataclass(frozen=True)
class Candidate:
    """An open claim that a person could be asked about; pattern fields are equal for claims of one pattern."""

    claim_id: int
    pattern_key: str
    split: str
    panel_entropy: float
    posterior_entropy: float
    rulings_on_pattern: int
    degree: int
    is_full_panel: bool


@dataclass(frozen=True)
class PatternRow:
    """A vote pattern with its `n_open` open candidates, enough to rank them all without touching the claims."""

    key: str
    split: str
    n_open: int
    panel_entropy: float
    posterior_entropy: float
    rulings: int
    is_full_panel: bool


@dataclass(frozen=True)
class ScoredPattern:
    """A pattern's score and place; patterns of one rank are level, their claims go by degree, then id."""

    key: str
    score: float
    rank: int


@dataclass(frozen=True)
class Scored:
    """A claim's score and place in the queue, from 1."""

    claim_id: int
    score: float
    rank: int


@dataclass(frozen=True)
class AuditPick:
    """A claim drawn at random, with the chance it had, so that figures from audits can be weighted."""

    claim_id: int
    probability: float
    seed: int


def score(entropy: float, mass: int, n_rulings: int) -> float:
    """Score of the default policy, ``H * m^(0.5 exp(-t / 5))``.

    Parameters
    ----------
    entropy
        H, normalised entropy of the current outcome.
    mass
        m, open candidates with the same split of judges.
    n_rulings
        t, rulings that count so far.

    Returns
    -------
    float
        0 where the panel is sure or no candidate is left.

    Notes
    -----
    The first rulings go where most disputes are alike, because one answer there says most about the judges; after
    about twenty only entropy is left. Exponents of 0.25 to 0.5 and decays of 3 to 10 do equally well.

    Examples
    --------
    >>> score(0.5, mass=100, n_rulings=0), round(score(0.5, mass=100, n_rulings=50), 3)
    (5.0, 0.5)
    """
    if mass <= 0:
        return 0.0
    return float(entropy * mass ** (MASS_EXPONENT * exp(-n_rulings / MASS_DECAY)))


def rank_patterns(rows: Iterable[PatternRow], n_rulings: int, policy: SelectionPolicy) -> list[ScoredPattern]:
    """Rank all open candidates by their vote patterns: as many scores as patterns, however many claims there are.

    Parameters
    ----------
    rows
        One row per pattern; those without open candidates are left out of the answer.
    n_rulings
        t, rulings that count so far.
    policy
        `posterior_entropy` (default of a project), `panel_entropy` (the paper's) or `random`.

    Returns
    -------
    list of ScoredPattern
        Best first. Complete panels come before incomplete ones; then score, panel entropy, and fewest rulings
        already taken on the pattern. Patterns equal in all of these share a rank. Under `random` only completeness
        counts.

    Notes
    -----
    Cost: O(P log P) for P patterns.
    """
    rows = [row for row in rows if row.n_open > 0]
    mass: Counter[str] = Counter()
    for row in rows:
        mass[row.split] += row.n_open
    places = []
    for row in rows:
        value = _pattern_score(row, mass[row.split], n_rulings, policy)
        places.append((_place(row, value, policy), row.key, value))
    places.sort()
    ranked: list[ScoredPattern] = []
    rank, last = 0, None
    for place, key, value in places:
        rank, last = (rank, last) if place == last else (rank + 1, place)
        ranked.append(ScoredPattern(key, value, rank))
    return ranked


def rank(
    candidates: Sequence[Candidate], n_rulings: int, policy: SelectionPolicy, rng: Generator | None = None
) -> list[Scored]:
    """Rank claims for a person.

    Parameters
    ----------
    candidates
        All open candidates; a split's mass is counted among them.
    n_rulings
        t, rulings that count so far.
    policy
        `posterior_entropy`, `panel_entropy` or `random`.
    rng
        Breaks what ties are left after degree; without it the smaller id goes first. `random` needs it.

    Returns
    -------
    list of Scored
        Best first, by the order of `rank_patterns`, then degree, then id. Under `random` the order is drawn.

    Raises
    ------
    ValueError
        If the policy is `random` and there is no `rng`.
    """
    if policy is SelectionPolicy.RANDOM and rng is None:
        raise ValueError("a random order needs a random number generator")
    of_pattern = {scored.key: scored for scored in rank_patterns(_rows(candidates), n_rulings, policy)}
    lots = dict.fromkeys((c.claim_id for c in candidates), 0)
    if rng is not None:
        ids = sorted(lots)
        lots = dict(zip(ids, rng.permutation(len(ids)).tolist(), strict=True))
    by_degree = policy is not SelectionPolicy.RANDOM
    ordered = sorted(
        candidates,
        key=lambda c: (of_pattern[c.pattern_key].rank, -c.degree * by_degree, lots[c.claim_id], c.claim_id),
    )
    return [Scored(c.claim_id, of_pattern[c.pattern_key].score, place) for place, c in enumerate(ordered, start=1)]


def is_audit_turn(n_picks: int, audit_every: int) -> bool:
    """Whether the pick after `n_picks` earlier ones is an audit; `audit_every` of 0 means never.

    Examples
    --------
    >>> [n for n in range(25) if is_audit_turn(n, 10)]
    [9, 19]
    """
    return audit_every > 0 and (n_picks + 1) % audit_every == 0


def audit_pick(ids: Collection[int], seed: int) -> AuditPick:
    """Draw one claim at random, from all of them and not only the disputed.

    Parameters
    ----------
    ids
        Claims not decided yet, in any order.
    seed
        Seed of the draw; the same seed and the same claims give the same pick.

    Returns
    -------
    AuditPick
        The claim and the probability ``1 / n`` with which it was drawn.

    Raises
    ------
    ValueError
        If there is no claim to draw from.

    Notes
    -----
    No signal of disagreement finds an error on which all judges agree; only such draws do.
    """
    if not ids:
        raise ValueError("there is no undecided claim to draw an audit from")
    ordered = sorted(set(ids))
    drawn = int(np.random.default_rng(seed).integers(len(ordered)))
    return AuditPick(ordered[drawn], 1.0 / len(ordered), seed)


def _rows(candidates: Sequence[Candidate]) -> list[PatternRow]:
    n_open = Counter(candidate.pattern_key for candidate in candidates)
    one_each = {candidate.pattern_key: candidate for candidate in candidates}
    return [
        PatternRow(
            key, c.split, n_open[key], c.panel_entropy, c.posterior_entropy, c.rulings_on_pattern, c.is_full_panel
        )
        for key, c in one_each.items()
    ]


def _pattern_score(row: PatternRow, mass: int, n_rulings: int, policy: SelectionPolicy) -> float:
    match policy:
        case SelectionPolicy.POSTERIOR_ENTROPY:
            return score(row.posterior_entropy, mass, n_rulings)
        case SelectionPolicy.PANEL_ENTROPY:
            return row.panel_entropy
        case SelectionPolicy.RANDOM:
            return 0.0


def _place(row: PatternRow, value: float, policy: SelectionPolicy) -> tuple[bool, float, float, int]:
    if policy is SelectionPolicy.RANDOM:
        return (not row.is_full_panel, 0.0, 0.0, 0)
    return (
        not row.is_full_panel,
        -round(value, _SCORE_DIGITS),
        -round(row.panel_entropy, _SCORE_DIGITS),
        row.rulings,
    )
