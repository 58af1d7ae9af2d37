"""Micro-dollars as people read them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.selectors.dollars import dollar_range, dollars, exact_dollars, micros_of


@pytest.mark.parametrize(
    ("micros", "words"),
    [
        (0, "$0"),
        (1, "$0.000001"),
        (15, "$0.000015"),
        (1_200, "$0.0012"),
        (1_234, "$0.0012"),
        (45_678, "$0.046"),
        (99_400, "$0.099"),
        (99_990, "$0.10"),
        (100_000, "$0.10"),
        (999_999, "$1"),
        (4_120_000, "$4.12"),
        (20_000_000, "$20"),
        (1_234_500_000, "$1,234.50"),
        (-2_500_000, "-$2.50"),
        (None, "price unknown"),
    ],
)
def test_it_writes_an_amount_with_the_figures_that_matter(micros: int | None, words: str) -> None:
    assert dollars(micros) == words


@pytest.mark.parametrize(
    ("micros", "words"),
    [(0, "$0"), (275_000, "$0.275"), (20_000, "$0.02"), (1_100_000, "$1.10"), (18_750_000, "$18.75"), (1, "$0.000001")],
)
def test_a_price_keeps_every_figure(micros: int, words: str) -> None:
    assert exact_dollars(micros) == words


def test_a_range_is_rounded_outwards() -> None:
    assert dollar_range(1_209_999, 3_900_001) == "$1.20 to $3.91"


def test_a_range_of_one_amount_is_that_amount() -> None:
    assert dollar_range(2_500_000, 2_500_000) == "$2.50"


@given(st.integers(0, 10**13))
def test_what_is_shown_is_within_a_cent_or_a_twentieth(micros: int) -> None:
    shown = Decimal(dollars(micros).replace("$", "").replace(",", ""))

    assert abs(shown * 1_000_000 - micros) <= max(5_000 if micros >= 99_500 else 0, micros // 20)


@given(st.decimals(0, 10**6, allow_nan=False, places=7))
def test_what_is_typed_never_becomes_less(amount: Decimal) -> None:
    assert 0 <= micros_of(amount) - amount * 1_000_000 < 1
