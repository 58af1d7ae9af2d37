"""Phone numbers are told from amounts, dates and identifiers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.language.phones import find_phones


def phones(text: str) -> list[str]:
    return [text[start:end] for start, end in find_phones(text)]


@pytest.mark.parametrize(
    "number",
    [
        "+49 30 1234567",
        "+44 (0)20 7946 0018",
        "(+49) 30 1234567",
        "+1-555-123-4567",
        "+1.555.123.4567 ext. 12",
        "+86 138 0013 8000",
        "+4930123456789",
        "0049 30 1234567",
        "(030) 1234567",
        "(555) 123-4567",
        "555-123-4567",
        "1-800-555-0199",
        "030 1234567",
        "030/1234567",
        "030 / 123456-7",
        "0171\u00a01234567",
        "020 7946 0018",
        "01 23 45 67 89",
        "01.23.45.67.89",
        "07911123456",
    ],
)
def test_a_number_is_found_whole(number: str) -> None:
    assert phones(f"Reach us at {number}, please.") == [number]
    assert phones(f"({number})") == [number]


@pytest.mark.parametrize(
    "text", ["Tel. 12345-67", "phone: 555 0199", "Fax 4711-0815", "Telefon 123456", "call 555-0199"]
)
def test_after_a_word_for_it_any_number_is_a_phone_number(text: str) -> None:
    assert phones(text) == [text.split(maxsplit=1)[1]]


@pytest.mark.parametrize(
    "text",
    [
        "One unit 1,790 EUR, from three 1 790 000 EUR.",
        "On 2024-05-01, 01.02.2024, 01/02/2024 and 01.02.2024 12 times.",
        "From 2019-2024; call 2019-2024.",
        "INV-2024-001234, order 0123456789, No. 0171 1234567, 4711 0815.",
        "ISBN 978-3-16-148410-0 and 0-306-40615-2.",
        "192.168.100.200 or 010.020.030.040, v1.2.3.4",
        "DE89 3704 0044 0532 0130 00",
        "+5.2 %, +1,940, +1000000 EUR, $555 123 4567, 555 123 4567 USD, +12 months",
        "3.14159265358 and 1234567890 and 1700000000",
        "08:30-17:00, 140 litres, 61 kg, 90-60-90, 4 5 6 7 8 9 10 11 12",
        "sha 0171234567890123456, 0x0171123456, phone 14 128 GB",
        "01067 Dresden",
    ],
)
def test_what_is_no_phone_number_stays(text: str) -> None:
    assert phones(text) == []


def test_a_number_ends_before_what_follows_it() -> None:
    assert phones("+49 30 1234567 01.02.2024") == ["+49 30 1234567"]
    assert phones("+86-153-6183-3725 14 units") == ["+86-153-6183-3725"]
    assert phones("+49 30 1234567 +49 30 7654321") == ["+49 30 1234567", "+49 30 7654321"]
    assert phones("(030 1234567 or 030 7654321)") == ["030 1234567", "030 7654321"]


@given(st.text("0123456789+()-./ ,:abEUR\n", max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    spans = list(find_phones(text))

    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
