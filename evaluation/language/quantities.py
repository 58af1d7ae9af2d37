"""Numbers with their units, dates and times of day, as a text gives them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from evaluation.language.dates import Moment, find_moments
from evaluation.language.lexicon import Unit, lexicon
from evaluation.language.numerals import Numeral, find_numerals
from evaluation.language.words import normalise

CLOCK = Unit("time of day", "clock", 1.0, 0.0)
DATE = Unit("date", "date", 1.0, 0.0)
_PERCENT = "%"
_BETWEEN = re.compile(r"\s*(?:-|\u2013|to|and)\s*", re.I)


class Sense(StrEnum):
    """How a number is meant."""

    EXACT = "exact"
    APPROXIMATE = "approximate"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"


@dataclass(frozen=True)
class Reading:
    """One possible meaning of a written number."""

    value: float
    unit: Unit | None = None

    @property
    def base(self) -> float:
        """The value in the base unit of its family; without a unit the value itself."""
        return (self.value + self.unit.offset) * self.unit.factor if self.unit else self.value


@dataclass(frozen=True)
class Quantity:
    """A number as written, or an ordered pair of numbers ("2 to 8 °C", "6-1"); a pair has no reading of its own."""

    text: str
    readings: tuple[Reading, ...]
    start: int
    end: int
    sense: Sense = Sense.EXACT
    pair: tuple[Quantity, Quantity] | None = None
    is_between: bool = False

    @property
    def ends(self) -> tuple[Quantity, ...]:
        """The single quantities it is made of."""
        return self.pair or (self,)


@lru_cache(maxsize=4096)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text in order: dates, times of day, numbers with unit, pairs of them."""
    flat = normalise(text)
    moments = find_moments(flat)
    masked = _masked(flat, moments)
    singles: list[Quantity] = []
    for numeral in find_numerals(masked):
        taken = singles[-1].end if singles else 0
        if numeral.start >= taken:
            singles.append(_of_numeral(masked, numeral, taken))
    singles.extend(_of_moment(flat, moment) for moment in moments)
    singles.sort(key=lambda item: item.start)
    return _paired(flat, [_with_sense(flat, single) for single in singles])


def _masked(text: str, moments: list[Moment]) -> str:
    signs = list(text)
    for moment in moments:
        signs[moment.start : moment.end] = ";" * (moment.end - moment.start)
    return "".join(signs)


def _of_moment(text: str, moment: Moment) -> Quantity:
    readings = [Reading(minutes, CLOCK) for minutes in moment.minutes]
    for day in moment.days:
        if day.year is not None:
            readings.append(Reading(day.year * 10_000 + day.month * 100 + day.day, DATE))
            readings.append(Reading(day.year))
        readings.append(Reading(day.day, _day_of(day.month)))
    return Quantity(text[moment.start : moment.end].rstrip("."), tuple(readings), moment.start, moment.end)


@lru_cache(maxsize=12)
def _day_of(month: int) -> Unit:
    return Unit(f"day of month {month}", f"day of month {month}", 1.0, 0.0)


@lru_cache(maxsize=1)
def _after_number() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in sorted(lexicon().units, key=len, reverse=True))
    scales = "|".join(sorted({*lexicon().numbers.scales, *lexicon().numbers.scale_letters}, key=len, reverse=True))
    return re.compile(
        rf"(?:(?P<space>\s*)(?P<scale>{scales})(?![\w/]))?"
        rf"(?:[\s-]*(?:degrees?\s+|\u00b0\s+(?=[cf]\b))?(?P<unit>per\s+cent|{words})(?![\w]))?",
        re.I,
    )


def _of_numeral(text: str, numeral: Numeral, taken: int) -> Quantity:
    start, before = _currency_before(text, numeral.start)
    if start < taken:
        start, before = numeral.start, None
    match = _after_number().match(text, numeral.end)
    space, scale, unit_word = (match["space"] or "", match["scale"], match["unit"]) if match else ("", None, None)
    end = match.end() if match else numeral.end
    is_plural_decade = (unit_word or "").lower() == "s" and numeral.values[0] >= 1000
    if is_plural_decade or (numeral.is_share and not unit_word):
        unit_word, end = None, numeral.end
    unit = before or _unit(unit_word)
    if numeral.is_share and unit is None:
        values = tuple(100 * value for value in numeral.values)
        readings = [Reading(value, lexicon().units[_PERCENT]) for value in values]
    else:
        readings = [one for value in numeral.values for one in _readings(value, (scale or "").lower(), unit, space)]
    return Quantity(text[start:end].strip(), tuple(readings), start, end)


def _currency_before(text: str, start: int) -> tuple[int, Unit | None]:
    head = text[:start].rstrip()
    for sign in lexicon().numbers.currencies_before:
        rest = head[: -len(sign)]
        is_code = sign.isalpha() and (rest[-1:].isalnum() or rest.rstrip()[-1:].isdigit())
        if head.lower().endswith(sign) and not is_code:
            return len(rest), lexicon().units[sign]
    return start, None


def _unit(word: str | None) -> Unit | None:
    if not word:
        return None
    lower = word.lower()
    return lexicon().units.get(_PERCENT if lower.startswith("per") else lower)


def _readings(value: float, scale: str, unit: Unit | None, space: str) -> list[Reading]:
    numbers = lexicon().numbers
    if scale == "m" and not unit:
        metres = Reading(value, lexicon().units["m"])
        return [metres] if space else [metres, Reading(value * numbers.scale_letters["m"])]
    return [Reading(value * {**numbers.scales, **numbers.scale_letters}.get(scale, 1.0), unit)]


def _with_sense(text: str, quantity: Quantity) -> Quantity:
    head = text[max(0, quantity.start - 20) : quantity.start].lower().rstrip(" (")
    for sense, words in lexicon().numbers.senses.items():
        if any(re.search(rf"(?:^|[^\w]){re.escape(word)}\.?$", head) for word in words):
            return replace(quantity, sense=Sense(sense))
    return quantity


def _paired(text: str, singles: list[Quantity]) -> tuple[Quantity, ...]:
    found: list[Quantity] = []
    at = 0
    while at < len(singles):
        first = singles[at]
        second = singles[at + 1] if at + 1 < len(singles) else None
        if second and _is_pair(text, first, second):
            found.append(_pair(text, first, second))
            at += 2
            continue
        found.append(first)
        at += 1
    return tuple(found)


def _is_pair(text: str, first: Quantity, second: Quantity) -> bool:
    gap = text[first.end : second.start]
    if not _BETWEEN.fullmatch(gap):
        return False
    return "and" not in gap.lower() or _says_between(text, first)


def _says_between(text: str, first: Quantity) -> bool:
    return text[: first.start].rstrip().lower().endswith("between")


def _pair(text: str, first: Quantity, second: Quantity) -> Quantity:
    lent = next((reading.unit for reading in second.readings if reading.unit), None)
    if lent and not any(reading.unit for reading in first.readings):
        first = replace(first, readings=tuple(Reading(reading.value, lent) for reading in first.readings))
    whole = text[first.start : second.end]
    is_between = _says_between(text, first)
    return Quantity(whole, (), first.start, second.end, first.sense, (first, second), is_between)
