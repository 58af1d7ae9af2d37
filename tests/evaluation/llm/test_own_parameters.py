"""Which parameters of a judge stay here, which are sent, and which nobody may set."""

from __future__ import annotations

import pytest

from evaluation.errors import InvalidInputError
from evaluation.llm.limits import LimitSettings
from evaluation.llm.own_parameters import OwnParameters, forwarded
from tests.evaluation.llm.builders import judge


def test_a_judge_that_says_nothing_has_the_defaults() -> None:
    own = OwnParameters.of(judge("openai_chat", ""), structured=("json_schema", "json_object"))

    assert own == OwnParameters(max_tokens=8192, timeout=120.0, structured="json_schema")


def test_what_a_judge_says_is_taken() -> None:
    said = {"max_tokens": 900, "structured": "json_object", "timeout": 60, "connect_timeout": 2.5, "read_timeout": 20}
    said |= {"max_concurrency": 32, "requests_per_minute": 500, "tokens_per_minute": 90_000}

    own = OwnParameters.of(judge("openai_chat", "", **said), structured=("json_schema", "json_object"))

    assert own == OwnParameters(**said)
    assert own.limits == LimitSettings(32, 500, 90_000)


def test_a_judge_that_says_nothing_has_eight_calls_out_and_no_rate() -> None:
    assert OwnParameters.of(judge("openai_chat", "")).limits == LimitSettings(8, None, None)


def test_no_part_of_a_call_may_take_longer_than_the_whole() -> None:
    own = OwnParameters.of(judge("openai_chat", "", timeout=2.5, read_timeout=90))

    assert (own.connect_timeout, own.read_timeout) == (2.5, 2.5)


@pytest.mark.parametrize("name", ["model", "messages", "system", "stream", "n", "tools", "response_format"])
def test_a_judge_cannot_set_what_makes_the_question(name: str) -> None:
    with pytest.raises(InvalidInputError, match=f"Judge A sets {name}, which JuryFlow sets itself"):
        OwnParameters.of(judge("openai_chat", "", **{name: 1}))


def test_all_of_them_are_named_at_once() -> None:
    with pytest.raises(InvalidInputError, match="sets n, stream, which"):
        OwnParameters.of(judge("openai_chat", "", stream=1, n=2, temperature=0))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_tokens", 0),
        ("max_tokens", -5),
        ("max_tokens", 0.5),
        ("max_tokens", "many"),
        ("max_tokens", float("nan")),
        ("max_tokens", float("inf")),
        ("timeout", 0),
        ("timeout", "5"),
        ("timeout", float("inf")),
        ("connect_timeout", 0),
        ("read_timeout", "1"),
        ("max_concurrency", 0),
        ("max_concurrency", 257),
        ("requests_per_minute", 0.5),
        ("tokens_per_minute", "all"),
    ],
)
def test_a_value_that_would_never_end_or_never_answer_is_refused(name: str, value: float | str) -> None:
    with pytest.raises(InvalidInputError, match=f"Judge A: {name} is '?{value}'?, but must be"):
        OwnParameters.of(judge("openai_chat", "", **{name: value}))


def test_an_unknown_way_of_structure_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidInputError, match="structured is 'xml', but must be one of tool, json_schema"):
        OwnParameters.of(judge("anthropic_messages", "", structured="xml"), structured=("tool", "json_schema"))


def test_only_parameters_of_the_server_are_sent_and_in_one_order() -> None:
    own = dict.fromkeys(OwnParameters.__dataclass_fields__, 5)
    given = {"top_p": 0.9, **own, "temperature": 0, "seed": 7}

    assert list(forwarded(given).items()) == [("seed", 7), ("temperature", 0), ("top_p", 0.9)]
