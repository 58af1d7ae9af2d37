"""Answers from recorded verdicts; reads only the subject of a request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.llm.errors import LLMError
from evaluation.llm.presentation import CANNOT_ASSESS, turned
from evaluation.llm.protocol import ChatReply, ChatRequest, JsonObject
from evaluation.schemas import ClaimText, Label, PresentationOrder, Subject


@dataclass(frozen=True)
class RecordedKey:
    """What a verdict was given on: the instance's own id, the claim's reference and the order shown."""

    item: str
    ref: str
    order: PresentationOrder = PresentationOrder.AS_GIVEN


@dataclass(frozen=True)
class RecordedVerdict:
    """A recorded verdict; a label of a pair is meant in given order, None means that the judge could not assess."""

    label: Label | None
    rationale: str = ""
    confidence: float | None = None
    tags: tuple[str, ...] = ()


class ReplayModel:
    """Plays one judge from a recording; claims the recording does not know are left out of the reply."""

    def __init__(self, recorded: Mapping[RecordedKey, RecordedVerdict]) -> None:
        self._recorded = recorded

    def complete(self, request: ChatRequest) -> ChatReply:
        """Return the recorded verdicts; raises LLMError where there is none or where votes are not what is asked."""
        subject = request.subject
        if subject.task not in ("judge", "review"):
            message = f"A recording holds votes only and cannot {subject.task}: give this task to another judge."
            raise LLMError(message, reason="config")
        verdicts = [found for claim in subject.claims if (found := self._verdict(subject, claim)) is not None]
        if not verdicts:
            message = f"The recording holds no vote on item '{subject.item}' in the order {subject.order.value}."
            raise LLMError(message, reason="config")
        parsed: JsonObject = {"verdicts": verdicts}
        return ChatReply(text=json.dumps(parsed, ensure_ascii=False), model=request.model, parsed=parsed)

    def _verdict(self, subject: Subject, claim: ClaimText) -> JsonObject | None:
        recorded = self._recorded.get(RecordedKey(subject.item, claim.ref, subject.order))
        if recorded is None:
            return None
        shown = CANNOT_ASSESS if recorded.label is None else turned(recorded.label, subject.order).value
        return {
            "claim": claim.ref,
            "rationale": recorded.rationale,
            "verdict": shown,
            "confidence": recorded.confidence,
            "tags": list(recorded.tags),
        }
