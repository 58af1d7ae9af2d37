"""Replaces what names persons before a text is sent, and puts it back into what comes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel

from evaluation.language.personal import (
    EMAIL,
    NAME,
    PHONE,
    Personal,
    find_emails,
    find_phone_numbers,
    names_pattern,
    parts_of,
    titled_names,
)
from evaluation.language.spans import without_overlaps
from evaluation.schemas import PrivacyRules, Subject

Reply = TypeVar("Reply", bound=BaseModel)

_PLACEHOLDER = re.compile(r"\[\s*(email|phone|name)\s+(\d{1,6})\s*(?:,\s*writing\s+(\d{1,6})\s*)?\]", re.IGNORECASE)
_TEXTS_REMEMBERED = 256
_NOT_SENT = frozenset({"task", "item", "ref", "judge", "silence_means", "in_between"})


@dataclass(frozen=True)
class Replaced:
    """A stretch of an original text and what stands in its place in the text that is sent."""

    kind: str
    start: int
    end: int
    original: str
    placeholder: str


@dataclass(frozen=True)
class Masked:
    """A subject fit to be sent, the one it was made from, and the way back from each placeholder."""

    subject: Subject
    original: Subject
    originals: Mapping[str, str] = field(default_factory=dict)

    def restore(self, value: Reply) -> Reply:
        """Return a reply with the originals in the place of their placeholders, in every text of it."""
        if not self.originals:
            return value
        return type(value).model_validate(_in_json(value.model_dump(), self.unmask))

    def unmask(self, text: str) -> str:
        """Return a text with the originals in the place of their placeholders; unknown placeholders stay."""
        return _PLACEHOLDER.sub(lambda found: self.originals.get(_key(found), found.group()), text)


def untouched(subject: Subject) -> Masked:
    """Return a subject in which nothing is replaced."""
    return Masked(subject, subject)


def mask(subject: Subject, rules: PrivacyRules) -> Masked:
    """Replace what the rules name in every text of a subject that is sent.

    Equal things get equal placeholders within the subject: `[email 1]`, `[phone 2]`, `[name 1]`. Another writing of
    the same number, address or name, or a part of a name, is `[name 1, writing 2]`. A placeholder that a text holds
    by itself is never given out, so that `unmask` returns each text exactly.
    """
    replacing = Replacing(_texts_of(subject), rules)
    return Masked(_in_subject(subject, replacing.masked), subject, replacing.originals)


class Replacing:
    """Hands out placeholders for texts that are sent together."""

    def __init__(self, texts: Sequence[str], rules: PrivacyRules) -> None:
        self.originals: dict[str, str] = {}
        names = _names(texts, rules)
        self._known = {
            EMAIL: names_pattern({each for text in texts for each in _emails_in(text)} if rules.emails else ()),
            PHONE: names_pattern({each for text in texts for each in _phones_in(text)} if rules.phones else ()),
            NAME: names_pattern(names),
        }
        self._whole = _whole_names(names)
        self._taken = {(found[1].lower(), int(found[2])) for text in texts for found in _PLACEHOLDER.finditer(text)}
        self._numbers: dict[tuple[str, str], int] = {}
        self._given: dict[tuple[str, str], str] = {}
        self._writings: dict[tuple[str, int], int] = {}

    def masked(self, text: str) -> str:
        """Return the text as it is sent."""
        pieces, at = [], 0
        for each in self.found(text):
            pieces += [text[at : each.start], each.placeholder]
            at = each.end
        return "".join([*pieces, text[at:]])

    def found(self, text: str) -> list[Replaced]:
        """Return what is replaced in one of the texts, in its order."""
        return [
            Replaced(each.kind, each.start, each.end, original, self._placeholder(each.kind, original))
            for each in self._personal(text)
            for original in [text[each.start : each.end]]
        ]

    def number(self, replaced: Replaced) -> int:
        """Return the number that all writings of one thing share."""
        return self._number(replaced.kind, self._identity(replaced.kind, replaced.original))

    def _personal(self, text: str) -> list[Personal]:
        """Return all that is known by now to name a person, in order, also what stands right beside another one."""
        found: list[Personal] = []
        gaps = [(0, len(text))]
        while gaps:
            start, end = gaps.pop()
            here = self._known_in(text, start, end)
            found += here
            if here:
                edges = [start, *(edge for each in here for edge in (each.start, each.end)), end]
                gaps += zip(edges[::2], edges[1::2], strict=True)
        return sorted(found, key=lambda each: each.start)

    def _known_in(self, text: str, start: int, end: int) -> list[Personal]:
        part = text[start:end]
        return without_overlaps(
            Personal(kind, start + match.start(), start + match.end())
            for kind, pattern in self._known.items()
            if pattern is not None
            for match in pattern.finditer(part)
        )

    def _placeholder(self, kind: str, original: str) -> str:
        if (kind, original) not in self._given:
            number = self._number(kind, self._identity(kind, original))
            writing = self._writings[kind, number] = self._writings.get((kind, number), 0) + 1
            suffix = f", writing {writing}" if writing > 1 else ""
            self._given[kind, original] = f"[{kind} {number}{suffix}]"
            self.originals[f"{kind} {number} {writing}"] = original
        return self._given[kind, original]

    def _number(self, kind: str, identity: str) -> int:
        if (kind, identity) not in self._numbers:
            number = 1
            while (kind, number) in self._taken:
                number += 1
            self._taken.add((kind, number))
            self._numbers[kind, identity] = number
        return self._numbers[kind, identity]

    def _identity(self, kind: str, original: str) -> str:
        """Return what two writings of one person's address, number or name have in common."""
        if kind == EMAIL:
            return original.casefold()
        if kind == PHONE:
            return re.sub(r"\A00", "", re.sub(r"\D", "", original.replace("(0)", "")))
        name = " ".join(original.split())
        return self._whole.get(name, name)


