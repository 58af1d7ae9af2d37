"""The cuts leave room in between, and every reply says by which rules it was made."""

from __future__ import annotations

from evaluation.language.lexicon import lexicon
from evaluation.llm.providers.offline.thresholds import RULES_VERSION, THRESHOLDS, rules_stamp


def test_each_pair_of_cuts_leaves_a_band_in_which_nobody_is_sure() -> None:
    assert 0 < THRESHOLDS.words_not_supported < THRESHOLDS.words_supported <= 1
    assert 0 < THRESHOLDS.meaning_not_supported < THRESHOLDS.meaning_supported <= 1
    assert 0 <= THRESHOLDS.new_words_supported < THRESHOLDS.new_words_not_supported < 1


def test_cuts_have_two_decimals_so_that_no_one_tuned_them_to_a_test() -> None:
    cuts = [value for value in vars(THRESHOLDS).values() if isinstance(value, float)]

    assert cuts == [round(cut, 2) for cut in cuts]


def test_the_stamp_names_judge_rules_and_word_lists() -> None:
    assert rules_stamp("words") == f"words (rules {RULES_VERSION}, lexicon {lexicon().version})"
