"""Finds the outermost objects in whatever a judge wrote: text around them, code fences and thinking aloud."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from evaluation.llm.literals import python_value
from evaluation.llm.mending import BrokenError, CutError, decode

_START = re.compile(
    r"\{[\s\u200b-\u200f\u2060-\u2064\ufeff]*(?:[\"']|/[/*]|[A-Za-z_$][\w$]*\s*:)"
    r"|\[[\s\u200b-\u200f\u2060-\u2064\ufeff]*(?:[\[{]|/[/*])"
    r"|(?P<thought></think(?:ing)?>)"
)
_THOUGHT = re.compile(r"\s*<think(?:ing)?>(?:.*?(?P<end></think(?:ing)?>))?", re.DOTALL)
_MARKS = re.compile(r"[\[{]|[\]}]|[\"']")
_TEXTS = {'"': re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL), "'": re.compile(r"'(?:[^'\\]|\\.)*'", re.DOTALL)}
_ABBREVIATED = (".", "…")
_CLOSED = re.compile(r"[\]}][\s`]*\Z")


@dataclass(frozen=True)
class FoundValue:
    """An object or a list of objects, and whether it had to be mended."""

    value: object
    is_mended: bool


@dataclass
class Findings:
    """What a text holds: readable values, what is wrong with unreadable ones (by their text), and a cut-off end."""

    values: list[FoundValue] = field(default_factory=list)
    broken: list[tuple[str, str]] = field(default_factory=list)
    is_cut: bool = False


def find_objects(text: str) -> Findings:
    """Return what a text holds, in its order; nothing inside another object, readable or not, counts.

    Parameters
    ----------
    text : str
        A reply.

    Returns
    -------
    Findings
        Without what a judge thought aloud before it answered (``<think>...</think>``, of which some servers leave
        out the first mark); a text that ends in its thoughts is cut off.

    Notes
    -----
    A brace begins an object if a key in quotes, or a name and a colon, follows: ``{smile}`` is prose. A bracket
    begins a list if another bracket follows. A list written with dots (``{"verdicts": [...]}``) is a manner of
    speaking, not an unreadable answer.
    """
    thought = _THOUGHT.match(text)
    if thought and thought["end"] is None:
        return Findings(is_cut=True)
    findings = Findings()
    whole, is_mended = _unquoted(text[thought.end() :] if thought else text)
    end = 0
    while not findings.is_cut and (begin := _START.search(whole, end)):
        if begin["thought"]:
            findings, end = Findings(), begin.end()
        else:
            end = _take(whole, begin.start(), findings)
    if is_mended:
        findings.values = [FoundValue(each.value, is_mended=True) for each in findings.values]
    return findings


def _unquoted(text: str) -> tuple[str, bool]:
    """Undo the quotes of a reply that came as one JSON text with the object in it."""
    if not text.lstrip().startswith('"'):
        return text, False
    try:
        inner = json.loads(text, strict=False)
    except ValueError:
        return text, False
    return (inner, True) if isinstance(inner, str) else (text, False)


def _take(text: str, start: int, findings: Findings) -> int:
    """Read the value at `start`, or note why it cannot be read, and return the place behind it."""
    try:
        decoded = decode(text, start)
    except CutError:
        findings.is_cut = True
        return len(text)
    except BrokenError as error:
        return _take_broken(text, start, error, findings)
    findings.values.append(FoundValue(decoded.value, decoded.is_mended))
    return decoded.end


def _take_broken(text: str, start: int, error: BrokenError, findings: Findings) -> int:
    end = _closing(text, start, "\"'")
    if end is not None and (value := python_value(text[start:end])) is not None:
        findings.values.append(FoundValue(value, is_mended=True))
        return end
    end = _closing(text, start, '"')
    if end is None and not _CLOSED.search(text):
        findings.is_cut = True
    elif not text.startswith(_ABBREVIATED, error.at):
        findings.broken.append((text[start:end], str(error)))
    return len(text) if end is None else end


def _closing(text: str, start: int, quotes: str) -> int | None:
    """Return the place behind the bracket that closes the one at `start`; brackets in quoted texts do not count."""
    depth, at = 0, start
    while mark := _MARKS.search(text, at):
        at = mark.end()
        if mark[0] in "[{":
            depth += 1
        elif mark[0] in "]}":
            depth -= 1
            if depth == 0:
                return at
        elif mark[0] in quotes:
            quoted = _TEXTS[mark[0]].match(text, mark.start())
            if quoted is None:
                return None
            at = quoted.end()
    return None
