"""Passages of a claim's material and of rules that try to instruct the judges, for the people who read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.language.suspicion import Suspicion, suspicions
from evaluation.models import Claim, Document, RubricEntry

_SAID = {
    "order": "An order",
    "exemption": "A claim to be exempt from judging",
    "verdict": "An answer given to the judges",
    "turn": "An imitated message of the system or of a model",
    "fence": "An imitated end of the text",
    "hidden": "Characters that nobody sees",
    "encoded": "Encoded text",
}
LOOKED_AT = 200_000  # characters of one page together
AROUND = 60
MOST = 30


@dataclass(frozen=True)
class SuspiciousPassage:
    """A passage where it stands, with a little before and after it; `reads_as` is what is hidden or encoded in it."""

    where: str
    kind: str
    before: str
    passage: str
    after: str
    reads_as: str

    @property
    def said(self) -> str:
        """What sort of passage it is, in words."""
        return _SAID[self.kind]


def suspicious_passages(claim: Claim, documents: Sequence[Document]) -> tuple[SuspiciousPassage, ...]:
    """What tries to instruct judges in a claim's texts, which are all loaded; the same passage counts once."""
    return _passages(_texts(claim, documents))


def suspicious_in_rule(entry: RubricEntry) -> tuple[SuspiciousPassage, ...]:
    """What in a rule does more than tell judges what to check; many a rule was drafted from the material."""
    named = (
        ("the rule", entry.criterion),
        ("its limit", entry.boundary),
        ("an example", entry.positive_example),
        ("an example", entry.negative_example),
        *(("a tag", tag) for tag in entry.tags),
    )
    return _passages(named)


def _passages(texts: Iterable[tuple[str, str]]) -> tuple[SuspiciousPassage, ...]:
    found: dict[str, SuspiciousPassage] = {}
    room = LOOKED_AT
    for where, text in texts:
        for each in suspicions(text[: max(0, room)]):
            found.setdefault(each.excerpt, _passage(where, text, each))
        room -= len(text)
    return tuple(found.values())[:MOST]


def _texts(claim: Claim, documents: Sequence[Document]) -> Iterable[tuple[str, str]]:
    if claim.second_response is None:
        yield "the response", claim.response.text
    else:
        yield "an answer", claim.response.text
        yield "an answer", claim.second_response.text
    yield "the claim", claim.text
    for document in documents:
        yield f"the source “{document}”", document.text
        yield "the title of a source", document.title
    yield "the request", claim.instance.prompt
    yield "the context", claim.instance.context


def _passage(where: str, text: str, found: Suspicion) -> SuspiciousPassage:
    start, end = max(0, found.start - AROUND), found.end + AROUND
    return SuspiciousPassage(
        where=where,
        kind=found.kind,
        before=("… " if start else "") + text[start : found.start],
        passage=found.excerpt,
        after=text[found.end : end] + (" …" if end < len(text) else ""),
        reads_as=found.reads_as,
    )
