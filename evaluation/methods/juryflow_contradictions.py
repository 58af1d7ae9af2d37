"""What a reply says besides its verdict: fields that look like another one, and confidences that are none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from evaluation.llm.presentation import CANNOT_ASSESS, turned
from evaluation.schemas import ClaimKind, Label, Opinion, Subject, VerdictState

# fields that can mean nothing but a verdict, whatever they hold; `final_verdict`, `my_vote` and the like too
_VERDICTS = frozenset({"verdict", "vote", "label", "decision", "judgement", "judgment", "ruling", "classification"})
# fields that may mean one: only a label of the project in them is another verdict
_PERHAPS = frozenset(
    {"answer", "result", "conclusion", "choice", "winner", "preference", "preferred", "better", "best", "outcome"}
)
_BEFORE = re.compile(r"\A(?:(?:final|overall|my|the|is|actual|revised) )+")
_FOR = frozenset({"supported", "accepted", "correct", "true", "entailed", "faithful", "factual", "grounded", "passed"})
_AGAINST = frozenset(
    {"unsupported", "rejected", "incorrect", "false", "wrong", "refuted", "contradicted", "hallucinated"}
)
_SCORES = frozenset({"score", "rating", "grade"})
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}
_SHOWN = 80


def flags(opinion: Opinion, beside: Mapping[str, object], subject: Subject) -> tuple[str, ...]:
    """Return a sentence for each field beside a verdict that says something else.

    The verdict counts all the same: its field is the one that was asked for. Fields are compared by their whole
    name and their whole value; texts are never searched for words. A failed opinion contradicts nothing.
    """
    if opinion.state is VerdictState.FAILED:
        return ()
    vote = "did not vote" if opinion.label is None else f'voted "{subject.labels[opinion.label]}"'
    return tuple(
        f"The judge {vote}, which counts, though its reply also says {name[:_SHOWN]}: {said}."
        for name, value in beside.items()
        for said in _contradiction(_folded(name), value, opinion.label, subject)
    )


def read_label(said: str, subject: Subject) -> tuple[bool, Label | None]:
    """Whether a text is a verdict of the project, by label or by its words, and the label in given order.

    None is the way out, `cannot_assess`.
    """
    folded = said.strip().casefold()
    for label, words in subject.labels.items():
        if folded in (label.value, words.casefold()):
            return True, turned(label, subject.order)
    return folded == CANNOT_ASSESS, None


def confidence_flag(confidence: float | None) -> tuple[str, ...]:
    """Return a sentence about a confidence that is no probability."""
    if confidence is None or 0 <= confidence <= 1:
        return ()
    return (f"Its confidence of {confidence:g} lies outside 0 to 1 and was left out.",)


def _contradiction(name: str, value: object, vote: Label | None, subject: Subject) -> Iterator[str]:
    """Yield how the value reads if it says something else than the vote."""
    if isinstance(value, str) and value.strip():
        is_label, label = read_label(value, subject)
        if is_label and name in _VERDICTS | _PERHAPS and label != vote:
            yield f'"{subject.labels[label]}"' if label else CANNOT_ASSESS
        elif not is_label and name in _VERDICTS:
            yield json.dumps(value.strip()[:_SHOWN], ensure_ascii=False)
    truth = _truth(value)
    if truth is not None and _denies(name, vote, subject, is_so=truth):
        yield json.dumps(value, ensure_ascii=False)
    elif name in _SCORES and value == 0 and vote is Label.ACCEPT:
        yield "0"


def _denies(name: str, vote: Label | None, subject: Subject, *, is_so: bool) -> bool:
    """Whether "supported: false" and the like speak against the vote."""
    is_label, label = read_label(name, subject)
    if is_label and label is not None:
        return (vote is label) != is_so
    if subject.kind is not ClaimKind.STATEMENT:
        return False
    if name in _FOR:
        return (vote is Label.ACCEPT) != is_so
    return name in _AGAINST and is_so and vote is Label.ACCEPT


def _truth(value: object) -> bool | None:
    if isinstance(value, str):
        return _TRUTH.get(value.strip().casefold())
    return bool(value) if isinstance(value, bool) or value in (0, 1) else None


def _folded(name: str) -> str:
    """Return a field's name in plain words, without those that only stress it: `isSupported` is "supported"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-\s]+", " ", name).casefold().strip()
    return _BEFORE.sub("", words)
