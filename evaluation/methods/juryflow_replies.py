"""What JuryFlow makes of judges' replies: found claims with spans, opinions and a drafted rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluation.llm.presentation import turned
from evaluation.methods.juryflow import asked_claims
from evaluation.methods.juryflow_contradictions import confidence_flag, flags, read_label
from evaluation.methods.juryflow_quotes import locate
from evaluation.methods.juryflow_shapes import (
    DecompositionReply,
    DraftReply,
    FoundClaimReply,
    VerdictReply,
    VerdictsReply,
)
from evaluation.schemas import (
    ClaimKind,
    FoundClaim,
    Label,
    Opinion,
    PresentationOrder,
    RubricDraft,
    RubricExample,
    Subject,
    VerdictState,
)

OTHER_TAG = "other:"
MAX_RATIONALE = 20_000  # what is longer stays in the raw reply of the call
_MAX_TAGS = 5
_MAX_TAG_LENGTH = 40
_NOT_SAID = "The judge named no example and no reason."


@dataclass(frozen=True)
class ReadOpinions:
    """The opinions on the asked claims in their order, the references without one, and those nobody asked about."""

    opinions: tuple[Opinion, ...]
    gaps: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()


def read_opinions(reply: VerdictsReply, subject: Subject) -> ReadOpinions:
    """Return one opinion for every claim that was asked about and answered.

    Labels of a swapped pair come back in given order. A verdict outside the project's labels, and two different
    verdicts on one claim, are failed opinions with the reason shape; `cannot_assess` is an abstention. What
    contradicts a verdict beside it, or beside the list of the only one, is said in the opinion's flags.
    """
    asked = [claim.ref for claim in asked_claims(subject)]
    found: dict[str, list[Opinion]] = defaultdict(list)
    beside_list = reply.model_extra or {} if len(reply.verdicts) == 1 else {}
    for verdict in reply.verdicts:
        opinion = _opinion(subject, verdict.claim, verdict, beside_list)
        entry = verdict.precedent_entry
        is_shown = any(each.entry_id == entry for each in subject.rubric)
        found[verdict.claim].append(
            replace(
                opinion,
                tags=known_tags(verdict.tags, subject.tag_vocabulary),
                precedent_entry=entry if is_shown else None,
            )
        )
    return ReadOpinions(
        opinions=tuple(_agreed(found[ref]) for ref in asked if ref in found),
        gaps=tuple(ref for ref in asked if ref not in found),
        invented=tuple(ref for ref in found if ref not in asked),
    )


def read_decomposition(reply: DecompositionReply, subject: Subject) -> list[FoundClaim]:
    """Return the claims a judge found, in its order, each with its opinion and its span in the response.

    A span is a pair of code-point offsets, None where the quote does not stand in the response. A claim named twice
    is one claim. The opinions refer to their claim by its place in the list, counted from 1.
    """
    groups: dict[tuple[str, tuple[int, int] | None], list[FoundClaimReply]] = {}
    taken: set[tuple[int, int]] = set()
    for each in reply.claims:
        span = locate(each.quote, subject.response, taken)
        if span is not None:
            taken.add(span)
        groups.setdefault((each.text.casefold(), span), []).append(each)
    return [
        _found_claim(str(number), span, replies, subject)
        for number, ((_, span), replies) in enumerate(groups.items(), start=1)
    ]


def read_draft(reply: DraftReply, subject: Subject) -> RubricDraft:
    """Return the drafted rule; an example carries the label it passes or fails with, a missing one its reason.

    The ruled claim as an example carries the ruling itself, whichever of the two it is.
    """
    ruling = subject.ruling or next(iter(subject.labels))
    passes, fails = (Label.ACCEPT, Label.REJECT)
    if subject.kind is ClaimKind.PREFERENCE:
        passes, fails = ruling, turned(ruling, PresentationOrder.SWAPPED)
    positive = _example(reply.positive_example, passes, subject, ruling)
    negative = _example(reply.negative_example, fails, subject, ruling)
    return RubricDraft(
        criterion=reply.criterion,
        boundary=reply.boundary,
        dimension=reply.dimension,
        tags=known_tags(reply.tags, subject.tag_vocabulary),
        positive=positive,
        positive_missing="" if positive else reply.positive_missing or _NOT_SAID,
        negative=negative,
        negative_missing="" if negative else reply.negative_missing or _NOT_SAID,
    )


def failed_opinion(ref: str, reason: str) -> Opinion:
    """Return the opinion that stands for an answer that never came or could not be read."""
    return Opinion(ref=ref, state=VerdictState.FAILED, failure_reason=reason)


def known_tags(tags: Iterable[str], vocabulary: Sequence[str]) -> tuple[str, ...]:
    """Map tags to the project's vocabulary, whatever their case and hyphens; unknown ones become `other:...`."""
    words = {_folded(tag): tag for tag in vocabulary}
    kept: dict[str, None] = {}
    for tag in tags:
        folded = _folded(tag.removeprefix(OTHER_TAG))
        if folded:
            kept[words.get(folded, f"{OTHER_TAG}{folded[:_MAX_TAG_LENGTH]}")] = None
    return tuple(kept)[:_MAX_TAGS]


def _folded(tag: str) -> str:
    return " ".join(tag.casefold().replace("-", " ").replace("_", " ").split())


def _opinion(
    subject: Subject, ref: str, said: VerdictReply | FoundClaimReply, beside: Mapping[str, object] | None = None
) -> Opinion:
    is_label, label = read_label(said.verdict, subject)
    if not is_label:
        opinion = failed_opinion(ref, "shape")
    elif label is None:
        opinion = Opinion(ref=ref, state=VerdictState.ABSTAINED)
    else:
        opinion = Opinion(ref=ref, state=VerdictState.CAST, label=label)
    return replace(
        opinion,
        confidence=_probability(said.confidence),
        rationale=said.rationale[:MAX_RATIONALE],
        flags=(
            *flags(opinion, {**(beside or {}), **(said.model_extra or {})}, subject),
            *confidence_flag(said.confidence),
        ),
    )


def _agreed(opinions: list[Opinion]) -> Opinion:
    """Return the first of several opinions on one claim if they say the same, else a failed one."""
    first = opinions[0]
    if all((each.state, each.label) == (first.state, first.label) for each in opinions):
        return first
    return failed_opinion(first.ref, "shape")


def _probability(confidence: float | None) -> float | None:
    return confidence if confidence is not None and 0 <= confidence <= 1 else None


def _found_claim(
    ref: str, span: tuple[int, int] | None, replies: list[FoundClaimReply], subject: Subject
) -> FoundClaim:
    tags = known_tags((tag for reply in replies for tag in reply.tags), subject.tag_vocabulary)
    opinions = [replace(_opinion(subject, ref, reply), tags=tags) for reply in replies]
    return FoundClaim(text=replies[0].text, tags=tags, span=span, opinion=_agreed(opinions))


def _example(text: str | None, label: Label, subject: Subject, ruling: Label) -> RubricExample | None:
    if not text:
        return None
    is_ruled = any(text.casefold() == claim.text.strip().casefold() for claim in subject.claims)
    return RubricExample(text=text, label=ruling if is_ruled and subject.ruling else label)
