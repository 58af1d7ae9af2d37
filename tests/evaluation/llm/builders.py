"""Small subjects, requests and models for tests of the LLM layer."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from evaluation.llm.conversation import Answer, Conversation
from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatModel, ChatReply, ChatRequest, JsonObject, Message, TextPart
from evaluation.llm.retry import RetryPolicy
from evaluation.schemas import ClaimKind, ClaimText, JudgeSettings, Label, PresentationOrder, SourceText, Subject

STATEMENT_LABELS = {
    Label.ACCEPT: "Supported",
    Label.REJECT: "Not supported",
    Label.UNCERTAIN: "Sources do not settle it",
}
PAIR_LABELS = {Label.FIRST: "Left", Label.SECOND: "Right", Label.TIE: "Equally good"}
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"colour": {"type": "string"}},
    "required": ["colour"],
    "additionalProperties": False,
}
SECRET = b"secret of the tests"
Shape = TypeVar("Shape", bound=BaseModel)


class Colour(BaseModel):
    """What SCHEMA describes."""

    colour: str


def statement_subject(task: str = "judge") -> Subject:
    return Subject(
        task=task,
        kind=ClaimKind.STATEMENT,
        question="Do the sources support this?",
        labels=STATEMENT_LABELS,
        prompt="What does the offer include?",
        response="Delivery takes six weeks. Installation is included.",
        sources=(SourceText("Offer 2214", "Delivery six weeks after order. Installation is not included."),),
        claims=(
            ClaimText("11", ClaimKind.STATEMENT, "Delivery takes six weeks."),
            ClaimText("12", ClaimKind.STATEMENT, "Installation is included."),
        ),
        tag_vocabulary=("numbers", "who does what"),
        item="q1",
    )


def pair_subject(order: PresentationOrder = PresentationOrder.AS_GIVEN) -> Subject:
    claim = ClaimText("7", ClaimKind.PREFERENCE, "", first="A short poem.", second="A long essay.")
    return Subject(
        task="judge",
        kind=ClaimKind.PREFERENCE,
        question="Which answer serves the request better?",
        labels=PAIR_LABELS,
        prompt="Write a short poem.",
        claims=(claim,),
        order=order,
        item="pair-1",
    )


def chat_request(**changes: object) -> ChatRequest:
    request = ChatRequest(
        model="test-model",
        messages=(Message("system", (TextPart("Be brief."),)), Message("user", (TextPart("Which colour?"),))),
        subject=statement_subject(),
        schema=SCHEMA,
        schema_name="colour",
    )
    return replace(request, **changes)  # type: ignore[arg-type]


def judge(provider: str, base_url: str, **parameters: float | int | str) -> JudgeSettings:
    return JudgeSettings("Judge A", provider, "test-model", base_url=base_url, parameters=parameters)


class ListedModel:
    """Gives the listed replies and errors one after the other, and keeps the requests."""

    def __init__(self, outcomes: Iterable[str | ChatReply | LLMError]) -> None:
        self.outcomes = deque(outcomes)
        self.requests: list[ChatRequest] = []

    def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        outcome = self.outcomes.popleft()
        if isinstance(outcome, LLMError):
            raise outcome
        return ChatReply(text=outcome, model=request.model) if isinstance(outcome, str) else outcome


class Waits(list[float]):
    """Asks in one go and keeps the waits there would have been, without waiting."""

    def ask(self, model: ChatModel, request: ChatRequest, shape: type[Shape], attempts: int = 4) -> Answer[Shape]:
        conversation = Conversation(request, shape, RetryPolicy(rng=random.Random(7), attempts=attempts))
        while True:
            try:
                reply = model.complete(conversation.request)
            except LLMError as error:
                self.append(conversation.failed(error))
                continue
            if answer := conversation.heard(reply):
                return answer
