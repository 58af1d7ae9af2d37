"""Finds passages of a text that try to instruct the judges: orders, fake turns, given verdicts, hidden characters.

It is a pointer for people, not a defence: what keeps judges from following such text is the fence (`llm.fence`).
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evaluation.language.spans import without_overlaps
from evaluation.language.suspicion_patterns import CLUES, TURNED_WORDS

HIDDEN, ENCODED = "hidden", "encoded"
MAX_CHARACTERS = 100_000
MAX_FOUND = 20
_MAX_EXCERPT = 300
_NEAR = 20

_FLAG = "\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f"  # the flags of England, Scotland and Wales
_TAGS = re.compile(f"{_FLAG}|(?P<payload>[\U000e0000-\U000e007f]+)")
_INVISIBLE = re.compile(
    "[\u200b-\u200f\u2060-\u2064\ufeff\u180e]{8,}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}|[\u202d\u202e]+[^\n\u202c]{0,80}"
)
_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{20,}={0,2}")
_HEX = re.compile(r"(?<![\w])(?:[0-9a-fA-F]{2}[ :]?){12,}")
_ESCAPED = re.compile(
    r"(?:(?:&#x?[0-9a-fA-F]{2,6};|%[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2})[ \w]{0,2}){6,}"
)
_SPACED = re.compile(r"(?<!\w)(?:[a-z][ ._-]{1,3}){9,}[a-z](?!\w)")
_GIVE_AWAY = re.compile(r"ignore|disregard|instruction|verdict|accept|previous")
_WITH_DIGITS = re.compile(r"[a-z]+[01345@$]\w*|[01345@$][a-z]\w+")
_MIXED = re.compile("[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]")
_LATIN = str.maketrans("аеорсхуіѕһјԁкмтвнԛԝαεονρτιυκηαγ", "aeopcxyishjdkmtbhqwaeovptiukhay")
_DIGITS = str.maketrans("01345@$", "oieasas")


@dataclass(frozen=True)
class Suspicion:
    """A passage in code points; `reads_as` says in plain letters what is hidden or encoded in it."""

    kind: str
    start: int
    end: int
    excerpt: str
    reads_as: str = ""


@dataclass(frozen=True)
class _Plain:
    """A text in lower case without what nobody sees, and where each of its characters stands in the original."""

    text: str
    places: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self.places[start], self.places[end - 1] + 1


@lru_cache(maxsize=512)
def suspicions(text: str) -> tuple[Suspicion, ...]:
    """Return the suspicious passages among the first 100,000 characters of a text, in their order, at most 20."""
    looked_at = text[:MAX_CHARACTERS]
    found = without_overlaps([*_hidden(looked_at), *_encoded(looked_at), *_said(looked_at)])
    return tuple(_joined(looked_at, found)[:MAX_FOUND])


def _joined(text: str, found: list[Suspicion]) -> list[Suspicion]:
    """Make one passage of neighbours of one kind."""
    joined: list[Suspicion] = []
    for each in found:
        last = joined[-1] if joined else None
        is_near = last is not None and last.kind == each.kind and each.start - last.end <= _NEAR
        if last is not None and is_near and each.end - last.start <= _MAX_EXCERPT:
            reads_as = f"{last.reads_as} {each.reads_as}".strip()
            joined[-1] = _suspicion(each.kind, text, (last.start, each.end), reads_as)
        else:
            joined.append(each)
    return joined


def _suspicion(kind: str, text: str, span: tuple[int, int], reads_as: str = "") -> Suspicion:
    start, end = span[0], min(span[1], span[0] + _MAX_EXCERPT)
    return Suspicion(kind, start, end, text[start:end], reads_as[:_MAX_EXCERPT])


def _said(text: str) -> Iterator[Suspicion]:
    """Yield what is said in letters, also in letters of other alphabets that look like Latin ones."""
    plain = _plain(text)
    for reading in _readings(plain.text):
        for kind, start, end in _matches(reading):
            yield _suspicion(kind, text, plain.span(start, end))
    for spaced in _SPACED.finditer(plain.text):
        letters = re.sub(r"[^a-z]", "", spaced.group())
        if _GIVE_AWAY.search(letters):
            yield _suspicion(ENCODED, text, plain.span(*spaced.span()), letters)


def _matches(plain: str) -> Iterator[tuple[str, int, int]]:
    for clue in CLUES:
        for start, end in clue.spans(plain):
            yield clue.kind, start, end


def _readings(plain: str) -> Iterator[str]:
    """Yield the text as it is, and with other letters or digits read as the letters they imitate."""
    yield plain
    if not plain.isascii() and _MIXED.search(plain):
        yield plain.translate(_LATIN)
    if any(_GIVE_AWAY.search(word.translate(_DIGITS)) for word in _WITH_DIGITS.findall(plain)):
        yield plain.translate(_DIGITS)


def _plain(text: str) -> _Plain:
    if text.isascii():
        return _Plain(text.lower(), range(len(text)))
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        plain = _plain_character(character)
        letters.append(plain)
        places.extend([place] * len(plain))
    return _Plain("".join(letters), places)


@lru_cache(maxsize=65536)
def _plain_character(character: str) -> str:
    """Return a character in lower case and its plainest form; nothing for one that nobody sees."""
    if unicodedata.category(character) == "Cf":
        return ""
    return unicodedata.normalize("NFKC", character).lower()


def _hidden(text: str) -> Iterator[Suspicion]:
    if text.isascii():
        return
    for tags in _TAGS.finditer(text):
        if payload := tags["payload"]:
            said = "".join(chr(ord(each) - 0xE0000) for each in payload)
            yield _suspicion(HIDDEN, text, tags.span(), "".join(each for each in said if each.isprintable()))
    for match in _INVISIBLE.finditer(text):
        yield _suspicion(HIDDEN, text, match.span(), _without_format(match.group()))


def _without_format(text: str) -> str:
    return "".join(each for each in text if unicodedata.category(each) not in ("Cf", "Mn"))


def _encoded(text: str) -> Iterator[Suspicion]:
    """Yield what says something suspicious once it is decoded."""
    for pattern, decode in ((_BASE64, _from_base64), (_HEX, _from_hex), (_ESCAPED, _from_escapes)):
        for match in pattern.finditer(text):
            said = decode(match.group())
            if said and next(_matches(_plain(said).text), None):
                yield _suspicion(ENCODED, text, match.span(), said)
    for match in TURNED_WORDS.finditer(text.lower() if text.isascii() else ""):
        yield _suspicion(ENCODED, text, match.span())


def _from_base64(word: str) -> str:
    bare = word.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _from_hex(digits: str) -> str:
    bare = re.sub(r"[ :]", "", digits)
    try:
        return bytes.fromhex(bare).decode()
    except (ValueError, UnicodeDecodeError):
        return ""


def _from_escapes(text: str) -> str:
    def unescaped(found: re.Match[str]) -> str:
        return chr(int(found["hex"], 16))

    return re.sub(
        r"(?:%|\\x|\\u(?=[0-9a-fA-F]{4}))(?P<hex>[0-9a-fA-F]{4}|[0-9a-fA-F]{2})", unescaped, html.unescape(text)
    )
