"""Finds what names a person in a text: e-mail addresses, phone numbers, and names after a title or from a list."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from evaluation.language.phones import find_phones
from evaluation.language.words import is_content

EMAIL, PHONE, NAME = "email", "phone", "name"
_AT = r"(?:@|[ ]?[(\[][ ]?(?:at|AT|@)[ ]?[)\]][ ]?)"
_EMAIL = re.compile(
    rf"(?<![\w.+%-])[\w.+%-](?:[\w.+%'-]{{0,62}}[\w+%-])?{_AT}(?:[\w-]{{1,63}}\.){{1,8}}[^\W\d_]{{2,24}}(?![\w-])"
)
_GAP = r"(?:[ \u00a0\u202f]+|[ \t]*\n[ \t]*)"
_TITLE = re.compile(
    r"(?<![\w-])(?:(?:Mr|Mrs|Ms|Mx|Miss|Sir|Dr|Prof|Doctor|Professor|Doktor|Herrn?|Hr|Frau|Fr(?=\.)|Fräulein|"
    r"Monsieur|Madame|Mademoiselle|Mme|Mlle|M(?=\.)|Señor|Señora|Señorita|Signora?|Sig(?=\.)|Dott|Dhr|Mevr)\b\.?"
    rf"(?:[ ]?(?:med|phil|rer|nat|jur|ing|h|c)\.)*(?:{_GAP}|(?<=\.)))+"
)
_WORD = re.compile(rf"(?P<gap>{_GAP})?(?P<word>[^\W\d_]\.(?!\w)|[^\W\d_][\w'’-]*(?<![-'’]))")
_POSSESSIVE = re.compile(r"['’]s\Z")
_PARTICLES = frozenset(
    (
        "von",
        "van",
        "der",
        "den",
        "de",
        "del",
        "della",
        "di",
        "da",
        "do",
        "dos",
        "du",
        "la",
        "le",
        "zu",
        "zum",
        "zur",
        "ter",
        "ten",
        "af",
        "al",
        "bin",
        "ibn",
        "y",
    )
)
_MOST_WORDS = 3
_SHORTEST_PART = 3
_NO_LETTER_BEFORE, _NO_LETTER_AFTER = r"(?<!\w)", r"(?![\w\u0300-\u036f])"


@dataclass(frozen=True)
class Personal:
    """Something that names a person, by its code points."""

    kind: str
    start: int
    end: int


def find_emails(text: str) -> Iterator[Personal]:
    """Yield e-mail addresses, also with the sign spelled (at) or [at]."""
    return (Personal(EMAIL, *match.span()) for match in _EMAIL.finditer(text))


def find_phone_numbers(text: str) -> Iterator[Personal]:
    """Yield phone numbers."""
    return (Personal(PHONE, start, end) for start, end in find_phones(text))


def titled_names(text: str) -> Iterator[str]:
    """Yield the names that follow a title such as Dr or Frau, without the title; at most three capitalised words."""
    for title in _TITLE.finditer(text):
        end, n_words, at = title.end(), 0, title.end()
        while n_words < _MOST_WORDS and (match := _WORD.match(text, at)) and bool(match["gap"]) is (at != title.end()):
            at = match.end()
            if match["word"][0].isupper():
                end, n_words = at, n_words + 1
            elif match["word"] not in _PARTICLES:
                break
        name = _POSSESSIVE.sub("", text[title.end() : end])
        if any(is_content(word.lower()) for word in name.split()):
            yield name


def parts_of(name: str) -> Iterator[str]:
    """Yield the capitalised words of a name of several words; initials and particles are none."""
    words = name.split()
    if len(words) > 1:
        yield from (word for word in words if len(word) >= _SHORTEST_PART and word[0].isupper())


def names_pattern(names: Collection[str]) -> re.Pattern[str] | None:
    """Return a pattern of whole names, case as written, longest first, with any white space between their words."""
    spelled = {unicodedata.normalize(form, name) for name in names for form in ("NFC", "NFD") if name.strip()}
    if not spelled:
        return None
    longest_first = sorted(spelled, key=lambda name: (-len(name), name))
    choices = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest_first)
    first = "".join(sorted({re.escape(name.split()[0][0]) for name in spelled}))  # most words are passed over at once
    return re.compile(f"{_NO_LETTER_BEFORE}(?=[{first}])(?:{choices}){_NO_LETTER_AFTER}")
