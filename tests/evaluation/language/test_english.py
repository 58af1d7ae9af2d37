"""English or not."""

from __future__ import annotations

import pytest

from evaluation.language.english import is_english


@pytest.mark.parametrize(
    "text",
    [
        "Installation is included in the price.",
        "Weight 61 kg.",
        "One unit 1,940 EUR, from three units 1,790 EUR each.",
        "Prices hold until 30 September.",
        "",
    ],
)
def test_english_and_short_labels_pass(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Die Installation ist im Preis enthalten.",
        "nicht enthalten",
        "L'installation n'est pas comprise dans le prix.",
        "La instalación no está incluida en el precio por unidad.",
        "安装不包括在价格中",
        "Установка не входит в цену",
        "Preise gelten bis Ende September, Montage kostet jedoch extra",
    ],
)
def test_other_languages_do_not_pass(text: str) -> None:
    assert not is_english(text)


def test_known_limit_a_short_foreign_phrase_without_function_words_passes() -> None:
    assert is_english("Montage enthalten")
