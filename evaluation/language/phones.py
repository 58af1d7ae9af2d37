"""Finds phone numbers, and tells them from amounts, dates and identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SPACE = "[ \u00a0\u2009\u202f]"
_BETWEEN = (
    rf"(?:{_SPACE}?[./\u2011\u2013-]{_SPACE}?|{_SPACE}|{_SPACE}?\({_SPACE}?|{_SPACE}?\){_SPACE}?(?:[/-]{_SPACE}?)?)"
)
_RUN = re.compile(rf"(?<![\w.,:+#/\u2011\u2013-])\(?\+?{_SPACE}?\(?\d++(?:{_BETWEEN}{{1,2}}\d++)*+")
_DATE = re.compile(r"(?<![\d./-])(?:\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})|\d{4}([./-])\d{1,2}\2\d{1,2})(?![./-]?\d)")
_YEARS = re.compile(r"(?:19|20)\d\d\D+(?:19|20)\d\d")
_ASKED = re.compile(
    r"\b(?:tele?(?:ph|f)\w*|tel|phone|mobile|mobil|cell|fax|call(?: us)?|call us at|ring|rufnummer|handy|hotline|"
    r"durchwahl|whatsapp|tél|t[ée]l[ée]phone|teléfono|móvil)\b\.?\s*(?:no|nr|number|nummer|n°)?[ .:]*$",
    re.IGNORECASE,
)
_OF_AN_ITEM = re.compile(
    r"(?:\b(?:no|nr|num|number|nummer|id|ref|reference|isbn|issn|order|invoice|article|item|sku|ean|gtin|serial|iban|account|"
    r"konto|bestellung|rechnung|artikel|ticket|case|patent|version|offer)\b[ .:#-]*|[#№])$",
    re.IGNORECASE,
)
_MONEY_BEFORE = re.compile(r"(?:[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY))\s?$")
_UNIT_AFTER = re.compile(
    r"\s?(?:[€$£¥%°²³]|(?:EUR|USD|GBP|CHF|JPY|kg|g|mg|km|cm|mm|m|ml|l|GB|MB|TB|kB|kWh|Wh|W|V|Hz|s|min|h|pcs|units|litres?)\b)"
)
_NOT_AFTER = re.compile(r"[\w]|[.,:]\d|[-/]\w")
_EXTENSION = re.compile(r"(?:\s?ext\.?|\s?x|,? extension)\s?\d{1,5}(?!\w)")
_STRAY = re.compile(r"(?<=\d[-.]\d{4}) \d{1,2}\Z|(?<=-\d{7}) \d{1,2}\Z|(?<=-\d{8}) \d{1,2}\Z")
_LEAST, _MOST = 8, 15
_LOOKED_BACK = 40


def find_phones(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of phone numbers.

    Taken for one is: a number with + or 00 and a country; one with its area in brackets; one with a leading 0 and nine
    to twelve digits; three, three and four digits; and any six to fifteen digits after a word such as "phone". Not
    taken are dates, amounts with a unit or currency, and numbers after a word such as "order" or "no.".
    """
    dates = [match.span() for match in _DATE.finditer(text)]
    for run in _RUN.finditer(text):
        start, end = _trimmed(text, run.start(), _end(text, run, dates))
        if end <= start:
            continue
        before, number = text[max(0, start - _LOOKED_BACK) : start], text[start:end]
        if _is_amount(text, before, end) or not _is_phone(number, before):
            continue
        extension = _EXTENSION.match(text, end)
        yield start, extension.end() if extension else end


def _end(text: str, run: re.Match[str], dates: list[tuple[int, int]]) -> int:
    """Return where the number ends: before a date, and where it would have more than fifteen digits."""
    start, end = run.span()
    end = min([end, *(at for at, stop in dates if start < at < end)])
    if any(at <= start < stop for at, stop in dates):
        return start
    ends = [match.end() for match in re.finditer(r"\d+\)?", text[start:end])]
    while ends and len(_digits(text[start : start + ends[-1]])) > _MOST:
        ends.pop()
    return start + ends[-1] if ends else start


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out a bracket that only opens or only closes, and a small number after one that is written with hyphens."""
    number = text[start:end]
    if (stray := _STRAY.search(number)) and len(_digits(number[: stray.start()])) >= _LEAST:
        end, number = start + stray.start(), number[: stray.start()]
    n_open, n_closed = number.count("("), number.count(")")
    return start + (n_open > n_closed and number.startswith("(")), end - (n_closed > n_open and number.endswith(")"))


def _is_amount(text: str, before: str, end: int) -> bool:
    after = text[end : end + 12]
    return bool(_NOT_AFTER.match(after) or _UNIT_AFTER.match(after) or _MONEY_BEFORE.search(before))


def _is_phone(number: str, before: str) -> bool:
    digits, groups = _digits(number), re.findall(r"\d+", number)
    if _ASKED.search(before):
        return 6 <= len(digits) <= _MOST and not _YEARS.fullmatch(number)
    if number.lstrip("( ").startswith("+"):
        return _LEAST <= len(digits) <= _MOST and digits[0] != "0"
    if _OF_AN_ITEM.search(before):
        return False
    return _has_area(number, groups) or _is_national(number, groups, digits) or _is_american(groups)


def _has_area(number: str, groups: list[str]) -> bool:
    """Whether it opens with its area in brackets: (030) 1234567, (555) 123-4567."""
    if not re.match(r"\(\d{2,5}\)", number):
        return False
    rest = sum(map(len, groups[1:]))
    return rest >= 5 if groups[0].startswith("0") else [len(group) for group in groups] == [3, 3, 4]


def _is_national(number: str, groups: list[str], digits: str) -> bool:
    """Whether it opens with 0 and an area, or with 00 and a country: 030 1234567, 01 23 45 67 89, 0049 30 1234567."""
    if digits.startswith("00"):
        return len(groups) > 1 and digits[2:3] > "0" and _LEAST <= len(digits) - 2 <= _MOST
    is_address = len(groups) == 4 and max(map(len, groups)) <= 3 and "." in number
    return digits[0] == "0" and digits[1:2] > "0" and 9 <= len(digits) <= 12 and len(groups[0]) > 1 and not is_address


def _is_american(groups: list[str]) -> bool:
    lengths = [len(group) for group in groups]
    if lengths == [1, 3, 3, 4] and groups[0] == "1":
        lengths, groups = lengths[1:], groups[1:]
    return lengths == [3, 3, 4] and groups[0][0] > "1"


def _digits(number: str) -> str:
    return "".join(sign for sign in number if sign.isdecimal())
