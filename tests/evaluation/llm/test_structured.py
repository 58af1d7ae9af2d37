"""Replies read as values."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatReply, TextPart
from evaluation.llm.structured import ask, read_reply
from tests.evaluation.llm.builders import ListedModel, Waits, chat_request


class Colour(BaseModel):
    colour: str


def _read(text: str) -> str:
    return read_reply(ChatReply(text=text, model="m"), Colour, 100).colour


@pytest.mark.parametrize(
    "text",
    [
        '{"colour": "blue"}',
        '```json\n{"colour": "blue"}\n```',
        'Sure {smile}, here: {"colour": "blue"} Hope this helps {smile}',
        'First {"colour": "blue"}, and once more {"colour": "blue"}.',
    ],
    ids=["plain", "code fence", "prose and braces", "said twice alike"],
)
def test_it_finds_the_object(text: str) -> None:
    assert _read(text) == "blue"


def test_line_break_inside_a_text_is_read() -> None:
    assert _read('{"colour": "dark\nblue"}') == "dark\nblue"


def test_nul_and_half_surrogates_become_replacement_characters() -> None:
    assert _read(r'{"colour": "b\u0000l\ud83du"}') == "b\ufffdl\ufffdu"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no idea", "parse"),
        ("", "parse"),
        ("{" * 5000, "parse"),
        ('[{"colour": "red"}, {"colour": "blue"}]', "shape"),
        ('{"color": "blue"}', "shape"),
        ('Either {"colour": "red"} or {"colour": "blue"}', "shape"),
    ],
    ids=["prose", "empty", "only braces", "array", "wrong key", "two answers"],
)
def test_nothing_is_made_up_when_there_is_no_one_answer(text: str, reason: str) -> None:
    with pytest.raises(LLMError) as caught:
        _read(text)

    assert caught.value.reason == reason


def test_second_question_carries_the_first_reply_and_what_was_wrong() -> None:
    model = ListedModel(['{"color": "red"}', '{"colour": "blue"}'])

    answer = ask(model, chat_request(), Colour, policy=Waits().policy())

    said, demand = model.requests[1].messages[-2:]
    assert answer.value.colour == "blue"
    assert [reply.text for reply in answer.replies] == ['{"color": "red"}', '{"colour": "blue"}']
    assert said.parts == (TextPart('{"color": "red"}'),)
    assert isinstance(demand.parts[0], TextPart)
    assert "colour: Field required" in demand.parts[0].text


def test_truncated_reply_names_the_limit_after_both_questions() -> None:
    cut = ChatReply(text='{"colour": "bl', model="m", finish_reason="length")
    model = ListedModel([cut, cut])

    with pytest.raises(LLMError, match="limit of 64 tokens") as caught:
        ask(model, chat_request(max_tokens=64), Colour, policy=Waits().policy())

    assert caught.value.reason == "truncated"
    assert len(model.requests) == 2


def test_refusal_is_final_at_once() -> None:
    model = ListedModel([ChatReply(text="I will not.", model="m", finish_reason="refused")])

    with pytest.raises(LLMError, match="I will not") as caught:
        ask(model, chat_request(), Colour, policy=Waits().policy())

    assert caught.value.reason == "refused"
    assert len(model.requests) == 1


def test_parsed_reply_of_a_provider_is_used_before_its_text() -> None:
    reply = ChatReply(text="ignored", model="m", parsed={"colour": "blue"})

    assert read_reply(reply, Colour, 100).colour == "blue"
