"""Reasons in plain words."""

from __future__ import annotations

import re

from evaluation.llm.errors import LLMError
from evaluation.selectors import failures


def test_every_reason_of_the_llm_layer_has_words_of_its_own() -> None:
    codes = re.findall(r"[a-z_]+", str(LLMError.__doc__).partition("is one of ")[2].partition(".")[0])

    assert {"timeout", "config"} < set(codes)
    assert set(codes) <= set(failures.WORDS)
    assert len({failures.WORDS[code] for code in codes}) == len(codes)
    assert set(failures.WORDS) >= failures.WITH_ANSWER


def test_a_judge_that_answered_was_asked() -> None:
    assert failures.what_happened("timeout") == "could not be asked"
    assert failures.what_happened("refused") == "brought no vote"


def test_a_reason_that_a_file_brought_stands_as_it_is() -> None:
    assert failures.in_words("the intern was ill") == "the intern was ill"
    assert failures.in_words("") == "no reason was recorded"