# several judges are asked about the same texts, and several responses share their sources
@lru_cache(maxsize=_TEXTS_REMEMBERED)
def _emails_in(text: str) -> frozenset[str]:
    return frozenset(text[each.start : each.end] for each in find_emails(text))


@lru_cache(maxsize=_TEXTS_REMEMBERED)
def _phones_in(text: str) -> frozenset[str]:
    return frozenset(text[each.start : each.end] for each in find_phone_numbers(text))


@lru_cache(maxsize=_TEXTS_REMEMBERED)
def _titled_in(text: str) -> frozenset[str]:
    return frozenset(titled_names(text))


def _names(texts: Sequence[str], rules: PrivacyRules) -> tuple[str, ...]:
    """Return the listed names, and those that a title gives away with their parts, which may stand alone elsewhere."""
    titled = {name for text in texts for name in _titled_in(text)} if rules.titles else set()
    return tuple(sorted({*rules.names, *titled, *(part for name in titled for part in parts_of(name))}))


def _whole_names(names: Sequence[str]) -> Mapping[str, str]:
    """Map each name that is part of exactly one longer name to that one."""
    flat = [" ".join(name.split()) for name in names]
    longer = {name: [other for other in flat if f" {name} " in f" {other} " and other != name] for name in flat}
    return {name: others[0] for name, others in longer.items() if len(others) == 1}


def _key(found: re.Match[str]) -> str:
    return f"{found[1].lower()} {int(found[2])} {int(found[3] or 1)}"


def _in_subject(subject: Subject, change: Callable[[str], str]) -> Subject:
    changed: Subject = _in_fields(subject, change)
    return changed


def _in_fields(value: Any, change: Callable[[str], str]) -> Any:
    """Return a plain value with every text in it changed, except the fields that are never sent."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple):
        return tuple(_in_fields(each, change) for each in value)
    if isinstance(value, Mapping):
        return {key: _in_fields(each, change) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        sent = (each.name for each in fields(value) if each.name not in _NOT_SENT)
        return replace(value, **{name: _in_fields(getattr(value, name), change) for name in sent})
    return value


def _texts_of(subject: Subject) -> list[str]:
    texts: list[str] = []

    def kept(text: str) -> str:
        texts.append(text)
        return text

    _in_fields(subject, kept)
    return texts


def _in_json(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [_in_json(each, change) for each in value]
    if isinstance(value, dict):
        return {key: _in_json(each, change) for key, each in value.items()}
    return value
