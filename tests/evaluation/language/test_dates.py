"""Dates and times of day as they are written."""

from __future__ import annotations

import pytest

from evaluation.language.dates import Day, find_moments

MARCH = Day(2024, 3, 1)


@pytest.mark.parametrize(
    "text",
    ["2024-03-01", "1 March 2024", "1st of March, 2024", "1 Mar. 2024", "March 1, 2024", "MARCH 1st 2024"],
)
def test_one_day_is_read_however_it_is_written(text: str) -> None:
    (found,) = find_moments(text)

    assert found.days == (MARCH,)
    assert (found.start, found.end) == (0, len(text))


def test_a_day_without_a_year_has_none() -> None:
    (found,) = find_moments("until 30 September")

    assert found.days == (Day(None, 9, 30),)


def test_slashes_and_dots_have_two_readings_where_both_are_days() -> None:
    ambiguous, certain, twin = find_moments("3/4/2024, 13.4.2024, 5/5/2024")

    assert ambiguous.days == (Day(2024, 4, 3), Day(2024, 3, 4))
    assert certain.days == (Day(2024, 4, 13),)
    assert twin.days == (Day(2024, 5, 5),)


@pytest.mark.parametrize(
    "text", ["2024-02-30", "29 February 2023", "31 April", "13.13.2024", "0000-01-01", "12024-03-01", "1.2.3.2024"]
)
def test_what_no_calendar_has_is_no_date(text: str) -> None:
    assert find_moments(text) == []


def test_29_february_without_a_year_may_be_a_leap_day() -> None:
    assert find_moments("29 February")[0].days == (Day(None, 2, 29),)


@pytest.mark.parametrize("text", ["It may 5 times fail.", "They march 3 miles.", "May 2024", "in May"])
def test_months_that_are_words_or_stand_alone_are_no_days(text: str) -> None:
    assert find_moments(text) == []


@pytest.mark.parametrize("text", ["5 Aprıl", "5 APRİL 2024", "aprıl 5", "5 Auguſt"])
def test_letters_that_only_look_like_ours_make_no_month_and_no_error(text: str) -> None:
    assert find_moments(text) == []


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("12 am", (0,)),
        ("12 pm", (720,)),
        ("2:30 p.m.", (870,)),
        ("2.30pm", (870,)),
        ("14:30", (870,)),
        ("0:30", (30,)),
        ("9:15", (555, 1275)),
        ("12:00", (720, 0)),
    ],
)
def test_a_time_of_day_is_minutes_and_may_be_of_either_half(text: str, minutes: tuple[int, ...]) -> None:
    (found,) = find_moments(text)

    assert found.minutes == minutes


@pytest.mark.parametrize("text", ["13 pm", "0 am", "2:75 pm", "24:00", "14:30:15", "I am 5", "ratio 1:100"])
def test_what_no_clock_shows_is_no_time(text: str) -> None:
    assert find_moments(text) == []


def test_moments_come_in_order_and_never_overlap() -> None:
    text = "at 14:30 on 3 May 2024, then 2024-05-04 and May 5"

    found = find_moments(text)

    assert [text[moment.start : moment.end] for moment in found] == ["14:30", "3 May 2024", "2024-05-04", "May 5"]
