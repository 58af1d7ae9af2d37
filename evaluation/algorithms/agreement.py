"""How far raters agree beyond chance, and plainly where no such figure exists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import krippendorff
import numpy as np

Level = Literal["nominal", "ordinal", "interval"]
Rating = str | int | float | None

NO_PAIR = "no item has two ratings"
NO_VARIATION = "no variation: every rating is the same"
DOMINANT_SHARE = 0.9


@dataclass(frozen=True)
class Agreement:
    """A chance-corrected coefficient, or None with the reason why it is not defined.

    `raw` is the share of agreeing pairs of ratings (None without a pair), `n_units` the items with at least two
    ratings, `note` a caution to print beside the figure.
    """

    value: float | None
    reason: str
    raw: float | None
    n_units: int
    note: str = ""


def krippendorff_alpha(ratings: Sequence[Sequence[Rating]], level: Level = "nominal") -> Agreement:
    """Krippendorff's alpha, ``1 - D_observed / D_expected``.

    Parameters
    ----------
    ratings
        Raters by units: one row per rater, all of one length, None where a rater gave no rating.
    level
        Distance between ratings: `nominal` (any values), `ordinal` or `interval` (numbers).

    Returns
    -------
    Agreement
        Not defined if no unit has two ratings, or if all ratings in such units are the same.

    Raises
    ------
    ValueError
        If rows differ in length, or ratings of an ordinal or interval scale are not finite numbers.

    Notes
    -----
    Units with fewer than two ratings are left out. Where one value holds 90 % of the ratings a note says so: alpha
    is then low even at high raw agreement.

    References
    ----------
    K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", University of Pennsylvania (2011); computed by
    the package `krippendorff`.

    Examples
    --------
    >>> krippendorff_alpha([["a", "b", "a"], ["a", "b", "b"]]).value
    0.4444444444444444
    """
    units = _pairable_units(ratings)
    values = [value for unit in units for value in unit]
    undefined = _undefined(units)
    if undefined is not None:
        return undefined
    domain = _domain(values, level)
    code = {value: number for number, value in enumerate(domain)}
    counts = np.array([[Counter(unit)[value] for value in domain] for unit in units])
    scale = list(range(len(code))) if level == "nominal" else domain
    alpha = float(krippendorff.alpha(value_counts=counts, value_domain=scale, level_of_measurement=level))
    return Agreement(alpha, "", _raw(units), len(units), _note(values))


def cohen_kappa(first: Sequence[Rating], second: Sequence[Rating]) -> Agreement:
    """Cohen's kappa of two raters, ``(p_o - p_e) / (1 - p_e)``, unweighted.

    Parameters
    ----------
    first, second
        Ratings of the same units in the same order; units that either left out (None) are skipped.

    Returns
    -------
    Agreement
        Not defined if no unit has both ratings, or if all ratings are the same.

    Raises
    ------
    ValueError
        If the lengths differ.

    Notes
    -----
    A rater who always says the same while the other varies has kappa 0. With one dominant value kappa can be
    negative at high raw agreement; a note says so.

    References
    ----------
    J. Cohen, "A Coefficient of Agreement for Nominal Scales", Educational and Psychological Measurement 20 (1960);
    computed by scikit-learn.

    Examples
    --------
    >>> cohen_kappa(["a", "a"], ["a", "a"]).reason
    'no variation: every rating is the same'
    """
    units = _pairable_units([first, second])
    undefined = _undefined(units)
    if undefined is not None:
        return undefined
    left, right = ([str(unit[side]) for unit in units] for side in (0, 1))
    values = [value for unit in units for value in unit]
    # two seconds to import, which no process should pay that shows no kappa
    from sklearn.metrics import cohen_kappa_score

    return Agreement(float(cohen_kappa_score(left, right)), "", _raw(units), len(units), _note(values))


def _pairable_units(ratings: Sequence[Sequence[Rating]]) -> list[list[str | int | float]]:
    if len({len(row) for row in ratings}) > 1:
        raise ValueError("every rater needs one entry per item; leave those not rated as None")
    units = [[value for value in unit if value is not None] for unit in zip(*ratings, strict=True)]
    return [unit for unit in units if len(unit) > 1]


def _undefined(units: Sequence[Sequence[str | int | float]]) -> Agreement | None:
    if not units:
        return Agreement(None, NO_PAIR, None, 0)
    if len({value for unit in units for value in unit}) == 1:
        return Agreement(None, NO_VARIATION, 1.0, len(units))
    return None


def _domain(values: Sequence[str | int | float], level: Level) -> list[str | int | float]:
    if level == "nominal":
        return sorted(set(values), key=lambda value: (isinstance(value, str), value))
    numbers = {value for value in values if not isinstance(value, str) and np.isfinite(value)}
    if len(numbers) < len(set(values)):
        raise ValueError(f"ratings on an {level} scale must be finite numbers")
    return sorted(numbers)


def _raw(units: Sequence[Sequence[str | int | float]]) -> float:
    agreeing = sum(count * (count - 1) for unit in units for count in Counter(unit).values())
    return agreeing / sum(len(unit) * (len(unit) - 1) for unit in units)


def _note(values: Sequence[str | int | float]) -> str:
    value, count = Counter(values).most_common(1)[0]
    if count < DOMINANT_SHARE * len(values):
        return ""
    return f"{count} of {len(values)} ratings are {value}; where one value dominates, read raw agreement beside this"
