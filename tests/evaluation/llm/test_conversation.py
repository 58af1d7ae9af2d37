"""One question, step by step, without sending or sleeping."""

from __future__ import annotations

import random

import pytest

from evaluation.llm.conversation import Conversation, asking_again
from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatReply, TextPart
from evaluation.llm.retry import RetryPolicy
from tests.evaluation.llm.builders import Colour, chat_request

CUT = LLMError("cut", reason="server", retryable=True)


def _conversation(attempts: int = 3) -> Conversation[Colour]:
    return Conversation(chat_request(), Colour, RetryPolicy(rng=random.Random(7), attempts=attempts))


def _reply(text: str, finish: str = "stop") -> ChatReply:
    return ChatReply(text=text, model="m", finish_reason=finish)


def _said(conversation: Conversation[Colour]) -> list[tuple[str, str]]:
    parts = [(message.role, message.parts[0]) for message in conversation.request.messages[2:]]
    return [(role, part.text) for role, part in parts if isinstance(part, TextPart)]


def test_it_gives_the_answer_of_the_first_reply_that_can_be_read() -> None:
    conversation = _conversation()
    reply = _reply('{"colour": "blue"}')

    answer = conversation.heard(reply)

    assert answer is not None
    assert (answer.value.colour, answer.replies, answer.is_repaired) == ("blue", (reply,), False)


def test_a_mended_reply_is_marked() -> None:
    answer = _conversation().heard(_reply('{"colour": "blue",}'))

    assert answer is not None
    assert answer.is_repaired


def test_second_question_carries_the_first_reply_and_what_was_wrong() -> None:
    conversation = _conversation()
    first, second = _reply('{"color": "red"}'), _reply('{"colour": "blue"}')

    assert conversation.heard(first) is None
    (_, quoted), (_, demand) = _said(conversation)
    answer = conversation.heard(second)

    assert [role for role, _ in _said(conversation)] == ["assistant", "user"]
    assert quoted == '{"color": "red"}'
    assert "colour: Field required" in demand
    assert answer is not None
    assert answer.replies == (first, second)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (_reply('{"colour": "bl', "length"), "truncated"),
        (_reply('{"colour": "bl'), "truncated"),
        (_reply("blue, I think"), "parse"),
        (_reply('[{"colour": "red"}, {"colour": "blue"}]'), "shape"),
    ],
    ids=["length", "stops inside", "prose", "list"],
)
def test_a_second_reply_no_better_than_the_first_ends_it_with_its_reason(reply: ChatReply, reason: str) -> None:
    conversation = _conversation()
    assert conversation.heard(reply) is None

    with pytest.raises(LLMError) as caught:
        conversation.heard(reply)

    assert caught.value.reason == reason


def test_a_refusal_is_not_asked_about_again() -> None:
    with pytest.raises(LLMError) as caught:
        _conversation().heard(_reply("No.", "refused"))

    assert caught.value.reason == "refused"


def test_after_a_reply_all_attempts_are_there_again() -> None:
    conversation = _conversation(attempts=2)

    assert conversation.failed(CUT) > 0
    conversation.heard(_reply("blue"))
    assert conversation.failed(CUT) > 0
    with pytest.raises(LLMError, match="cut"):
        conversation.failed(CUT)


def test_a_final_error_is_raised_at_once() -> None:
    wrong_key = LLMError("wrong key", reason="auth")

    with pytest.raises(LLMError) as caught:
        _conversation().failed(wrong_key)

    assert caught.value is wrong_key


@pytest.mark.parametrize(
    ("reason", "demand"), [("truncated", "rationales of at most ten words"), ("parse", "one JSON object")]
)
def test_what_is_demanded_fits_what_was_wrong(reason: str, demand: str) -> None:
    request = asking_again(chat_request(), _reply("  "), LLMError("It was so.", reason=reason))

    quoted, demanded = (message.parts[0] for message in request.messages[-2:])
    assert quoted == TextPart("(empty reply)")
    assert isinstance(demanded, TextPart)
    assert demanded.text.startswith("It was so. Answer again")
    assert demand in demanded.text
