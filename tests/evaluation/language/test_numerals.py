"""Numerals as they are written: digits, words, fractions, Roman numbers."""

from __future__ import annotations

import pytest

from evaluation.language.numerals import find_numerals, literal_values


def read(text: str) -> list[tuple[str, tuple[float, ...]]]:
    return [(text[found.start : found.end], found.values) for found in find_numerals(text)]


@pytest.mark.parametrize(
    ("literal", "values"),
    [
        ("1,940", (1940,)),
        ("1,940.50", (1940.5,)),
        ("1.500", (1500, 1.5)),
        ("0.500", (0.5,)),
        ("12.345.678", (12_345_678,)),
        ("1.940,50", (1940.5,)),
        ("1,5", (1.5,)),
        ("007", (7,)),
        ("1.2.3", ()),
        ("1,23,456", ()),
    ],
)
def test_commas_and_dots_have_the_readings_that_people_know(literal: str, values: tuple[float, ...]) -> None:
    assert literal_values(literal) == values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("twenty-one", 21),
        ("three hundred and five", 305),
        ("a hundred", 100),
        ("two thousand and six", 2006),
        ("one million two hundred thousand", 1_200_000),
        ("a dozen", 12),
        ("two dozen", 24),
        ("one and a half", 1.5),
        ("5 and three quarters", 5.75),
        ("2 1/2", 2.5),
        ("-3/4", -0.75),
    ],
)
def test_one_number_is_read_as_one(text: str, value: float) -> None:
    assert read(text) == [(text, (value,))]


@pytest.mark.parametrize(
    ("text", "part", "value"),
    [
        ("half a dozen eggs", "half a dozen", 6),
        ("Half a million people came", "Half a million", 500_000),
        ("a quarter of a million people", "a quarter of a million", 250_000),
    ],
)
def test_a_part_of_a_round_number_is_a_number_and_no_share(text: str, part: str, value: float) -> None:
    (found,) = find_numerals(text)

    assert (text[found.start : found.end], found.values, found.is_share) == (part, (value,), False)


@pytest.mark.parametrize(("text", "value"), [("half the volume", 0.5), ("two thirds of the volume", 2 / 3)])
def test_a_part_of_a_thing_is_a_share(text: str, value: float) -> None:
    (found,) = find_numerals(text)

    assert (found.values, found.is_share) == ((value,), True)


@pytest.mark.parametrize(
    "text", ["one", "first", "twice", "the first half of it", "MP3", "v1.2.3", "I am CD", "1/0", ""]
)
def test_what_is_no_number_is_left_alone(text: str) -> None:
    assert read(text) == []


def test_a_hyphen_is_a_minus_only_in_front_of_a_number_that_stands_free() -> None:
    assert [values for _, values in read("-5 and 3-5")] == [(-5,), (3,), (5,)]


def test_two_numbers_side_by_side_stay_two() -> None:
    assert [values for _, values in read("five six")] == [(5,), (6,)]


@pytest.mark.parametrize(("text", "value"), [("Phase IV", 4), ("Louis XIV", 14), ("chapter XXXIX", 39)])
def test_roman_numbers_stand_after_a_kind_or_a_name(text: str, value: float) -> None:
    assert read(text) == [(text.split()[1], (value,))]


@pytest.mark.parametrize("text", ["Mix IV", "phase IIII", "DATA XIV", "then I"])
def test_other_capitals_are_no_roman_numbers(text: str) -> None:
    assert read(text) == []


def test_places_hold_after_a_letter_that_grows_in_lower_case() -> None:
    assert read("İİİ twelve, İ 5 and a half, İ half a dozen") == [
        ("twelve", (12,)),
        ("5 and a half", (5.5,)),
        ("half a dozen", (6,)),
    ]


def test_a_fraction_too_long_to_compute_is_no_number() -> None:
    assert read("9" * 400 + "/" + "9" * 400) == []
