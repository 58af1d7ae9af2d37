"""Takes keys out of what servers say: whole, in part, masked, or encoded."""

from __future__ import annotations

import base64
import re
from functools import lru_cache
from urllib.parse import quote, unquote

BLANK = "***"
_RUN = 6
_LEAST = 4  # what is shorter is no key but a word that a plain server wants to see
_MASKED = re.compile(
    r"[\w+/=-]*[*\u2022]{3,}[\w+/=*\u2022-]*"  # ab****yz
    r"|[\w+/=-]+(?:\.{3}|\u2026)[\w+/=-]+"  # ab...yz
    r"|\bsk-[\w-]{8,}|(?<=[Bb]earer )[^\s'\",}]+"
)


def blanked(text: str, secret: str) -> str:
    """Return a text without any trace of a key.

    Parameters
    ----------
    text : str
        What a server said.
    secret : str
        The key; one of fewer than four characters counts as none.

    Returns
    -------
    str
        The text with `***` in the place of the key, of every piece of it of six or more characters (in any case, also
        as base64 writes it), of words masked by the server such as ``ab****yz``, and of bearer tokens. What a URL has
        encoded is decoded.

    Notes
    -----
    Pieces are found by their runs of six characters, so that the cost grows with the text and not with the key.
    """
    while (decoded := unquote(text)) != text:
        text = decoded
    if len(secret) >= _LEAST:
        text = _without_pieces(text, secret)
    return _MASKED.sub(BLANK, text)


def as_written(secret: str) -> tuple[str, ...]:
    """Return the ways in which a reply may hold a whole key: as it is, as a URL, and as JSON with escaped slashes."""
    if len(secret) < _LEAST:
        return ()
    return tuple(dict.fromkeys((secret, quote(secret, safe=""), secret.replace("/", "\\/"))))


def _without_pieces(text: str, secret: str) -> str:
    size = min(_RUN, len(secret))
    runs = _runs(secret)
    folded = text.lower()
    if len(folded) != len(text):  # some letters change their length
        text = folded
    is_kept = [True] * len(text)
    for start in range(len(text) - size + 1):
        if folded[start : start + size] in runs:
            is_kept[start : start + size] = [False] * size
    pieces: list[str] = []
    for letter, keep in zip(text, is_kept, strict=True):
        if keep:
            pieces.append(letter)
        elif not pieces or pieces[-1] != BLANK:
            pieces.append(BLANK)
    return "".join(pieces)


@lru_cache(maxsize=64)
def _runs(secret: str) -> frozenset[str]:
    """Every run of six characters of the key in lower case, also of its base64, wherever it begins in a group."""
    written = [secret]
    for offset in range(3):
        encoded = base64.b64encode(b"\0" * offset + secret.encode("utf-8", "replace")).decode().rstrip("=")
        written.append(encoded[-(-offset * 8 // 6) : -1])
    size = min(_RUN, len(secret))
    return frozenset(each.lower()[start : start + size] for each in written for start in range(len(each) - size + 1))
