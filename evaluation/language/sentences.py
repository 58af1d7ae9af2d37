"""Sentences of a text with their code-point spans."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluation.language.lexicon import lexicon

_END = re.compile(r"[.!?]+[\"'\u201d\u2019)\]]*(?=\s|$)|[\u3002\uff01\uff1f]+")
_BLOCK_BREAK = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*\u2022#|>]|\d{1,3}[.)]\s))|(?<=\|)\n|\r\n\s*\r\n")
_LAST_WORD = re.compile(r"[^\W\d_](?:[\w.]*[^\W_])?$")
_LIST_MARK = re.compile(r"\s*(?:[-*\u2022>]\s+|\d{1,3}[.)]\s+)?")
_HEADING = re.compile(r"\s*#{1,6}\s")


@dataclass(frozen=True)
class Sentence:
    """A sentence as written; `start` and `end` are code points of the text it was cut from."""

    text: str
    start: int
    end: int


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Cut a text at . ! ? and at blocks (blank lines, list items, table rows), never after an abbreviation."""
    found: list[Sentence] = []
    for block_start, block_end in _blocks(text):
        start = block_start
        for match in _END.finditer(text, block_start, block_end):
            if _is_end(text, match):
                found.extend(_trimmed(text, start, match.end()))
                start = match.end()
        found.extend(_trimmed(text, start, block_end))
    return tuple(found)


def split_claims(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a response that can be judged: no headings, no questions, no list marks."""
    found: list[Sentence] = []
    for sentence in split_sentences(text):
        mark = _LIST_MARK.match(sentence.text)
        shift = mark.end() if mark else 0
        body = sentence.text[shift:]
        if _HEADING.match(sentence.text) or body.rstrip("\"'\u201d)").endswith(("?", ":")):
            continue
        if any(sign.isalpha() for sign in body):
            found.append(Sentence(body, sentence.start + shift, sentence.end))
    return tuple(found)


def _blocks(text: str) -> list[tuple[int, int]]:
    blocks: list[tuple[int, int]] = []
    start = 0
    for match in _BLOCK_BREAK.finditer(text):
        blocks.append((start, match.start()))
        start = match.end()
    return [*blocks, (start, len(text))]


def _trimmed(text: str, start: int, end: int) -> list[Sentence]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    body = piece.strip()
    return [Sentence(body, start + left, start + left + len(body))] if body else []


def _is_end(text: str, match: re.Match[str]) -> bool:
    if match.group() != ".":
        return True
    word = _LAST_WORD.search(text[max(0, match.start() - 30) : match.start()])
    if word is None:
        return not _is_list_number(text, match.start())
    return not _is_abbreviation(text, match, word.group())


def _is_list_number(text: str, stop: int) -> bool:
    line = text[text.rfind("\n", 0, stop) + 1 : stop]
    return line.strip().isdigit() and len(line.strip()) <= 3


def _is_abbreviation(text: str, match: re.Match[str], word: str) -> bool:
    following = text[match.end() :].lstrip()[:1]
    lower = word.lower()
    words = lexicon()
    if lower in words.abbreviations_before_digits:
        return following.isdigit()
    if lower in words.abbreviations_before_lower_case:
        return following.islower() or following in tuple(",;")
    if len(word) == 1:
        return word.isupper() and not _is_unit_letter(text, match.start() - 1)
    return lower in words.abbreviations


def _is_unit_letter(text: str, at: int) -> bool:
    before = text[:at].rstrip()
    return before.endswith("\u00b0") or before[-1:].isdigit()
