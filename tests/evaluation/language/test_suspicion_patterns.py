"""The patterns of instructions to judges."""

from __future__ import annotations

import pytest

from evaluation.language.suspicion_english import ENGLISH, EXEMPTIONS
from evaluation.language.suspicion_languages import FURTHER, GERMAN, ROMANCE
from evaluation.language.suspicion_patterns import CLUES, TURNED_WORDS
from tests.evaluation.hostile_orders import ORDERS

NON_ENGLISH = list(ORDERS)[list(ORDERS).index("German") :]


def kinds(plain: str) -> set[str]:
    return {clue.kind for clue in CLUES if list(clue.spans(plain))}


def test_every_pattern_and_its_words_are_in_lower_case() -> None:
    assert all(word == word.lower() for clue in CLUES for word in clue.words)
    assert len(CLUES) == len({clue.pattern.pattern for clue in CLUES})


def test_every_pattern_of_a_language_is_in_use() -> None:
    used = {clue.pattern.pattern for clue in CLUES}

    groups = (ENGLISH, EXEMPTIONS, GERMAN, ROMANCE, FURTHER)
    assert all(pattern in used for group in groups for _, pattern in group)


def test_the_words_of_a_pattern_never_keep_it_from_a_text_it_fits() -> None:
    """What is worth its time has to be found with and without the short cut."""
    for text in (order.lower() for order in ORDERS.values()):
        for clue in CLUES:
            assert list(clue.spans(text)) == [match.span() for match in clue.pattern.finditer(text)], clue.words


@pytest.mark.parametrize("language", NON_ENGLISH)
def test_an_order_is_known_in_this_language(language: str) -> None:
    assert kinds(ORDERS[language].lower())


def test_english_words_backwards_and_turned_by_thirteen_letters() -> None:
    assert TURNED_WORDS.search("vtaber nyy")
    assert TURNED_WORDS.search("lla erongi")
    assert not TURNED_WORDS.search("ignore all")
