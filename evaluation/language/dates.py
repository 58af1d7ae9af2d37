"""Dates and times of day in a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from evaluation.language.lexicon import lexicon
from evaluation.language.spans import without_overlaps

_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d./])(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)")
_CLOCK = re.compile(
    r"(?<![\d:.])(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.?m\b\.?|(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])", re.I
)
_NOON = 12 * 60
_PROSE_MONTHS = ("may", "march", "mar")


@dataclass(frozen=True)
class Day:
    """A day of the year, in a given year or in none."""

    year: int | None
    month: int
    day: int


@dataclass(frozen=True)
class Moment:
    """A date or a time of day as written; more than one reading where the writing is ambiguous ("3/4/2024")."""

    start: int
    end: int
    days: tuple[Day, ...] = ()
    minutes: tuple[int, ...] = ()


def find_moments(text: str) -> list[Moment]:
    """Return dates and times of day of a normalised text in order, without overlaps."""
    return without_overlaps([*_iso(text), *_numeric(text), *_day_month(text), *_month_day(text), *_clocks(text)])


def _day(year: str | int | None, month: int | None, day: str | int) -> tuple[Day, ...]:
    if month is None:
        return ()
    try:
        date(int(year or 2000), month, int(day))
    except ValueError:
        return ()
    return (Day(int(year) if year else None, month, int(day)),)


def _iso(text: str) -> list[Moment]:
    return [
        Moment(match.start(), match.end(), days)
        for match in _ISO.finditer(text)
        if (days := _day(match[1], int(match[2]), match[3]))
    ]


def _numeric(text: str) -> list[Moment]:
    found: list[Moment] = []
    for match in _NUMERIC.finditer(text):
        days = _day(match[3], int(match[2]), match[1]) + _day(match[3], int(match[1]), match[2])
        if days:
            found.append(Moment(match.start(), match.end(), tuple(dict.fromkeys(days))))
    return found


def _months() -> str:
    return "|".join(sorted(lexicon().numbers.months, key=len, reverse=True))


def _month(name: str) -> int | None:
    """Return the number of a month; None for foreign letters that a pattern without case takes for ours ("Aprıl")."""
    return lexicon().numbers.months.get(name.lower())


def _day_month(text: str) -> list[Moment]:
    pattern = rf"(?<![\d.,])(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_months()})\b\.?(?:,? (\d{{4}})(?!\d))?"
    return [
        Moment(match.start(), match.end(), days)
        for match in re.finditer(pattern, text, re.I)
        if (days := _day(match[3], _month(match[2]), match[1]))
    ]


def _month_day(text: str) -> list[Moment]:
    pattern = rf"\b({_months()})\.? (\d{{1,2}})(?:st|nd|rd|th)?(?![\d:.,]?\d)(?:,? (\d{{4}})(?!\d))?"
    found: list[Moment] = []
    for match in re.finditer(pattern, text, re.I):
        is_prose = match[1].lower() in _PROSE_MONTHS and match[1].islower()
        days = _day(match[3], _month(match[1]), match[2])
        if days and not is_prose:
            found.append(Moment(match.start(), match.end(), days))
    return found


def _clocks(text: str) -> list[Moment]:
    found: list[Moment] = []
    for match in _CLOCK.finditer(text):
        minutes = _half_day(match) if match[3] else _full_day(int(match[4]), int(match[5]))
        if minutes:
            found.append(Moment(match.start(), match.end(), minutes=minutes))
    return found


def _half_day(match: re.Match[str]) -> tuple[int, ...]:
    hour, minute = int(match[1]), int(match[2] or 0)
    if not 1 <= hour <= 12 or minute > 59:
        return ()
    return (hour % 12 * 60 + minute + (_NOON if match[3].lower() == "p" else 0),)


def _full_day(hour: int, minute: int) -> tuple[int, ...]:
    early = hour * 60 + minute
    return (early, early + _NOON) if 1 <= hour < 12 else (early, 0) if hour == 12 and not minute else (early,)
