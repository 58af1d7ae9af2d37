"""Rubric examples as precedents: a claim that is the same as an example gets the example's label."""

from __future__ import annotations

from collections.abc import Callable

from evaluation.llm.providers.offline.finding import Finding, Side
from evaluation.llm.providers.offline.vectors import VectorStore
from evaluation.schemas import RubricExample, RubricText, Subject

Aligner = Callable[[str, str, float], bool]
"""Says whether two texts make the same claim, given their cosine (0 where there is no embedder)."""


def find_precedent(text: str, subject: Subject, aligner: Aligner, store: VectorStore | None) -> Finding | None:
    """Return what the same claim was ruled or is listed as; None where there is no such precedent.

    In a review the ruling shown with it comes first. Then the nearest aligned rubric example, then the lowest entry id.
    """
    if ruled := _ruling(text, subject, aligner, store):
        return ruled
    found: list[tuple[float, int, RubricExample]] = []
    for entry, example in _examples(subject):
        cosine = _cosine(text, example.text, store)
        if aligner(text, example.text, cosine):
            found.append((-cosine, entry.entry_id, example))
    if not found:
        return None
    _, entry_id, example = min(found, key=lambda item: item[:2])
    said = subject.labels[example.label]
    rationale = f'Rule {entry_id} has this as an example of "{said}": "{example.text}"'
    return Finding(Side.CANNOT_SAY, rationale, label=example.label, entry=entry_id)


def _ruling(text: str, subject: Subject, aligner: Aligner, store: VectorStore | None) -> Finding | None:
    """Return the ruling on the claims after the first of a review, where one of them is the same claim."""
    if subject.task != "review" or subject.ruling is None or subject.ruling not in subject.labels:
        return None
    for ruled in subject.claims[1:]:
        if aligner(text, ruled.text, _cosine(text, ruled.text, store)):
            rationale = f'An expert ruled "{subject.labels[subject.ruling]}" on the same claim: "{ruled.text}"'
            return Finding(Side.CANNOT_SAY, rationale, label=subject.ruling)
    return None


def _cosine(one: str, other: str, store: VectorStore | None) -> float:
    return round(store.cosine(one, other), 6) if store else 0.0


def _examples(subject: Subject) -> list[tuple[RubricText, RubricExample]]:
    return [
        (entry, example)
        for entry in subject.rubric
        for example in (entry.positive, entry.negative)
        if example is not None and example.label in subject.labels
    ]
