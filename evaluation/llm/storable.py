"""What judges say about themselves and others as every database can keep it: clean texts and bounded counts."""

from __future__ import annotations

import re

MOST = 2**31 - 1
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(value: object) -> object:
    """Replace NUL and lone surrogates by U+FFFD in every text of a decoded JSON value.

    Parameters
    ----------
    value : object
        A text, number, boolean, None, or a list or dict of such values.

    Returns
    -------
    object
        The same value with clean texts; other values are returned as they are.

    Notes
    -----
    A judge may answer with an escaped NUL or half a surrogate pair; PostgreSQL refuses the first and UTF-8 the
    second. One code point replaces one, so that spans into the text keep their meaning.
    """
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, list):
        return [storable(each) for each in value]
    if isinstance(value, dict):
        return {storable_text(str(key)): storable(each) for key, each in value.items()}
    return value


def storable_text(text: str) -> str:
    """Replace NUL and lone surrogates in one text by U+FFFD."""
    return _UNSTORABLE.sub("�", text)


def storable_count(value: object) -> int:
    """Return a count as reported by a server, within 0 and 2^31 - 1; 0 for what is no whole number."""
    return min(max(value, 0), MOST) if isinstance(value, int) else 0
