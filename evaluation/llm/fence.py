"""Fences round untrusted text: a marker nobody can guess and everybody can repeat."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass

_MARKER_LENGTH = 16
_SIGNS = re.compile(r"<{3,}|>{3,}")
_BLOCK = re.compile(r"<<<(?P<name>[^\n]*) (?P<marker>[0-9a-f]{16})\n(?P<content>.*?)\n(?P=marker)>>>", re.DOTALL)


@dataclass(frozen=True)
class FencedBlock:
    """A block found in a prompt: what it is called and the text in it."""

    name: str
    content: str


def fence(secret: bytes, name: str, content: str) -> str:
    """Put untrusted text between two lines that carry its own marker.

    Parameters
    ----------
    secret : bytes
        Known to this installation only; the same secret gives the same fence.
    name : str
        What the block is, for example ``response`` or ``claim 12``; line breaks become spaces.
    content : str
        The untrusted text; it is not changed.

    Returns
    -------
    str
        ``<<<name marker``, the text and ``marker>>>``, each on lines of their own.

    Raises
    ------
    ValueError
        If the secret is empty: everybody could then close the fence.

    Notes
    -----
    The marker is the start (64 bits) of HMAC-SHA256 over the name and the content (RFC 2104). A text that wants to
    end its own block must hold a hash of itself under a secret it does not know. Equal text gives an equal prompt,
    which keeps the caches of providers warm; the cache of this project hashes content before fencing instead.
    """
    if not secret:
        raise ValueError("the secret for fences is empty: give at least one byte")
    label = defused(" ".join(name.split()))
    message = f"{label}\x00{content}".encode("utf-8", "surrogatepass")
    marker = hmac.new(secret, message, hashlib.sha256).hexdigest()[:_MARKER_LENGTH]
    return f"<<<{label} {marker}\n{content}\n{marker}>>>"


def defused(text: str) -> str:
    """Return a text that may stand outside a fence: three or more of the signs of a fence are spaced apart.

    Parameters
    ----------
    text : str
        What an owner of the project wrote, such as the question or the guidelines.

    Returns
    -------
    str
        The text, which now neither opens nor closes a block.
    """
    return _SIGNS.sub(lambda found: " ".join(found.group()), text)


def read_fenced(text: str) -> list[FencedBlock]:
    """Return the outermost fenced blocks of a prompt in their order; used by the local server and by tests."""
    return [FencedBlock(name=found["name"], content=found["content"]) for found in _BLOCK.finditer(text)]


def unfenced(text: str) -> str:
    """Return what a prompt says outside its fenced blocks."""
    return _BLOCK.sub("", text)
