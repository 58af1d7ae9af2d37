"""Normalisation, stems, content words and rarity."""

from __future__ import annotations

from math import log

import pytest

from evaluation.language.lexicon import lexicon
from evaluation.language.words import Rarity, content_words, normalise, stem, stems


def test_the_word_lists_are_versioned_and_complete() -> None:
    words = lexicon()

    assert words.version >= 1
    assert len(words.stop_words) == 114
    assert len(words.antonyms) == 33
    assert not words.foreign_function_words & words.english_function_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it’s “fine”", 'it\'s "fine"'),
        ("1½ hours", "1 1/2 hours"),
        ("instal-\nlation is extra", "installation is extra"),
        ("1\u202f940 EUR", "1940 EUR"),
        ("８ °C", "8 °C"),
    ],
)
def test_normalise_straightens_signs(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("included", "include"),
        ("prices", "price"),
        ("deliveries", "delivery"),
        ("stopped", "stop"),
        ("clinic's", "clinic"),
        ("sounds", "sounding"),
        ("closes", "close"),
    ],
)
def test_stem_joins_light_endings(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_stem_keeps_short_words_apart() -> None:
    assert stem("bed") == "bed"
    assert stem("glass") == "glass"
    assert stem("is") == "is"


def test_content_words_leave_out_stop_words_cues_and_digits() -> None:
    assert content_words("The price does not include 3 installations, isn't it?") == {
        "pric": "price",
        "includ": "include",
        "installation": "installations",
    }
    assert stems("It is the") == ()


def test_rarity_follows_its_formula() -> None:
    rarity = Rarity([["a", "b"], ["a"], ["a", "a", "c"]])

    assert rarity.of("a") == pytest.approx(log(1 + 0.5 / 3.5))
    assert rarity.of("unknown") == pytest.approx(log(1 + 3.5 / 0.5))


def test_share_is_weighted_by_rarity() -> None:
    rarity = Rarity([["a", "b"], ["a"], ["a"]])

    share = rarity.share(["a", "b"], ["b"])

    assert share == pytest.approx(rarity.of("b") / (rarity.of("a") + rarity.of("b")))
    assert rarity.share([], ["b"]) == 0.0
