"""Looking quantities up, and comparing those of two texts."""

from __future__ import annotations

import pytest

from evaluation.language.comparison import Agreement, Found, comparable, compare_quantities, look_up
from evaluation.language.quantities import find_quantities


@pytest.mark.parametrize(
    ("claim", "source", "expected"),
    [
        ("1.5 kg", "1500 g", Found.FOUND),
        ("2 years", "24 months", Found.FOUND),
        ("6 weeks", "six weeks", Found.FOUND),
        ("18 hours", "11 hours", Found.MISSING),
        ("24 hours", "24 months", Found.MISSING),
        ("24", "24 months", Found.FOUND),
        ("5 EUR", "5 dollars", Found.MISSING),
        ("1.23 million EUR", "1,234,567 EUR", Found.FOUND),
        ("1,940 EUR", "1,950 EUR", Found.MISSING),
        ("in 1990", "in 1995", Found.MISSING),
        ("2 to 8 °C", "between 2 and 8 °C", Found.FOUND),
        ("2 to 20 °C", "2 to 8 °C", Found.MISSING),
        # traps of the trial
        ("2:30 pm", "14:30", Found.FOUND),
        ("2:30", "14:30", Found.FOUND),
        ("3:30 pm", "14:30", Found.MISSING),
        ("68 °F", "20 °C", Found.FOUND),
        ("68 °F", "25 °C", Found.MISSING),
        ("eleven", "between 10 and 12", Found.LOOSE),
        ("between 10 and 12", "eleven", Found.FOUND),
        ("about 1,200", "1,234", Found.FOUND),
        ("1,200", "1,234", Found.MISSING),
        ("over a thousand", "1,234 people", Found.FOUND),
        ("over two thousand", "1,234 people", Found.MISSING),
        ("more than 5 hours", "11 hours", Found.LOOSE),
        ("at most 80 percent", "at most 60 percent", Found.MISSING),
        ("2024-03-01", "in 2024, room 1", Found.MISSING),
        ("1.500 kg", "1500 g", Found.FOUND),
        ("1.500 kg", "1,500 kg", Found.FOUND),
        ("1.500 kg", "15 kg", Found.MISSING),
        ("2024-03-01", "1 March 2024", Found.FOUND),
        ("2024-03-01", "3 January 2024", Found.MISSING),
        ("2024-03-01", "2 March 2024", Found.MISSING),
        ("1 March 2024", "1 March 2023", Found.MISSING),
        ("3/4/2024", "3 April 2024", Found.FOUND),
        ("in 2024", "1 March 2024", Found.FOUND),
        ("won 6-1", "won 6 to 1", Found.FOUND),
        ("won 6-1", "won 1-6", Found.MISSING),
    ],
)
def test_a_quantity_is_looked_up(claim: str, source: str, expected: Found) -> None:
    wanted = find_quantities(claim)[0]

    assert look_up(wanted, find_quantities(source)) is expected


def test_nothing_is_found_among_nothing() -> None:
    assert look_up(find_quantities("5 kg")[0], ()) is Found.MISSING


def test_quantities_of_one_family_are_comparable() -> None:
    hours, weeks, litres = (find_quantities(text)[0] for text in ("18 h", "2 weeks", "5 litres"))

    assert comparable(hours, weeks)
    assert not comparable(hours, litres)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("6 weeks", "16 weeks", Agreement.DIFFERENT),
        ("6 weeks", "six weeks", Agreement.SAME),
        ("6 weeks", "6 months", Agreement.DIFFERENT),
        ("6 weeks", "6 or 8 weeks", Agreement.DIFFERENT),
        ("6 weeks", "soon", Agreement.ONE_SIDED),
        ("soon", "later", Agreement.SAME),
        ("about 6 weeks", "6 weeks", Agreement.DIFFERENT),
        ("2 to 8 °C", "8 to 2 °C", Agreement.DIFFERENT),
        ("1,234,567 EUR", "1.23 million EUR", Agreement.DIFFERENT),
    ],
)
def test_texts_are_compared_to_the_digit(one: str, other: str, expected: Agreement) -> None:
    assert compare_quantities(one, other) is expected
    assert compare_quantities(other, one) is expected
