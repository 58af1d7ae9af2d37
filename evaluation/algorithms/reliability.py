"""How far each voter can be trusted, learned from the rulings of people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from scipy.special import betaincinv

from evaluation.schemas import Vote

PRIOR_MEAN = 0.7
PRIOR_STRENGTH = 8.0
MEAN_LIMITS = (0.02, 0.98)
INTERVAL_TAILS = (0.025, 0.975)


@dataclass(frozen=True)
class Reliability:
    """A voter's estimated share of right votes, its central 95 % interval, and the weight that follows from it.

    `agreed` of `decided` ruled claims the voter had voted on; both may be fractional with samples.
    """

    mean: float
    lower: float
    upper: float
    weight: float
    agreed: float
    decided: float


def estimate(agreed: float, decided: float, n_labels: int, strength: float = PRIOR_STRENGTH) -> Reliability:
    """Beta-smoothed reliability ``p = (0.7 a + r) / (a + n)`` and the log-odds weight of a vote.

    Parameters
    ----------
    agreed
        r, ruled claims on which the voter said what the expert said.
    decided
        n, ruled claims the voter had voted on.
    n_labels
        K, labels that occur; the weight is ``ln(p (K - 1) / (1 - p))``, which for K = 2 is the log-odds of p.
    strength
        a, how many rulings the prior of 0.7 is worth (8; 32 for offline judges, both measured).

    Returns
    -------
    Reliability
        Mean clipped to [0.02, 0.98]; interval of Beta(0.7 a + r, 0.3 a + n - r).

    Raises
    ------
    ValueError
        If `agreed` is not in [0, `decided`] or `strength` is not above zero.

    Notes
    -----
    Without rulings the mean is 0.7 for everybody, so equal votes weigh the same. A voter worse than chance gets
    a negative weight: its votes speak against their label. Fewer than two labels count as two.

    References
    ----------
    S. Nitzan and J. Paroush, "Optimal Decision Rules in Uncertain Dichotomous Choice Situations",
    International Economic Review 23 (1982): log-odds weights are optimal for independent voters.

    Examples
    --------
    >>> round(estimate(0, 0, n_labels=2).weight, 3), round(estimate(2, 2, n_labels=2).mean, 2)
    (0.847, 0.76)
    """
    if not 0 <= agreed <= decided + 1e-9:
        raise ValueError(f"a voter cannot agree with {agreed} of {decided} rulings")
    if strength <= 0:
        raise ValueError(f"the prior strength must be above zero, not {strength}")
    right = PRIOR_MEAN * strength + agreed
    wrong = (1 - PRIOR_MEAN) * strength + max(0.0, decided - agreed)
    lower, upper = (float(betaincinv(right, wrong, tail)) for tail in INTERVAL_TAILS)
    mean = min(max(right / (right + wrong), MEAN_LIMITS[0]), MEAN_LIMITS[1])
    weight = log(mean * (max(2, n_labels) - 1) / (1 - mean))
    return Reliability(mean, lower, upper, weight, agreed, decided)


def tally(rulings: Iterable[tuple[Sequence[Vote], str]]) -> dict[str, tuple[float, float]]:
    """Count per voter the rulings it agreed with and the rulings it had voted on.

    Parameters
    ----------
    rulings
        For each surviving ruling the cast votes on the claim and the ruled label.

    Returns
    -------
    dict
        Voter to ``(agreed, decided)``; a voter that never voted on a ruled claim is absent.

    Examples
    --------
    >>> tally([([Vote("a", "accept"), Vote("b", "reject")], "accept")])
    {'a': (1.0, 1.0), 'b': (0.0, 1.0)}
    """
    counts: dict[str, tuple[float, float]] = {}
    for votes, ruling in rulings:
        for vote in votes:
            agreed, decided = counts.get(vote.voter, (0.0, 0.0))
            counts[vote.voter] = (agreed + vote.share * (vote.label == ruling), decided + vote.share)
    return counts


def reliabilities(
    rulings: Iterable[tuple[Sequence[Vote], str]], strengths: Mapping[str, float], n_labels: int
) -> dict[str, Reliability]:
    """Reliability of every voter as a function of the surviving rulings alone, in whatever order they came.

    Parameters
    ----------
    rulings
        For each surviving ruling the cast votes on the claim and the ruled label.
    strengths
        Voter to prior strength; voters with a ruled vote that are missing here get the default of 8.
    n_labels
        K, labels that occur for this kind of claim.

    Returns
    -------
    dict
        One entry for each voter of `strengths` or of a ruled claim, sorted by voter.

    Raises
    ------
    ValueError
        If a strength is not above zero.
    """
    counts = tally(rulings)
    voters = sorted(set(strengths) | set(counts))
    return {
        voter: estimate(*counts.get(voter, (0.0, 0.0)), n_labels, strengths.get(voter, PRIOR_STRENGTH))
        for voter in voters
    }


def weights_of(found: Mapping[str, Reliability]) -> dict[str, float]:
    """Voter to weight, as `outcome` and `propagation` take it."""
    return {voter: reliability.weight for voter, reliability in found.items()}
