"""What a text negates, and opposites between two texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from evaluation.language.lexicon import lexicon
from evaluation.language.words import Token, is_content, is_cue, stem, tokens

SCOPE = 6
_ENDS = frozenset(',;:()"\u2013\u2014')


@dataclass
class _Mark:
    """A token with the number of cues that cover it."""

    token: Token
    covers: int = 0
    is_cue: bool = False


@dataclass(frozen=True)
class Polarity:
    """Stems of a text by whether they are negated; `words` maps a stem to the word as written."""

    plain: frozenset[str]
    negated: frozenset[str]
    words: dict[str, str] = field(compare=False)
    order: tuple[str, ...] = ()

    @property
    def all(self) -> frozenset[str]:
        """All stems, negated or not."""
        return self.plain | self.negated


@lru_cache(maxsize=4096)
def read_polarity(text: str) -> Polarity:
    """Return which stems the text negates: a cue covers the next six content words up to a clause boundary.

    Double negation cancels ("no patient was excluded"), "not only" negates nothing, a passive cue covers its subject
    too ("smokers were excluded"), and "it is not true that ..." negates the verb of what follows.
    """
    marks = [_Mark(token) for token in tokens(text)]
    for at in _cue_places(marks):
        marks[at].is_cue = True
    for at, mark in enumerate(marks):
        if mark.is_cue:
            _cover(marks, at)
    return _collect(marks)


def mismatched(claim: str, passage: str) -> tuple[str, ...]:
    """Return shared content words negated on one side only, as the claim writes them.

    Texts that share a negated word carry the same negation; then nothing is mismatched ("no fee is charged" and
    "a fee is not charged"). So do texts that differ by both a negation and an opposite ("not open" and "closed").
    """
    left, right = read_polarity(claim), read_polarity(passage)
    if left.negated & right.negated or _crossed_opposites(left, right):
        return ()
    wrong = (left.negated & right.plain - right.negated - left.plain) | (
        right.negated & left.plain - left.negated - right.plain
    )
    return tuple(left.words[root] for root in left.order if root in wrong and is_content(left.words[root].lower()))


def opposites(claim: str, passage: str) -> tuple[tuple[str, str], ...]:
    """Return pairs (claim's word, passage's word) that are opposites, equally negated and with nothing in between."""
    left, right = read_polarity(claim), read_polarity(passage)
    return tuple(pair for pair, is_crossed in _opposites(left, right) if not is_crossed)


def new_universals(claim: str, passage: str) -> tuple[str, ...]:
    """Return the claim's all, every, only, always where the passage has none of them."""
    universals = lexicon().universals
    if universals & {token.lower for token in tokens(passage)}:
        return ()
    words = tokens(claim)
    return tuple(
        token.text
        for at, token in enumerate(words)
        if token.lower in universals and not (at and words[at - 1].lower == "not")
    )


def has_negation(text: str) -> bool:
    """Say whether the text holds a word that negates another."""
    return bool(_cue_places([_Mark(token) for token in tokens(text)]))


def negates_on_claim_side(claim: str, word: str) -> bool:
    """Say whether the claim (and so not the passage) negates this word."""
    return stem(word.lower()) in read_polarity(claim).negated


def _cue_places(marks: Sequence[_Mark]) -> list[int]:
    lower = [mark.token.lower for mark in marks]
    phrases = lexicon().negation.not_a_cue
    return [
        at
        for at, word in enumerate(lower)
        if is_cue(word)
        and not any(tuple(lower[at : at + len(phrase)]) == phrase for phrase in phrases)
        and not (word == "no" and _is_ordinal_no(lower, at))
    ]


def _is_ordinal_no(lower: Sequence[str], at: int) -> bool:
    return lower[at + 1 : at + 2] == ["."] and at + 2 < len(lower) and lower[at + 2][0].isdigit()


def _cover(marks: list[_Mark], cue: int) -> None:
    start = _after_denial(marks, cue)
    left = SCOPE
    for at in range(start, len(marks)):
        mark = marks[at]
        if left == 0 or _ends_scope(marks, at):
            break
        if mark.is_cue and mark.token.lower in lexicon().negation.cancelling:
            mark.covers += 1
        elif mark.token.is_word and is_content(mark.token.lower):
            mark.covers += 1
            left -= 1
    if _is_passive(marks, cue):
        _cover_subject(marks, cue)


def _ends_scope(marks: Sequence[_Mark], at: int) -> bool:
    token = marks[at].token
    if token.text == "-":
        return _is_dash(marks, at)
    return token.text in _ENDS or token.lower in lexicon().negation.scope_ends


def _is_dash(marks: Sequence[_Mark], at: int) -> bool:
    before = marks[at - 1].token.end if at else -1
    after = marks[at + 1].token.start if at + 1 < len(marks) else -1
    return marks[at].token.start != before or marks[at].token.end != after


def _after_denial(marks: Sequence[_Mark], cue: int) -> int:
    lower = [mark.token.lower for mark in marks]
    words = lexicon().negation
    window = lower[cue + 1 : cue + 5]
    if "that" not in window or not words.denials & set(window):
        return cue + 1
    that = cue + 1 + window.index("that")
    verbs = [at for at in range(that, len(lower)) if lower[at] in words.auxiliaries]
    return (verbs[0] if verbs else that) + 1


def _is_passive(marks: Sequence[_Mark], cue: int) -> bool:
    words = lexicon().negation
    before = [mark.token.lower for mark in marks[max(0, cue - 3) : cue]]
    return marks[cue].token.lower in words.passive and bool(words.auxiliaries & set(before))


def _cover_subject(marks: list[_Mark], cue: int) -> None:
    for at in range(cue - 1, -1, -1):
        if _ends_scope(marks, at):
            break
        if marks[at].token.is_word and is_content(marks[at].token.lower):
            marks[at].covers += 1


def _collect(marks: Sequence[_Mark]) -> Polarity:
    plain: set[str] = set()
    negated: set[str] = set()
    words: dict[str, str] = {}
    for mark in marks:
        if mark.token.is_word:
            root = stem(mark.token.lower)
            words.setdefault(root, mark.token.text)
            (negated if mark.covers % 2 else plain).add(root)
    return Polarity(frozenset(plain), frozenset(negated), words, tuple(words))


@lru_cache(maxsize=1)
def _antonym_stems() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    groups = lexicon().antonyms
    return tuple((frozenset(map(stem, one)), frozenset(map(stem, other))) for one, other in groups)


def _opposites(left: Polarity, right: Polarity) -> list[tuple[tuple[str, str], bool]]:
    found: list[tuple[tuple[str, str], bool]] = []
    for one, other in _antonym_stems():
        for here, there in ((one, other), (other, one)):
            mine, theirs = left.all & here, right.all & there
            if mine and theirs and not left.all & there and not right.all & here:
                first, second = min(mine), min(theirs)
                is_crossed = (first in left.negated) != (second in right.negated)
                found.append(((left.words[first], right.words[second]), is_crossed))
    return found


def _crossed_opposites(left: Polarity, right: Polarity) -> bool:
    return any(is_crossed for _, is_crossed in _opposites(left, right))
