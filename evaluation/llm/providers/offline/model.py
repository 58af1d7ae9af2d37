"""Five deterministic word-matching judges behind the chat protocol; no key, no network, no AI."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from evaluation.language.sentences import split_claims
from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatReply, ChatRequest, Embedder, JsonObject
from evaluation.llm.providers.offline.drafting import draft_entry
from evaluation.llm.providers.offline.finding import Finding, cannot_say, verdict_word
from evaluation.llm.providers.offline.library import shared_library
from evaluation.llm.providers.offline.negation_judge import judge_negation
from evaluation.llm.providers.offline.numbers_judge import judge_numbers
from evaluation.llm.providers.offline.overlap_judges import judge_meaning, judge_names, judge_words
from evaluation.llm.providers.offline.precedent import Aligner, find_precedent
from evaluation.llm.providers.offline.reading import ClaimReading
from evaluation.llm.providers.offline.tagging import tag_claim
from evaluation.llm.providers.offline.thresholds import rules_stamp
from evaluation.schemas import ClaimKind, Subject

JUDGES: Mapping[str, Callable[[ClaimReading], Finding]] = {
    "words": judge_words,
    "meaning": judge_meaning,
    "numbers": judge_numbers,
    "negation": judge_negation,
    "names": judge_names,
}
_NO_SOURCE = "No source was given, so there is nothing to compare with."
_NO_RULE_FOR_PAIRS = "Word matching cannot tell which of two answers is better."


class OfflineModel:
    """All five judges; the request's model name selects one. Reads only the subject."""

    def __init__(self, embedder: Embedder | None, aligner: Aligner) -> None:
        self._library = shared_library(embedder)
        self._aligner = aligner

    def complete(self, request: ChatRequest) -> ChatReply:
        """Return the judge's reply; raises LLMError for a model name or task that does not exist."""
        if request.model not in JUDGES:
            message = f"There is no offline judge '{request.model}'. Choose one of {', '.join(JUDGES)}."
            raise LLMError(message, reason="config")
        parsed = self._answer(request.model, request.subject)
        return ChatReply(text=json.dumps(parsed, ensure_ascii=False), model=rules_stamp(request.model), parsed=parsed)

    def _answer(self, judge: str, subject: Subject) -> JsonObject:
        if subject.task == "decompose":
            return {"claims": self._decomposed(judge, subject)}
        if subject.task in ("judge", "review"):
            asked = subject.claims[:1] if subject.task == "review" else subject.claims
            return {"verdicts": [{"claim": each.ref, **self._verdict(judge, each.text, subject)} for each in asked]}
        if subject.task == "draft" and subject.claims:
            return draft_entry(ClaimReading(subject.claims[0].text, self._library.sources(subject.sources)), subject)
        message = f"The offline judges cannot do the task '{subject.task}' on {len(subject.claims)} claims."
        raise LLMError(message, reason="config")

    def _decomposed(self, judge: str, subject: Subject) -> list[JsonObject]:
        return [
            {"text": claim.text, "quote": claim.text, **self._verdict(judge, claim.text, subject)}
            for claim in split_claims(subject.response)
        ]

    def _verdict(self, judge: str, text: str, subject: Subject) -> JsonObject:
        finding = self._finding(judge, text, subject)
        return {
            "rationale": finding.rationale,
            "verdict": verdict_word(finding, judge, subject),
            "confidence": None,
            "tags": tag_claim(text, subject.tag_vocabulary),
            "precedent_entry": finding.entry,
        }

    def _finding(self, judge: str, text: str, subject: Subject) -> Finding:
        if subject.kind is ClaimKind.PREFERENCE:
            return cannot_say(_NO_RULE_FOR_PAIRS)
        if precedent := find_precedent(text, subject, self._aligner, self._library.store):
            return precedent
        sources = self._library.sources(subject.sources)
        if not sources.sentences:
            return cannot_say(_NO_SOURCE)
        return JUDGES[judge](ClaimReading(text, sources))
