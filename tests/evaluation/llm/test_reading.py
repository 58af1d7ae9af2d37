"""Replies read as values, and never made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, JsonValue

from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatReply, JsonObject
from evaluation.llm.reading import Read, read_reply
from evaluation.llm.schema import schema_of
from evaluation.llm.storable import storable
from evaluation.methods.juryflow_shapes import DecompositionReply, DraftReply, VerdictsReply
from evaluation.prompts import load
from tests.evaluation.llm.builders import SCHEMA, Colour
from tests.evaluation.llm.dirt import dirty, dirty_replies, members, prose, texts


class Vote(BaseModel):
    verdict: str
    confidence: float | None = None
    rationale: str = ""


class Anything(BaseModel):
    verdict: JsonValue
    rationale: str


class Votes(BaseModel):
    verdicts: list[Vote]


def _read(text: str, finish: str = "stop") -> Read[Colour]:
    return read_reply(ChatReply(text=text, model="m", finish_reason=finish), Colour, 100)


def _error(text: str, shape: type[BaseModel] = Colour, finish: str = "stop") -> LLMError:
    with pytest.raises(LLMError) as caught:
        read_reply(ChatReply(text=text, model="m", finish_reason=finish), shape, 100)
    return caught.value


@pytest.fixture(scope="session")
def cases(shared: Path) -> dict[str, JsonObject]:
    """What peers stumbled over, by the first part of its name."""
    listed = json.loads((shared / "cases" / "peer_cases.json").read_text(encoding="utf-8"))
    return {case["id"].split("-")[0]: case for case in listed}


def test_pc02_dirty_replies_are_read_and_mended_ones_marked(cases: dict[str, JsonObject]) -> None:
    replies = cases["pc02"]["input"]["replies"]

    read = [read_reply(ChatReply(text=text, model="m"), Vote, 100) for text in replies]

    assert [each.value.verdict for each in read] == ["supported", "refuted", "unsure", "supported"]
    assert [each.is_repaired for each in read] == [False, True, True, True]
    assert [each.value.rationale for each in read] == ["ok", "line one\nline two", "C:\\path \\d", "a, ] b"]
    assert [each.value.confidence for each in read] == [0.9, 0.7, 0.5, 0.8]


def test_pc03_truncated_and_list_replies_are_no_verdicts(cases: dict[str, JsonObject]) -> None:
    cut, several, fine = (
        ChatReply(text=each["text"], model=each["judge"], finish_reason=each["finish_reason"])
        for each in cases["pc03"]["input"]["replies"]
    )

    with pytest.raises(LLMError, match="limit of 64 tokens") as truncated:
        read_reply(cut, Vote, 64)
    with pytest.raises(LLMError, match="a list of 2 and not one object") as misshapen:
        read_reply(several, Vote, 64)

    assert (truncated.value.reason, misshapen.value.reason) == ("truncated", "shape")
    assert read_reply(fine, Vote, 64) == Read(Vote(verdict="supported", confidence=0.6, rationale="fine"))


@pytest.mark.parametrize(
    ("text", "is_repaired"),
    [
        ('{"colour": "blue"}', False),
        ('```json\n{"colour": "blue"}\n```', False),
        ('Sure {smile}, here: {"colour": "blue"} Hope this helps {smile}', False),
        ('First {"colour": "blue"}, and once more {"colour": "blue"}.', False),
        ('Sources: [{"title": "Offer"}, {"title": "Order"}]. {"colour": "blue"}', False),
        ('The file has {"size": big()}. {"colour": "blue"}', False),
        ('[{"colour": "blue"}]', True),
        ('[[{"colour": "blue"}]]', True),
        ("[{'colour': 'blue'}]", True),
        ('{"colour": "blue",}', True),
    ],
)
def test_it_finds_the_one_answer(text: str, is_repaired: bool) -> None:
    assert _read(text) == Read(Colour(colour="blue"), is_repaired)


def test_nul_and_half_surrogates_become_replacement_characters() -> None:
    assert _read(r'{"colour": "b\u0000l\ud83du"}').value.colour == "b\ufffdl\ufffdu"


@pytest.mark.parametrize(
    ("text", "reason", "said"),
    [
        ("no idea", "parse", "holds no JSON object"),
        ("", "parse", "is empty"),
        ("{" * 5000, "parse", "holds no JSON object"),
        ('{"size": big()}', "parse", "can be read: expected a value at 'big"),
        ('{"colour": "dark" blue}', "parse", "expected a comma"),
        ('{"colour": "red", "colour": "blue"}', "parse", '"colour" stands there twice'),
        ('Example: {"colour": "red"}. Answer: {"colour": blue}', "parse", "expected a value"),
        ('[{"colour": "red"}, {"colour": "blue"}]', "shape", "a list of 2"),
        ('{"color": "blue"}', "shape", "colour: Field required"),
        ('Either {"colour": "red"} or {"colour": "blue"}', "shape", "more than one different answer"),
        ('Example: {"colour": "red"}. Answer: {"colour": 5}', "shape", "colour: Input should be a valid string"),
        ('Example: {"colour": "red"}. Answers: [{"colour": "blue"}, {}]', "shape", "a list of 2"),
        ('{"answer": {"colour": "blue"}}', "shape", "colour: Field required"),
        ('{"colour": "bl', "truncated", r"stops in the middle .* 100 tokens"),
        ('Example: {"colour": "red"}. Answer: {"colour": "bl', "truncated", "raise the judge's longest reply"),
        ('{"deep": ' + "[" * 4_000 + "]" * 4_000 + ', "colour": "blue"}', "parse", "nested too deeply"),
    ],
)
def test_nothing_is_made_up_where_there_is_no_one_answer(text: str, reason: str, said: str) -> None:
    with pytest.raises(LLMError, match=said) as caught:
        _read(text)

    assert caught.value.reason == reason


def test_a_reply_that_reached_the_limit_is_truncated_even_if_it_looks_whole() -> None:
    assert _error('{"colour": "blue"}', finish="length").reason == "truncated"


def test_a_refusal_is_quoted() -> None:
    assert "I will not" in str(_error("I will not.", finish="refused"))


@pytest.mark.parametrize("schema", [SCHEMA, Colour.model_json_schema(), {"type": "json_schema", "schema": SCHEMA}])
def test_an_echo_of_the_schema_is_no_answer(schema: JsonObject) -> None:
    assert _error(json.dumps(schema)).reason == "shape"
    assert _read(f'{json.dumps(schema)}\n{{"colour": "blue"}}').value.colour == "blue"


def test_an_echo_of_the_schema_is_no_answer_even_where_nothing_is_required() -> None:
    class Lenient(BaseModel):
        colour: str = "grey"

    assert _error(json.dumps(schema_of(Lenient)), Lenient).reason == "shape"


@pytest.mark.parametrize(
    ("name", "shape"), [("judge", VerdictsReply), ("decompose", DecompositionReply), ("draft", DraftReply)]
)
def test_an_echo_of_the_example_in_the_prompt_is_no_answer(name: str, shape: type[BaseModel]) -> None:
    text = load(name).system
    assert '"…"' in text

    assert "repeats what was asked" in str(_error(text[text.index('{"') :].split("\n")[0], shape))


def test_members_that_came_as_text_are_taken_out_of_their_quotes() -> None:
    inner = json.dumps([{"verdict": "accept"}, {"verdict": "reject"}])
    reply = ChatReply(text="", model="m", parsed={"verdicts": inner})

    read = read_reply(reply, Votes, 100)

    assert [each.verdict for each in read.value.verdicts] == ["accept", "reject"]
    assert read.is_repaired


@pytest.mark.parametrize("inner", ['[{"verdict": "acc', "accept", '[{"verdict": "a"} {"verdict": "b"}]', '[{"no": 1}]'])
def test_members_in_quotes_that_are_no_lists_stay_wrong(inner: str) -> None:
    reply = ChatReply(text="", model="m", parsed={"verdicts": inner})

    with pytest.raises(LLMError, match="verdicts") as caught:
        read_reply(reply, Votes, 100)

    assert caught.value.reason == "shape"


def test_parsed_reply_of_a_provider_is_used_before_its_text() -> None:
    reply = ChatReply(text="ignored", model="m", parsed={"colour": "blue"})

    assert read_reply(reply, Colour, 100) == Read(Colour(colour="blue"))


def test_a_parsed_reply_nested_too_deeply_is_an_error_and_no_crash() -> None:
    deep: object = "blue"
    for _ in range(100_000):
        deep = [deep]

    with pytest.raises(LLMError, match="nested too deeply"):
        read_reply(ChatReply(text="", model="m", parsed={"colour": deep}), Colour, 100)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_dirt_round_and_in_a_reply_leaves_its_meaning(data: st.DataObject) -> None:
    value = {"verdict": {"said": "accept", "and": data.draw(members)}, "rationale": data.draw(texts)}

    read = read_reply(ChatReply(text=data.draw(dirty_replies(value)), model="m"), Anything, 100)

    assert read.value.model_dump() == storable(value)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_beginning_of_a_reply_is_read(data: st.DataObject) -> None:
    before = data.draw(prose)
    whole = before + data.draw(dirty({"verdict": "accept", "rationale": data.draw(texts)}))
    end = data.draw(st.integers(0, len(whole) - 1))

    reason = _error(whole[:end], Anything).reason

    assert reason == "truncated" or (reason == "parse" and '"rationale"' not in whole[:end])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*"{}[]\":, \n/*\\'", '"verdict"', '"rationale"', '"accept"', "null", "```"])))
def test_a_text_of_loose_pieces_is_read_only_if_an_object_with_every_key_stands_in_it(pieces: list[str]) -> None:
    text = "".join(pieces)

    read = _tried(text)

    if isinstance(read, str):
        assert read in ("truncated", "parse", "shape")
    else:
        assert all(f'"{key}"' in text or f"'{key}'" in text for key in ("verdict", "rationale"))
        assert "}" in text[text.index("{") :]
        assert read.value.rationale in text


def _tried(text: str) -> Read[Anything] | str:
    try:
        return read_reply(ChatReply(text=text, model="m"), Anything, 100)
    except LLMError as error:
        return error.reason
