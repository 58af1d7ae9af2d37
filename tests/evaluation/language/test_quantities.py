"""Numbers with units as they are written."""

from __future__ import annotations

import pytest

from evaluation.language.quantities import Quantity, Sense, find_quantities


def _read(quantity: Quantity) -> list[tuple[float, str]]:
    return [(round(one.value, 3), one.unit.name if one.unit else "") for one in quantity.readings]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1,940 EUR", 1940, "euro"),
        ("EUR 1,940", 1940, "euro"),
        ("€5m", 5_000_000, "euro"),
        ("5 bn dollars", 5e9, "dollar"),
        ("three hundred and five units", 305, ""),
        ("ninety-nine", 99, ""),
        ("two and a half million dollars", 2_500_000, "dollar"),
        ("a dozen eggs", 12, ""),
        ("24-month warranty", 24, "month"),
        ("60 per cent", 60, "percent"),
        ("60%", 60, "percent"),
        ("-5 °C", -5, "degree Celsius"),
        ("20 degrees Celsius", 20, "degree Celsius"),
        ("in the 1990s", 1990, ""),
        ("1,5 kg", 1.5, "kilogram"),
        ("12.345.678 EUR", 12_345_678, "euro"),
        ("30 September", 30, "day of month 9"),
        ("September 30th", 30, "day of month 9"),
        # traps of the trial: once missed or misread
        ("one and a half hours", 1.5, "hour"),
        ("four and a half percent", 4.5, "percent"),
        ("a quarter of the volume", 25, "percent"),
        ("three quarters of an hour", 0.75, "hour"),
        ("half an hour", 0.5, "hour"),
        ("half the volume", 50, "percent"),
        ("1½ hours", 1.5, "hour"),
        ("3/4 litres", 0.75, "litre"),
        ("Phase II", 2, ""),
        ("Louis XIV", 14, ""),
        ("2:30 pm", 870, "time of day"),
        ("14:30", 870, "time of day"),
    ],
)
def test_a_number_is_read_with_its_unit(text: str, value: float, unit: str) -> None:
    found = find_quantities(text)

    assert len(found) == 1
    assert _read(found[0]) == [(value, unit)]


@pytest.mark.parametrize(
    "text",
    ["one unit", "the second offer", "twice a day", "the first half of it", "version v1.2.3", "MP3", "I am CD", ""],
)
def test_words_that_are_no_numbers_are_left_alone(text: str) -> None:
    assert find_quantities(text) == ()


def test_an_ambiguous_thousands_dot_has_both_readings() -> None:
    found = find_quantities("1.500 kg")

    assert _read(found[0]) == [(1500, "kilogram"), (1.5, "kilogram")]


def test_an_iso_date_is_one_quantity() -> None:
    found = find_quantities("on 2024-03-01 at 14:30")

    assert [quantity.text for quantity in found] == ["2024-03-01", "14:30"]


def test_an_impossible_date_is_no_date() -> None:
    found = find_quantities("2024-13-45")

    assert all(reading.unit is None for quantity in found for end in quantity.ends for reading in end.readings)


def test_a_range_lends_its_unit_to_the_first_number() -> None:
    (found,) = find_quantities("2 to 8 °C")

    assert [_read(end) for end in found.ends] == [[(2, "degree Celsius")], [(8, "degree Celsius")]]


def test_and_makes_a_pair_only_after_between() -> None:
    assert find_quantities("between 10 and 12")[0].is_between
    assert [quantity.pair for quantity in find_quantities("10 and 12")] == [None, None]


def test_a_code_after_a_number_is_not_the_currency_of_the_next() -> None:
    found = find_quantities("Above 5,000 EUR two offers are needed.")

    assert [_read(quantity) for quantity in found] == [[(5000, "euro")], [(2, "")]]


@pytest.mark.parametrize(
    ("text", "sense"),
    [
        ("about 1,200", Sense.APPROXIMATE),
        ("more than 5 hours", Sense.AT_LEAST),
        ("at most 60 percent", Sense.AT_MOST),
        ("60 percent", Sense.EXACT),
    ],
)
def test_the_words_before_a_number_give_its_sense(text: str, sense: Sense) -> None:
    assert find_quantities(text)[0].sense is sense


def test_a_unit_with_a_letter_that_only_looks_like_ours_is_no_error() -> None:
    (found,) = find_quantities("5 mıles")

    assert [reading.value for reading in found.readings] == [5]
