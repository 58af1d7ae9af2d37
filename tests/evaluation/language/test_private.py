"""What may be private in a short text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.language.private import find_private


def found(text: str) -> list[tuple[str, str]]:
    return [(private.kind, private.text) for private in find_private(text)]


def test_it_finds_names_addresses_and_numbers_in_their_order() -> None:
    text = "We asked Ana Vogel (ana.vogel+x@clinic.example.org) and called +49 30 1234-5678."

    assert found(text) == [
        ("name", "Ana Vogel"),
        ("email", "ana.vogel+x@clinic.example.org"),
        ("phone", "+49 30 1234-5678"),
    ]


def test_neighbouring_names_are_one_and_each_is_found_once() -> None:
    text = "The pharmacist, Dr. Bea Lindqvist, releases it. Then Bea writes to Dr. Bea Lindqvist."

    assert found(text) == [("name", "Dr. Bea Lindqvist"), ("name", "Bea")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Installation is included in the price.",
        "Prices hold until 30 September 2024, or 2024-11-30.",
        "It holds 0.12345678 litres and 1,940 units at 16:9.",
        "ALL OF IT IS INCLUDED.",
    ],
)
def test_plain_words_dates_and_figures_are_not_private(text: str) -> None:
    assert found(text) == []


def test_listed_names_are_found_also_where_no_capital_tells() -> None:
    listed = [(private.kind, private.text) for private in find_private("ask vogel about it", ["vogel"])]

    assert (listed, found("ask vogel about it")) == ([("name", "vogel")], [])


def test_a_guess_never_hides_an_address() -> None:
    assert ("email", "Ana.Vogel@clinic.example") in found("Ask Ana.Vogel@clinic.example first.")


@given(st.text(max_size=80))
def test_what_is_found_stands_in_the_text_and_no_text_is_too_much(text: str) -> None:
    assert all(private.text in text for private in find_private(text))
