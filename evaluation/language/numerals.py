"""Numerals of a text: digits, number words, fractions and Roman numbers, each with its possible values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf

from evaluation.language.lexicon import lexicon
from evaluation.language.spans import without_overlaps

_FREE = r"(?<!\w)(?<!\w[.,])(-(?<!\w-))?"
_DIGITS = re.compile(rf"{_FREE}(?:(\d+) )?(\d+)/(\d+)(?![/\d])|{_FREE}(\d+(?:[.,]\d+)*)")
_WORD_RUN = re.compile(r"[a-z]+(?:[ -][a-z]+)*")
_WORD = re.compile(r"[a-z]+")
_TAIL = re.compile(r" and (a|one|three) (half|quarters?|third)\b")
_SHARE = re.compile(
    r"(?<!first )(?<!second )(?<!last )\b(?:(a|one|two|three|four)[ -](half|thirds?|quarters?|fifths?)|(half))"
    r"(?: of)?(?: (an?))?(?= \w)"
)
_NEXT_WORD = re.compile(r" ([a-z]+)")
_ROMAN = re.compile(r"\b([^\W\d_]+) ([IVX]{1,6})\b")
_ROMAN_VALUE = re.compile(r"(X{0,3})(IX|IV|V?I{0,3})$")
_MIN_FREE_ROMAN = 3
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}


@dataclass(frozen=True)
class Numeral:
    """A number as written; more than one value where the writing is ambiguous ("1.500")."""

    values: tuple[float, ...]
    start: int
    end: int
    is_share: bool = False


def find_numerals(text: str) -> list[Numeral]:
    """Return the numerals of a normalised text in order, without overlaps.

    "one", "first", "second" and "twice" alone are no numbers.
    """
    return without_overlaps([*_shares(text), *_digits(text), *_number_words(text), *_romans(text)])


def literal_values(literal: str) -> tuple[float, ...]:
    """Return what a digit literal may mean: 1,940 is 1940; 1.500 is 1500 or 1.5; 1.2.3 is nothing."""
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", literal):
        return (float(literal.replace(",", "")),)
    if re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", literal):
        return (float(literal.replace(".", "")), float(literal))
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", literal) and not literal.startswith("0"):
        return (float(literal.replace(".", "").replace(",", ".")),)
    if re.fullmatch(r"\d+(?:[.,]\d+)?", literal):
        return (float(literal.replace(",", ".")),)
    return ()


def _digits(text: str) -> list[Numeral]:
    found: list[Numeral] = []
    for match in _DIGITS.finditer(text):
        values = _digit_values(match)
        if values:
            added, end = _tail(text, match.end())
            found.append(Numeral(tuple(value + added for value in values), match.start(), end))
    return found


def _digit_values(match: re.Match[str]) -> tuple[float, ...]:
    sign = -1.0 if match[1] or match[5] else 1.0
    if match[6]:
        return tuple(sign * value for value in literal_values(match[6]))
    parts = float(match[4])
    if not 0 < parts < inf:
        return ()
    return (sign * (float(match[2] or 0) + float(match[3]) / parts),)


def _lower(text: str) -> str:
    """Lower the case and keep every place: the one letter that would become two code points becomes a plain i."""
    return text.replace("İ", "i").lower()


def _tail(text: str, end: int) -> tuple[float, int]:
    match = _TAIL.match(_lower(text), end)
    if not match:
        return 0.0, end
    return _COUNTS[match[1]] * lexicon().numbers.fractions[match[2]], match.end()


class _Cardinal:
    """Adds up the words of one cardinal number."""

    def __init__(self) -> None:
        self.total = 0.0
        self.current = 0.0
        self.last = ""
        self.n_words = 0

    @property
    def value(self) -> float:
        return self.total + self.current

    def take(self, word: str) -> bool:
        """Take the word in if it continues the number."""
        numbers = lexicon().numbers
        is_taken = False
        if word in numbers.values:
            is_taken = self._take_small(numbers.values[word])
        elif word in numbers.dozens and self.n_words <= 1:
            self.current, self.last = max(self.current, 1) * numbers.dozens[word], "unit"
            is_taken = True
        elif word in numbers.scales:
            self._take_scale(numbers.scales[word])
            is_taken = True
        self.n_words += is_taken
        return is_taken

    def _take_small(self, value: float) -> bool:
        if self.last == "unit" or (self.last == "ten" and not 0 < value < 10):
            return False
        self.current += value
        self.last = "ten" if value >= 20 else "unit"
        return True

    def _take_scale(self, scale: float) -> None:
        if scale == 100:
            self.current = max(self.current, 1) * scale
        else:
            self.total += max(self.current, 1) * scale
            self.current = 0
        self.last = "scale"


def _number_words(text: str) -> list[Numeral]:
    lower = _lower(text)
    found: list[Numeral] = []
    for run in _WORD_RUN.finditer(lower):
        words = list(_WORD.finditer(lower, run.start(), run.end()))
        at = 0
        while at < len(words):
            numeral, used = _cardinal(lower, words, at)
            if numeral:
                found.append(numeral)
            at += max(used, 1)
    return found


def _cardinal(lower: str, words: list[re.Match[str]], at: int) -> tuple[Numeral | None, int]:
    number = _Cardinal()
    numbers = lexicon().numbers
    stop = at
    if words[at].group() == "a" and at + 1 < len(words) and words[at + 1].group() in numbers.scales | numbers.dozens:
        stop += 1
    while stop < len(words):
        is_joint = words[stop].group() == "and" and number.last == "scale" and stop + 1 < len(words)
        if is_joint and words[stop + 1].group() in numbers.values:
            stop += 1
        if not number.take(words[stop].group()):
            break
        stop += 1
    if not number.n_words:
        return None, 0
    added, end = _tail(lower, words[stop - 1].end())
    is_plain_one = number.value == 1 and not added
    return (None if is_plain_one else Numeral((number.value + added,), words[at].start(), end)), stop - at


def _shares(text: str) -> list[Numeral]:
    lower, numbers = _lower(text), lexicon().numbers
    found: list[Numeral] = []
    for match in _SHARE.finditer(lower):
        if not match[4] and " of" not in match.group() and not match[3]:
            continue
        value = _COUNTS.get(match[1] or "a", 1) * numbers.fractions[match[2] or match[3]]
        scale = _NEXT_WORD.match(lower, match.end()) if match[4] else None
        if scale and (factor := (numbers.scales | numbers.dozens).get(scale[1])):  # "half a million" is no share
            found.append(Numeral((value * factor,), match.start(), scale.end()))
        else:
            found.append(Numeral((value,), match.start(), match.end(), is_share=True))
    return found


def _romans(text: str) -> list[Numeral]:
    found: list[Numeral] = []
    for match in _ROMAN.finditer(text):
        is_after_kind = match[1].lower() in lexicon().numbers.roman_after
        is_regnal = match[1][0].isupper() and not match[1].isupper() and len(match[2]) >= _MIN_FREE_ROMAN
        shape = _ROMAN_VALUE.fullmatch(match[2])
        if shape and (is_after_kind or is_regnal):
            found.append(Numeral((_roman(shape),), match.start(2), match.end()))
    return found


def _roman(shape: re.Match[str]) -> float:
    units = {"": 0, "I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9}
    return 10.0 * len(shape[1]) + units[shape[2]]
