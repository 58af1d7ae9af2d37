"""What may be private in a short text, for a person to look at: more is found than `personal` is sure of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from evaluation.language import personal
from evaluation.language.lexicon import lexicon
from evaluation.language.names import find_names
from evaluation.language.personal import NAME, Personal
from evaluation.language.spans import without_overlaps
from evaluation.language.words import bare

_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_JOINED = re.compile(r"\.? ")


@dataclass(frozen=True)
class Private:
    """Something that may be private, as it is written; `kind` is email, phone or name."""

    kind: str
    text: str


def find_private(text: str, listed: Collection[str] = ()) -> tuple[Private, ...]:
    """Return what may be private in a text, each once, in the order of the text.

    Besides listed names, those are capitalised words that are not plain English, those next to each other as one: a
    place or a product is found as well as a person, and a name at the start of a sentence may be missed.
    """
    certain = without_overlaps(
        [
            *personal.find_emails(text),
            *personal.find_phone_numbers(text),
            *_listed(text, listed),
        ]
    )
    guessed = [run for run in _guessed(text) if all(run.end <= sure.start or sure.end <= run.start for sure in certain)]
    in_order = sorted([*certain, *guessed], key=lambda span: span.start)
    found = [Private(span.kind, text[span.start : span.end]) for span in in_order]
    return tuple({private.text: private for private in found}.values())


def _listed(text: str, names: Collection[str]) -> list[Personal]:
    pattern = personal.names_pattern(names)
    return [Personal(NAME, *match.span()) for match in pattern.finditer(text)] if pattern else []


def _guessed(text: str) -> Iterator[Personal]:
    """Runs of neighbouring words that look like names."""
    known = {bare(name.lower()) for name in find_names(text)} - set(lexicon().numbers.months)
    runs: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        if bare(word[0].lower()) not in known or not word[0][0].isupper():
            continue
        if runs and _JOINED.fullmatch(text[runs[-1][1] : word.start()]):
            runs[-1] = (runs[-1][0], word.end())
        else:
            runs.append(word.span())
    return (Personal(NAME, *run) for run in runs)
