"""The versioned word lists of `lexicon.json`, read once and typed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypedDict

LEXICON_FILE = Path(__file__).with_name("lexicon.json")


@dataclass(frozen=True)
class Unit:
    """A unit of measurement; `factor` and `offset` lead to the family's base: (value + offset) * factor."""

    name: str
    family: str
    factor: float
    offset: float


@dataclass(frozen=True)
class NegationWords:
    """Cues, what ends their scope, and the phrases in which a cue negates nothing."""

    cues: frozenset[str]
    cancelling: frozenset[str]
    passive: frozenset[str]
    auxiliaries: frozenset[str]
    scope_ends: frozenset[str]
    not_a_cue: tuple[tuple[str, ...], ...]
    denials: frozenset[str]


@dataclass(frozen=True)
class NumberWords:
    """Words that make numbers, and the words around a number that change its sense."""

    values: dict[str, float]
    scales: dict[str, float]
    scale_letters: dict[str, float]
    dozens: dict[str, float]
    fractions: dict[str, float]
    roman_after: frozenset[str]
    currencies_before: frozenset[str]
    months: dict[str, int]
    senses: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Lexicon:
    """All word lists of one version."""

    version: int
    stop_words: frozenset[str]
    abbreviations: frozenset[str]
    abbreviations_before_digits: frozenset[str]
    abbreviations_before_lower_case: frozenset[str]
    negation: NegationWords
    universals: frozenset[str]
    antonyms: tuple[tuple[frozenset[str], frozenset[str]], ...]
    numbers: NumberWords
    units: dict[str, Unit]
    english_function_words: frozenset[str]
    foreign_function_words: frozenset[str]
    tag_cues: dict[str, frozenset[str]]


class _RawNumbers(TypedDict):
    values: dict[str, float]
    scales: dict[str, float]
    scale_letters: dict[str, float]
    dozens: dict[str, float]
    fractions: dict[str, float]
    roman_after: list[str]
    currencies_before: list[str]
    months: dict[str, int]
    senses: dict[str, list[str]]


class _RawUnit(TypedDict):
    name: str
    family: str
    factor: float
    offset: float
    words: list[str]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the word lists; the file is part of the code, so a broken one raises at the first use."""
    raw = json.loads(LEXICON_FILE.read_text(encoding="utf-8"))
    foreign = {word for words in raw["foreign_function_words"].values() for word in words}
    return Lexicon(
        version=raw["version"],
        stop_words=frozenset(raw["stop_words"]),
        abbreviations=frozenset(raw["abbreviations"]),
        abbreviations_before_digits=frozenset(raw["abbreviations_before_digits"]),
        abbreviations_before_lower_case=frozenset(raw["abbreviations_before_lower_case"]),
        negation=_negation(raw["negation"]),
        universals=frozenset(raw["universals"]),
        antonyms=tuple((frozenset(one), frozenset(other)) for one, other in raw["antonyms"]),
        numbers=_numbers(raw["numbers"]),
        units=_units(raw["units"]),
        english_function_words=frozenset(raw["english_function_words"]) | frozenset(raw["stop_words"]),
        foreign_function_words=frozenset(foreign),
        tag_cues={cue: frozenset(words) for cue, words in raw["tag_cues"].items()},
    )


def _negation(raw: dict[str, list[str]]) -> NegationWords:
    return NegationWords(
        cues=frozenset(raw["cues"]),
        cancelling=frozenset(raw["cancelling"]),
        passive=frozenset(raw["passive"]),
        auxiliaries=frozenset(raw["auxiliaries"]),
        scope_ends=frozenset(raw["scope_ends"]),
        not_a_cue=tuple(tuple(phrase.split()) for phrase in raw["not_a_cue"]),
        denials=frozenset(raw["denials"]),
    )


def _numbers(raw: _RawNumbers) -> NumberWords:
    return NumberWords(
        values=raw["values"],
        scales=raw["scales"],
        scale_letters=raw["scale_letters"],
        dozens=raw["dozens"],
        fractions=raw["fractions"],
        roman_after=frozenset(raw["roman_after"]),
        currencies_before=frozenset(raw["currencies_before"]),
        months=raw["months"],
        senses={sense: tuple(words) for sense, words in raw["senses"].items()},
    )


def _units(raw: list[_RawUnit]) -> dict[str, Unit]:
    found: dict[str, Unit] = {}
    for entry in raw:
        unit = Unit(entry["name"], entry["family"], entry["factor"], entry["offset"])
        found.update(dict.fromkeys(entry["words"], unit))
    return found
