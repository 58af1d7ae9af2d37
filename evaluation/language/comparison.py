"""Whether a quantity is found among others, and whether two texts carry the same quantities."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import floor, isclose, log10

from evaluation.language.quantities import DATE, Quantity, Reading, Sense, find_quantities

ROUNDING_FROM = 1000.0
ROUNDING_TOLERANCE = 0.006
APPROXIMATE_TOLERANCE = 0.05
TEMPERATURE_TOLERANCE = 0.5
BOUND_FACTOR = 2.0
_EXACT = 1e-4


class Found(StrEnum):
    """What looking a quantity up gave."""

    FOUND = "found"
    LOOSE = "loose"  # only a range around it, or a bound it fits from afar
    MISSING = "missing"


class Agreement(StrEnum):
    """How the quantities of two texts compare."""

    SAME = "same"
    ONE_SIDED = "one_sided"
    DIFFERENT = "different"


def look_up(wanted: Quantity, among: Sequence[Quantity]) -> Found:
    """Look a quantity up among those of a source.

    Values must be the same after conversion inside a unit family; a unit missing on one side is compatible, except
    for a full date. An "about" of the wanted one allows 5 %, an "over" or "under" a plain value within a factor of 2.
    A pair must come in the same order.
    """
    if wanted.pair:
        return _look_up_pair(wanted, among)
    singles = [end for quantity in among for end in quantity.ends]
    if any(_is_same(wanted, single) for single in singles):
        return Found.FOUND
    if any(_is_inside(wanted, quantity) for quantity in among) or any(_fits_bound(wanted, one) for one in singles):
        return Found.LOOSE
    return Found.MISSING


def comparable(one: Quantity, other: Quantity) -> bool:
    """Say whether two quantities measure the same sort of thing, so that one can be named against the other."""
    pairs = _reading_pairs(one.ends[0], other.ends[0])
    return any(left.unit and right.unit and left.unit.family == right.unit.family for left, right in pairs)


def compare_quantities(one: str, other: str) -> Agreement:
    """Say whether two texts carry the same quantities, all of them and to the digit."""
    left, right = find_quantities(one), find_quantities(other)
    if not left and not right:
        return Agreement.SAME
    if not left or not right:
        return Agreement.ONE_SIDED
    is_covered = _all_twinned(left, right) and _all_twinned(right, left)
    return Agreement.SAME if is_covered else Agreement.DIFFERENT


def same_value(left: Reading, right: Reading) -> bool:
    """Say whether two readings are the same amount; large ones may be a rounding of each other."""
    if not left.unit or not right.unit:
        return isclose(left.value, right.value, rel_tol=_EXACT)
    if left.unit.family != right.unit.family:
        return False
    if left.unit.family == "temperature" and left.unit != right.unit:
        return abs(left.base - right.base) <= TEMPERATURE_TOLERANCE
    return _is_exact(left, right) or _is_rounding(left.base, right.base)


def _is_exact(left: Reading, right: Reading) -> bool:
    is_whole = left.unit == right.unit
    return left.value == right.value if is_whole else isclose(left.base, right.base, rel_tol=_EXACT)


def _is_rounding(left: float, right: float) -> bool:
    if min(abs(left), abs(right)) < ROUNDING_FROM or not isclose(left, right, rel_tol=ROUNDING_TOLERANCE):
        return False
    coarse, fine = sorted((left, right), key=_n_digits)
    place = floor(log10(abs(fine))) + 1 - _n_digits(coarse)
    return isclose(round(fine / 10**place) * 10**place, coarse, rel_tol=1e-9)


def _n_digits(value: float) -> int:
    return len(f"{abs(value):.6f}".replace(".", "").strip("0")) or 1


def _reading_pairs(one: Quantity, other: Quantity) -> list[tuple[Reading, Reading]]:
    pairs = [(left, right) for left in one.readings for right in other.readings]
    dated = [(left, right) for left, right in pairs if left.unit == DATE and right.unit == DATE]
    return dated or pairs


def _is_same(wanted: Quantity, single: Quantity) -> bool:
    pairs = _reading_pairs(wanted, single)
    if any(reading.unit == DATE for reading in wanted.readings):
        pairs = [(left, right) for left, right in pairs if left.unit and right.unit]
    if any(same_value(left, right) for left, right in pairs):
        return True
    if wanted.sense is Sense.APPROXIMATE:
        return any(_is_near(left, right) for left, right in pairs)
    return _has_bound_for(wanted, single) and any(
        _is_bounded(wanted.sense, left, right) and _is_within_factor(left, right) for left, right in pairs
    )


def _has_bound_for(wanted: Quantity, single: Quantity) -> bool:
    """Say whether a limit may be met by a value; "at most 60" of a source does not make "at most 80" right."""
    bounds = (Sense.AT_LEAST, Sense.AT_MOST)
    return wanted.sense in bounds and single.sense not in bounds


def _is_comparable(left: Reading, right: Reading) -> bool:
    if left.unit and right.unit:
        return left.unit.family == right.unit.family
    return left.unit is right.unit


def _is_near(left: Reading, right: Reading) -> bool:
    return _is_comparable(left, right) and isclose(left.base, right.base, rel_tol=APPROXIMATE_TOLERANCE)


def _is_bounded(sense: Sense, left: Reading, right: Reading) -> bool:
    if not _is_comparable(left, right):
        return False
    return right.base >= left.base if sense is Sense.AT_LEAST else right.base <= left.base


def _is_within_factor(left: Reading, right: Reading) -> bool:
    low, high = sorted((left.base, right.base))
    return low > 0 and high <= BOUND_FACTOR * low


def _fits_bound(wanted: Quantity, single: Quantity) -> bool:
    if not _has_bound_for(wanted, single):
        return False
    pairs = _reading_pairs(wanted, single)
    return any(left.unit is not None and _is_bounded(wanted.sense, left, right) for left, right in pairs)


def _is_inside(wanted: Quantity, holder: Quantity) -> bool:
    if not holder.pair:
        return False
    low, high = holder.pair
    return any(
        _is_bounded(Sense.AT_MOST, left, bottom) and _is_bounded(Sense.AT_LEAST, left, top)
        for left, bottom in _reading_pairs(wanted, low)
        for _, top in _reading_pairs(wanted, high)
    )


def _look_up_pair(wanted: Quantity, among: Sequence[Quantity]) -> Found:
    pairs = [quantity.pair for quantity in among if quantity.pair]
    first, second = wanted.ends
    if any(_is_same(first, low) and _is_same(second, high) for low, high in pairs):
        return Found.FOUND
    if any(_is_same(first, high) and _is_same(second, low) for low, high in pairs):
        return Found.MISSING
    if wanted.is_between and any(not one.pair and _is_inside(one, wanted) for one in among):
        return Found.FOUND
    return min(look_up(first, among), look_up(second, among), key=[Found.MISSING, Found.LOOSE, Found.FOUND].index)


def _all_twinned(left: Sequence[Quantity], right: Sequence[Quantity]) -> bool:
    return all(any(_is_twin(one, other) for other in right) for one in left)


def _is_twin(one: Quantity, other: Quantity) -> bool:
    if len(one.ends) != len(other.ends) or one.sense is not other.sense:
        return False
    return all(
        any(_is_same_amount(left, right) for left, right in _reading_pairs(mine, theirs))
        for mine, theirs in zip(one.ends, other.ends, strict=True)
    )


def _is_same_amount(left: Reading, right: Reading) -> bool:
    if (left.unit is None) != (right.unit is None):
        return False
    return same_value(left, right) and not (left.unit == right.unit and left.value != right.value)
