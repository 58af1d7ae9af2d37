"""Drafts a rubric entry from a ruled claim by template."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.llm.protocol import JsonObject
from evaluation.llm.providers.offline.finding import Side
from evaluation.llm.providers.offline.negation_judge import judge_negation
from evaluation.llm.providers.offline.numbers_judge import judge_numbers
from evaluation.llm.providers.offline.overlap_judges import judge_names, judge_words
from evaluation.llm.providers.offline.reading import ClaimReading
from evaluation.llm.providers.offline.tagging import tag_claim
from evaluation.llm.providers.offline.thresholds import THRESHOLDS
from evaluation.schemas import Label, Subject

_NO_OTHER_SIDE = "No ruled claim or source sentence shows this side yet."
_OTHER = "other"
_NO_PASSAGE = "No source sentence is near enough to serve as an example."


@dataclass(frozen=True)
class _Template:
    """A rule and where it does not hold; {yes}, {no} and {unsettled} are the project's words for the labels."""

    criterion: str
    boundary: str


_NOT_SUPPORTED = {
    "numbers": _Template(
        'A figure counts as "{yes}" only if a source gives it, with the same unit, for the same thing.',
        "The figure follows from figures of the sources by plain arithmetic.",
    ),
    "negation": _Template(
        'A statement counts as "{yes}" only if the source says so without a "not", "no" or an opposite.',
        "The source denies something else, or denies it for another case.",
    ),
    "overclaim": _Template(
        'A statement about all cases counts as "{yes}" only if the source covers all of them.',
        "The source names the cases one by one and the statement lists the same ones.",
    ),
    "absence": _Template(
        'What no source mentions is "{no}", also where it sounds likely.',
        "The statement only says in other words what a source says.",
    ),
    _OTHER: _Template(
        'A statement built from words of the sources is "{no}" if it joins them in another way than the source does.',
        "The statement keeps who does what, when and for what, and only changes the wording.",
    ),
}
_SUPPORTED = {
    "numbers": _Template(
        'A figure that follows from figures of the sources by plain arithmetic counts as "{yes}".',
        "A step of the calculation needs a figure that no source gives.",
    ),
    "negation": _Template(
        'A statement counts as "{yes}" if it says the same as the source, also where only one of them uses a "not".',
        'Leaving the "not" out changes what is true.',
    ),
    _OTHER: _Template(
        'Other wording than the source\'s is "{yes}" as long as it says the same.',
        'A figure, a name, a condition or a "not" differs from the source.',
    ),
}
_UNSETTLED = {
    _OTHER: _Template(
        'Where the sources speak of the matter but do not say this, the answer is "{unsettled}".',
        "A source says it, or says the opposite.",
    ),
}
_TEMPLATES = {Label.ACCEPT: _SUPPORTED, Label.REJECT: _NOT_SUPPORTED, Label.UNCERTAIN: _UNSETTLED}


def draft_entry(claim: ClaimReading, subject: Subject) -> JsonObject:
    """Return a drafted entry: what the rule is by the cause the checkers see, the claim as an example."""
    ruling = subject.ruling or Label.UNCERTAIN
    template = _TEMPLATES[ruling][ruling_cause(claim, ruling)]
    tags = [tag for tag in subject.claims[0].tags if tag in subject.tag_vocabulary]
    tags = tags or tag_claim(claim.text, subject.tag_vocabulary)
    words = {
        "yes": subject.labels.get(Label.ACCEPT, "supported"),
        "no": subject.labels.get(Label.REJECT, "not supported"),
        "unsettled": subject.labels.get(Label.UNCERTAIN, "not settled"),
    }
    reason = f" Reason given: {subject.ruling_reason.strip()}" if subject.ruling_reason.strip() else ""
    return {
        "criterion": template.criterion.format(**words) + reason,
        "boundary": template.boundary.format(**words),
        "dimension": tags[0] if tags else "",
        "tags": tags,
        **_examples(claim, ruling),
    }


def ruling_cause(claim: ClaimReading, ruling: Label) -> str:
    """Return which kind of rule a ruling on a claim speaks for, by what the checkers object to in it."""
    cause = _cause(claim)
    return cause if cause in _TEMPLATES[ruling] else _OTHER


def _cause(claim: ClaimReading) -> str:
    if not claim.sources.sentences:
        return "absence"
    negation = judge_negation(claim).side
    objections = {
        "numbers": judge_numbers(claim).side is Side.NOT_SUPPORTED,
        "negation": negation is Side.NOT_SUPPORTED,
        "overclaim": negation is Side.IN_BETWEEN,
        "absence": Side.NOT_SUPPORTED in (judge_names(claim).side, judge_words(claim).side),
    }
    return next((cause for cause, is_seen in objections.items() if is_seen), _OTHER)


def _examples(claim: ClaimReading, ruling: Label) -> JsonObject:
    is_accepted = ruling is Label.ACCEPT
    positive = claim.text if is_accepted else _passage(claim)
    negative = None if is_accepted else claim.text
    return {
        "positive_example": positive,
        "positive_missing": "" if positive else _NO_PASSAGE,
        "negative_example": negative,
        "negative_missing": "" if negative else _NO_OTHER_SIDE,
    }


def _passage(claim: ClaimReading) -> str | None:
    if not claim.sources.sentences:
        return None
    place = claim.closest()[0]
    return claim.sources.sentences[place].text if claim.alignments[place] >= THRESHOLDS.negation_aligned else None
