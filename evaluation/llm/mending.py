"""Decodes JSON as judges really write it, and says whether it had to look past anything; it never fills a gap."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

DEEPEST = 100
_SHOWN = 30
_BLANK = re.compile(r"(?:\s|[\ufeff\u200b-\u200f\u2028-\u202e\u2060-\u2064\u00ad]|//[^\n\r]*|/\*.*?\*/)*", re.DOTALL)
_PLAIN_BLANK = re.compile(r"[ \t\n\r]*")
_PLAIN_TEXT = re.compile(r'[^"\\\x00-\x1f]*')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])")
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS = {"true": True, "false": False, "null": None}


class CutError(ValueError):
    """The text ends inside the value."""


class BrokenError(ValueError):
    """The text holds at `at` what no value can hold there."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True)
class Decoded:
    """A value, the place behind it, and whether anything had to be looked past."""

    value: object
    end: int
    is_mended: bool


def decode(text: str, start: int) -> Decoded:
    r"""Decode the JSON value that begins at a place of a text.

    Parameters
    ----------
    text : str
        Whatever a judge wrote.
    start : int
        Where the value begins.

    Returns
    -------
    Decoded
        The value; texts in it are what stands between their quotes.

    Raises
    ------
    CutError
        If the text ends before the value does.
    BrokenError
        For anything else that is neither JSON nor looked past, for example one key with two different values.

    Notes
    -----
    Looked past are comments (``//`` and ``/* */``), a comma before a closing bracket, line breaks and other control
    characters in texts, zero-width characters and byte order marks between tokens, and backslashes that escape
    nothing: these stand for themselves, so ``C:\path`` stays as it is, except that an escaped apostrophe is an
    apostrophe. Nothing is ever closed, added or guessed. The cost is linear in the length of the text; what needs no
    mending is left to the standard library, which is thirty times faster.
    """
    try:
        value, end = _STRICT.raw_decode(text, start)
    except (ValueError, RecursionError):
        pass
    else:
        return Decoded(value, end, is_mended=False)
    cursor = _Cursor(text, start)
    value = cursor.value(0)
    return Decoded(value, cursor.at, cursor.is_mended)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


_STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


class _Cursor:
    """Walks over a text from token to token."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.is_mended = False

    def value(self, depth: int) -> object:
        if depth > DEEPEST:
            raise BrokenError("brackets are nested too deeply", self.at)
        match self._peek():
            case "{":
                return self._object(depth)
            case "[":
                return self._array(depth)
            case '"':
                return self._string()
            case _:
                return self._scalar()

    def _object(self, depth: int) -> dict[str, object]:
        found: dict[str, object] = {}
        self._step()
        while self._peek() != "}":
            start = self.at
            key = self._key()
            value = self.value(depth + 1)
            if key in found and found[key] != value:
                raise BrokenError(f'"{key}" stands there twice with different values', start)
            found[key] = value
            self._comma("}")
        self._step()
        return found

    def _array(self, depth: int) -> list[object]:
        found: list[object] = []
        self._step()
        while self._peek() != "]":
            found.append(self.value(depth + 1))
            self._comma("]")
        self._step()
        return found

    def _key(self) -> str:
        if self._peek() != '"':
            raise self._broken("a key in double quotes")
        key = self._string()
        if self._peek() != ":":
            raise self._broken("a colon")
        self._step()
        return key

    def _comma(self, closing: str) -> None:
        """Go past what stands between two members."""
        mark = self._peek()
        if mark == ",":
            self._step()
            if self._peek() == closing:
                self.is_mended = True
        elif mark != closing:
            raise self._broken(f"a comma or {closing}")

    def _string(self) -> str:
        pieces: list[str] = []
        self._step()
        while True:
            plain = _PLAIN_TEXT.match(self.text, self.at)
            pieces.append(plain[0] if plain else "")
            self.at += len(pieces[-1])
            mark = self._here()
            if mark == '"':
                self._step()
                return "".join(pieces)
            if mark == "\\":
                pieces.append(self._escape())
            else:  # a line break or another control character
                self.is_mended = True
                pieces.append(mark)
                self._step()

    def _escape(self) -> str:
        self._step()
        mark = self._here()
        if mark in _ESCAPES:
            self._step()
            return _ESCAPES[mark]
        if mark == "u" and (digits := _HEX.match(self.text, self.at + 1)):
            return self._code_point(digits[0])
        self.is_mended = True
        if mark == "'":
            self._step()
            return "'"
        return "\\"

    def _code_point(self, digits: str) -> str:
        """Read four hexadecimal digits, or twice four that are the halves of one character."""
        self.at += 5
        code = int(digits, 16)
        low = _HEX.match(self.text, self.at + 2) if self.text.startswith("\\u", self.at) else None
        if 0xD800 <= code < 0xDC00 and low and 0xDC00 <= int(low[0], 16) < 0xE000:
            self.at += 6
            return chr(0x10000 + ((code - 0xD800) << 10) + int(low[0], 16) - 0xDC00)
        return chr(code)

    def _scalar(self) -> object:
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            try:
                return json.loads(number[0])
            except ValueError as error:  # thousands of digits
                raise BrokenError("a number is too long", number.start()) from error
        for word, value in _WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        raise self._broken("a value")

    def _peek(self) -> str:
        """Return the next character that means something, and go there."""
        plain = _PLAIN_BLANK.match(self.text, self.at)
        blank = _BLANK.match(self.text, self.at)
        if plain and blank:
            self.is_mended = self.is_mended or blank.end() > plain.end()
            self.at = blank.end()
        return self._here()

    def _here(self) -> str:
        if self.at >= len(self.text):
            raise CutError("the text ends inside the value")
        return self.text[self.at]

    def _step(self) -> None:
        self.at += 1

    def _broken(self, expected: str) -> BrokenError | CutError:
        """Say what is wrong here; the beginning of a word, a number or a comment at the very end was cut off."""
        rest = self.text[self.at : self.at + _SHOWN]
        is_last = self.at + len(rest) == len(self.text)
        begun = any(word.startswith(rest) for word in (*_WORDS, "/")) or _NUMBER.fullmatch(f"{rest}0")
        if rest.startswith("/*") or (is_last and begun):
            return CutError("the text ends inside the value")
        return BrokenError(f"expected {expected} at {rest!r}", self.at)
