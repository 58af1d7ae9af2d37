"""What names a person in a text."""

from __future__ import annotations

import unicodedata

import pytest

from evaluation.language.personal import find_emails, find_phone_numbers, names_pattern, parts_of, titled_names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Write to ana@x.org.", ["ana@x.org"]),
        ("<Ana.Weber+x@mail.example.co.uk>", ["Ana.Weber+x@mail.example.co.uk"]),
        ("mailto:ana@x.org, O'Brien@x.ie and 'bea@x.org'", ["ana@x.org", "O'Brien@x.ie", "bea@x.org"]),
        ("ünal@münchen.de", ["ünal@münchen.de"]),
        ("ana (at) x.org or bea[at]x.org", ["ana (at) x.org", "bea[at]x.org"]),
        ("@handle, x@y, a@b.c, 5 @ 3.50", []),
    ],
)
def test_addresses(text: str, found: list[str]) -> None:
    assert [text[each.start : each.end] for each in find_emails(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Dr Ana Weber signs.", ["Ana Weber"]),
        ("Herr Dr. med. Paul Weber-Ott und Frau von der Leyen", ["Paul Weber-Ott", "von der Leyen"]),
        ("Mr. J. K. Smith's car, Ms O'Neil", ["J. K. Smith", "O'Neil"]),
        ("Mrs\nWeber, but Mrs\n\nNext paragraph", ["Weber"]),
        ("Mme de La Fontaine est M. Dupont", ["de La Fontaine", "Dupont"]),
        ("Prof. Weber, The Herrn Müller", ["Weber", "Müller"]),
        ("Miss the bus. Dr. no. the Dr. It weighs. Mr The", []),
    ],
)
def test_names_after_a_title(text: str, found: list[str]) -> None:
    assert list(titled_names(text)) == found


def test_parts_of_a_name_are_its_capitalised_words() -> None:
    assert list(parts_of("Ana von Weber-Ott J.")) == ["Ana", "Weber-Ott"]
    assert list(parts_of("Weber")) == []


def listed(text: str, *names: str) -> list[str]:
    pattern = names_pattern(names)
    return pattern.findall(text) if pattern else []


def test_listed_names_are_whole_words_as_written_and_the_longest_wins() -> None:
    text = "Ana Weber and Ana; Banana, Weber-Ott, ana, Anastasia, Ana\n Weber."

    assert listed(text, "Ana", "Ana Weber") == ["Ana Weber", "Ana", "Ana\n Weber"]


def test_a_name_is_found_in_either_form_of_its_letters() -> None:
    composed, apart = (unicodedata.normalize(form, "Zoë Müller") for form in ("NFC", "NFD"))

    assert listed(f"{composed} {apart}", composed) == [composed, apart]
    assert listed("Ana\u0301 is another name.", "Ana") == []


def test_signs_in_a_name_mean_nothing_special() -> None:
    assert listed("C++ (Ltd.) a.b axb", "C++ (Ltd.)", "a.b") == ["C++ (Ltd.)", "a.b"]


def test_without_names_nothing_is_found() -> None:
    assert names_pattern([" ", ""]) is None
    assert listed("Ana") == []


def test_phone_numbers_come_with_their_places() -> None:
    assert [(each.kind, each.start, each.end) for each in find_phone_numbers("Tel. 030 1234567")] == [("phone", 5, 16)]
