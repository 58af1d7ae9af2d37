"""One question to one judge, step by step: what to send next, how long to wait, and when it is over.

It neither sends nor sleeps, so that a job can keep thousands of questions open while only a few of them hold a slot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatReply, ChatRequest, Message, TextPart
from evaluation.llm.reading import read_reply
from evaluation.llm.retry import RetryPolicy

Shape = TypeVar("Shape", bound=BaseModel)

WORTH_ASKING_AGAIN = frozenset({"truncated", "shape", "parse"})


@dataclass(frozen=True)
class Answer(Generic[Shape]):
    """A validated value, every reply it took (the last one holds it), and whether that one was mended."""

    value: Shape
    replies: tuple[ChatReply, ...]
    is_repaired: bool = False


class Conversation(Generic[Shape]):
    """`request` is what is to be sent now; each reply or error goes to `heard` or `failed`.

    Parameters
    ----------
    request : ChatRequest
        The question.
    shape : type of pydantic.BaseModel
        What the reply must be.
    policy : RetryPolicy
        How failures of transport are retried; each of the two askings has all its attempts.

    Notes
    -----
    No value is ever made up. A reply that cannot be read is answered once with what was wrong with it; the second
    one that cannot be read ends the conversation.
    """

    def __init__(self, request: ChatRequest, shape: type[Shape], policy: RetryPolicy) -> None:
        self.request = request
        self._shape = shape
        self._policy = policy
        self._replies: list[ChatReply] = []
        self._errors: list[LLMError] = []

    def heard(self, reply: ChatReply) -> Answer[Shape] | None:
        """Take a reply: return the answer, or None if `request`, now with the problem named, is to be sent at once.

        Raises
        ------
        LLMError
            With reason refused at once; with truncated, parse or shape if the second reply is no better.
        """
        self._replies.append(reply)
        self._errors.clear()
        try:
            read = read_reply(reply, self._shape, self.request.max_tokens)
        except LLMError as error:
            if error.reason not in WORTH_ASKING_AGAIN or len(self._replies) > 1:
                raise
            self.request = asking_again(self.request, reply, error)
            return None
        return Answer(read.value, tuple(self._replies), read.is_repaired)

    def failed(self, error: LLMError) -> float:
        """Take an error of transport: return after how many seconds `request` is to be sent again, or raise it.

        Raises
        ------
        LLMError
            The error itself where it is final or the attempts are used up.
        """
        self._errors.append(error)
        wait = self._policy.wait(self._errors)
        if wait is None:
            raise error
        return wait


def asking_again(request: ChatRequest, reply: ChatReply, error: LLMError) -> ChatRequest:
    """Return the request with the reply and what was wrong with it added.

    Parameters
    ----------
    request : ChatRequest
        What was asked.
    reply : ChatReply
        What came.
    error : LLMError
        What was wrong with it.

    Returns
    -------
    ChatRequest
        Two messages longer: an empty reply is quoted as such, since providers refuse empty messages.
    """
    if error.reason == "truncated":
        demand = f"{error} Answer again in full, with rationales of at most ten words."
    else:
        demand = f"{error} Answer again with one JSON object of the asked shape and nothing else."
    said = reply.text.strip() or "(empty reply)"
    turns = (Message("assistant", (TextPart(said),)), Message("user", (TextPart(demand),)))
    return replace(request, messages=(*request.messages, *turns))
