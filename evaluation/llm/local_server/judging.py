"""The rule the local server judges by when nothing is scripted: shared words, no understanding."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property

from evaluation.llm.fence import FencedBlock, read_fenced
from evaluation.llm.protocol import JsonObject

_WORD = re.compile(r"[^\W_]{2,}")
_SENTENCE = re.compile(r"[^.!?\n]*[^.!?\s][^.!?\n]*(?:[.!?](?=\d)[^.!?\n]*)*[.!?]*")


@dataclass(frozen=True)
class Question:
    """A request as the rule sees it; with `order` every claim gets this verdict, whatever it says."""

    model: str
    prompt: str
    schema: JsonObject
    order: str | None = None

    @cached_property
    def blocks(self) -> list[FencedBlock]:
        """The fenced texts of the prompt."""
        return read_fenced(self.prompt)

    def text_of(self, *names: str) -> str:
        """Return the texts of the blocks whose names start with one of these."""
        return "\n".join(block.content for block in self.blocks if block.name.startswith(names))


def answered(question: Question) -> JsonObject:
    """Answer a request for claims, verdicts or a rubric entry; anything else gets an empty object.

    Parameters
    ----------
    question : Question
        Model, prompt and schema of the request.

    Returns
    -------
    dict
        A reply that fits the schema.

    Notes
    -----
    A claim gets the first verdict of the schema if the share of its words found in the sources reaches a threshold
    that the model's name settles (0.5 to 0.9), else the second; of a pair the answer wins that shares more words
    with the request. Different model names therefore disagree, and the same name always says the same. This is for
    trying the wiring, not for judging.
    """
    properties = question.schema.get("properties", {})
    if "claims" in properties:
        return {"claims": _claims(question, properties["claims"]["items"]["properties"])}
    if "verdicts" in properties:
        return {"verdicts": _verdicts(question, properties["verdicts"]["items"]["properties"])}
    if "criterion" in properties:
        return _draft(question)
    return {}


def _claims(question: Question, properties: JsonObject) -> list[JsonObject]:
    response = question.text_of("response")
    sentences = [found.group().strip() for found in _SENTENCE.finditer(response)]
    return [
        {"text": sentence, "quote": sentence, "tags": [], **_judged(question, sentence, properties["verdict"]["enum"])}
        for sentence in sentences
    ]


def _verdicts(question: Question, properties: JsonObject) -> list[JsonObject]:
    return [
        {"claim": ref, "tags": [], **_judged(question, question.text_of(f"claim {ref}"), properties["verdict"]["enum"])}
        for ref in properties["claim"]["enum"]
    ]


def _judged(question: Question, claim: str, verdicts: list[str]) -> JsonObject:
    if question.order is not None:
        chosen = question.order if question.order in verdicts else verdicts[0]
        return {"rationale": "I was told to say so.", "verdict": chosen, "confidence": 1.0}
    if "first" in verdicts:
        request = question.text_of("request")
        first, second = (_share(request, question.text_of(name)) for name in ("first answer", "second answer"))
        said = f"The answers hold {first:.0%} and {second:.0%} of the words of the request."
        return {"rationale": said, "verdict": verdicts[0 if first >= second else 1], "confidence": None}
    share = _share(claim, question.text_of("source"))
    digest = hashlib.sha256(question.model.encode()).digest()
    threshold = 0.5 + 0.4 * digest[0] / 255
    said = f"{share:.0%} of the words stand in the sources; this model asks for {threshold:.0%}."
    return {"rationale": said, "verdict": verdicts[0 if share >= threshold else 1], "confidence": None}


def _share(text: str, among: str) -> float:
    words = set(_WORD.findall(text.casefold()))
    return len(words & set(_WORD.findall(among.casefold()))) / len(words) if words else 0.0


def _draft(question: Question) -> JsonObject:
    claim = question.text_of("claim")
    is_rejected = "Ruling: reject" in question.prompt
    missing = "The local server looks at the ruled claim only."
    return {
        "criterion": f"Decide claims like this one as it was ruled: {claim}",
        "boundary": "the sources say otherwise.",
        "dimension": "shared words",
        "tags": [],
        "positive_example": None if is_rejected else claim,
        "positive_missing": missing if is_rejected else "",
        "negative_example": claim if is_rejected else None,
        "negative_missing": "" if is_rejected else missing,
    }
