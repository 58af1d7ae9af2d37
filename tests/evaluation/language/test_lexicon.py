"""The word lists hold together, as the readers that look words up in them need."""

from __future__ import annotations

import json
from collections import Counter

from evaluation.language.lexicon import LEXICON_FILE, lexicon
from evaluation.language.quantities import Sense

RAW = json.loads(LEXICON_FILE.read_text(encoding="utf-8"))


def test_it_is_read_once_and_has_a_version() -> None:
    assert lexicon() is lexicon()
    assert lexicon().version >= 1


def test_no_unit_word_means_two_units() -> None:
    words = Counter(word for unit in RAW["units"] for word in unit["words"])

    assert [word for word, n in words.items() if n > 1] == []
    assert len(lexicon().units) == len(words)


def test_units_of_a_family_lead_to_one_base() -> None:
    units = lexicon().units

    assert units["hours"].family == units["minutes"].family == "time"
    assert units["hours"].factor == 60 * units["minutes"].factor
    assert units["kg"].factor == 1000 * units["grams"].factor
    assert round((68 + units["°f"].offset) * units["°f"].factor, 6) == 20
    assert all(unit.factor > 0 for unit in units.values())


def test_every_currency_that_stands_before_a_number_is_a_unit() -> None:
    assert lexicon().numbers.currencies_before <= set(lexicon().units)


def test_twelve_months_are_named_and_no_other() -> None:
    assert set(lexicon().numbers.months.values()) == set(range(1, 13))


def test_the_senses_are_those_that_quantities_knows() -> None:
    assert set(lexicon().numbers.senses) <= {sense.value for sense in Sense}


def test_cues_with_a_special_scope_are_cues() -> None:
    negation = lexicon().negation

    assert negation.cancelling <= negation.cues
    assert negation.passive <= negation.cues


def test_no_word_is_its_own_opposite() -> None:
    assert [pair for pair in lexicon().antonyms if pair[0] & pair[1]] == []


def test_words_are_in_lower_case_because_readers_look_them_up_so() -> None:
    found = lexicon()
    words = [*found.stop_words, *found.negation.cues, *found.units, *found.numbers.values, *found.numbers.months]

    assert [word for word in words if word != word.lower()] == []


def test_no_negation_cue_is_a_stop_word() -> None:
    assert lexicon().negation.cues.isdisjoint(lexicon().stop_words)
