"""How JuryFlow asks judges: requests for cutting and judging, judging, a second look and drafting a rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.errors import InvalidInputError
from evaluation.llm.own_parameters import OwnParameters, forwarded
from evaluation.llm.protocol import ChatRequest, JsonObject, Message, TextPart
from evaluation.methods import juryflow_shapes as shapes
from evaluation.methods.juryflow_text import Writer
from evaluation.prompts import Prompt, fill, load, load_persona
from evaluation.schemas import ClaimKind, ClaimText, JudgeSettings, Subject

CLAIMS_PER_CALL = 20


@dataclass(frozen=True)
class _Ask:
    """What the four kinds of request differ in."""

    prompt: Prompt
    schema: JsonObject
    schema_name: str
    parts: Mapping[str, str]


def decompose_request(subject: Subject, judge: JudgeSettings, secret: bytes) -> ChatRequest:
    """Ask a judge to cut the response into claims and vote on each; raises InvalidInputError for a pair."""
    if subject.kind is ClaimKind.PREFERENCE:
        raise InvalidInputError("A pair of answers is voted on as it is and cannot be cut into claims.")
    schema = shapes.decomposition_schema(tuple(subject.labels))
    return _request(subject, judge, secret, _Ask(load("decompose"), schema, "decomposition", {}))


def judge_request(subject: Subject, judge: JudgeSettings, secret: bytes) -> ChatRequest:
    """Ask a judge to vote on the subject's claims; raises InvalidInputError if there are none."""
    asked = asked_claims(subject)
    schema = shapes.verdicts_schema(tuple(subject.labels), tuple(claim.ref for claim in asked))
    parts = {"claims": Writer(subject, secret).claims(asked)}
    return _request(subject, judge, secret, _Ask(load("judge"), schema, "verdicts", parts))


def review_request(subject: Subject, judge: JudgeSettings, secret: bytes) -> ChatRequest:
    """Ask the reviewer for a second look at the first claim.

    With `subject.ruling` set it is a precedent: the ruling on the claims after the first. Raises InvalidInputError
    if there is no claim.
    """
    asked = asked_claims(subject)
    writer = Writer(subject, secret)
    schema = shapes.verdicts_schema(tuple(subject.labels), tuple(claim.ref for claim in asked))
    parts = {
        "claims": writer.claims(asked),
        "precedent": writer.precedent(subject.claims[1:]),
        "votes": writer.votes(),
    }
    return _request(subject, judge, secret, _Ask(load("review"), schema, "verdicts", parts))


def draft_request(subject: Subject, judge: JudgeSettings, secret: bytes) -> ChatRequest:
    """Ask for a rubric entry drafted from a ruling on the subject's claims; raises InvalidInputError without one."""
    if subject.ruling is None or not subject.claims:
        raise InvalidInputError("A rule is drafted from a ruling: rule on a claim first.")
    writer = Writer(subject, secret)
    parts = {"claims": writer.claims(subject.claims), "ruling": writer.ruling(), "votes": writer.votes()}
    return _request(subject, judge, secret, _Ask(load("draft"), shapes.draft_schema(), "rubric_entry", parts))


def asked_claims(subject: Subject) -> tuple[ClaimText, ...]:
    """Return the claims that need a vote: the first one for a review, else all; raises InvalidInputError for none."""
    if not subject.claims:
        raise InvalidInputError(f"Item '{subject.item}' has no claims to {subject.task}: cut its response first.")
    return subject.claims[:1] if subject.task == "review" else subject.claims


def _request(subject: Subject, judge: JudgeSettings, secret: bytes, ask: _Ask) -> ChatRequest:
    writer = Writer(subject, secret)
    system = fill(
        ask.prompt.system,
        {
            "persona": load_persona(judge.persona).text,
            "question": writer.question(),
            "labels": writer.labels(),
            "guidelines": writer.guidelines(),
        },
    )
    shown = {
        "request": writer.fenced("request", subject.prompt),
        "context": writer.fenced("context", subject.context),
        "response": writer.fenced("response", subject.response),
        "sources": writer.sources(),
        "rubric": writer.rubric(),
        "rubric_left_out": writer.left_out(),
        "tags": writer.tags(),
    }
    user = fill(ask.prompt.user, shown | dict(ask.parts))
    return ChatRequest(
        model=judge.model,
        messages=(Message("system", (TextPart(system),)), Message("user", (TextPart(user),))),
        subject=subject,
        schema=ask.schema,
        schema_name=ask.schema_name,
        parameters=forwarded(judge.parameters),
        max_tokens=OwnParameters.max_tokens_of(judge),
        prompt=ask.prompt.stamp,
    )
