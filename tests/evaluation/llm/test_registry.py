"""Providers by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from evaluation.errors import InvalidInputError, MissingPieceError
from evaluation.llm.providers.replay import ReplayModel
from evaluation.llm.registry import PROVIDERS, build, build_batches, provider
from evaluation.methods.juryflow import judge_request
from evaluation.methods.juryflow_replies import read_opinions
from evaluation.methods.juryflow_shapes import VerdictsReply
from evaluation.schemas import JudgeSettings, Label
from tests.evaluation.llm.builders import SECRET, Waits, judge, statement_subject


def test_it_names_the_known_providers_when_asked_for_another() -> None:
    with pytest.raises(
        InvalidInputError, match=r"'gpt'.*openai_chat, openai_responses, anthropic_messages, replay, offline"
    ):
        build(judge("gpt", ""), api_key=None)


def test_missing_key_is_named_by_its_variable() -> None:
    with pytest.raises(MissingPieceError, match="ANTHROPIC_API_KEY"):
        build(judge("anthropic_messages", ""), api_key=None)


@pytest.mark.parametrize("name", [each.name for each in PROVIDERS.values() if each.is_remote])
def test_key_is_optional_with_a_base_url_of_ones_own(name: str) -> None:
    model = build(judge(name, "http://127.0.0.1:1/v1"), api_key=None)

    assert f"{type(model).__module__}:{type(model).__name__}" == provider(name).place


@pytest.mark.parametrize("name", list(PROVIDERS))
def test_batches_are_built_where_a_provider_has_them(name: str) -> None:
    batches = build_batches(judge(name, "http://127.0.0.1:1/v1"), api_key=None)

    assert (batches is not None) is provider(name).has_batches is provider(name).is_remote


def test_batches_need_the_key_too() -> None:
    with pytest.raises(MissingPieceError, match="OPENAI_API_KEY"):
        build_batches(judge("openai_responses", ""), api_key=None)


@pytest.mark.parametrize("name", [each.name for each in PROVIDERS.values() if each.is_remote])
def test_every_listed_way_to_ask_for_a_schema_is_taken(name: str) -> None:
    for way in provider(name).structured:
        build(judge(name, "http://127.0.0.1:1/v1", structured=way), api_key=None)


def test_replay_is_built_from_a_recording_and_refuses_to_be_without() -> None:
    assert isinstance(build(judge("replay", ""), api_key=None, recorded={}), ReplayModel)
    with pytest.raises(MissingPieceError, match="without its recorded"):
        build(judge("replay", ""), api_key=None)


def test_offline_judge_answers_a_request_of_the_method_in_its_shape() -> None:
    settings = JudgeSettings("Negation", "offline", "negation")
    subject = statement_subject()
    model = build(settings, api_key=None, aligner=lambda first, second, similarity: False)

    answer = Waits().ask(model, judge_request(subject, settings, SECRET), VerdictsReply)
    read = read_opinions(answer.value, subject)

    assert {each.ref: each.label for each in read.opinions}["12"] is Label.REJECT
    assert (read.gaps, read.invented) == ((), ())


def test_offline_judge_without_an_aligner_is_refused() -> None:
    with pytest.raises(MissingPieceError, match="without its aligner"):
        build(judge("offline", ""), api_key=None)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"timeout": 0}, "timeout is '0'"),
        ({"max_tokens": "many"}, "max_tokens is 'many'"),
        ({"structured": "xml"}, "json_schema, json_object, off"),
        ({"messages": "mine"}, "sets messages"),
    ],
)
def test_parameters_out_of_range_are_refused(parameters: dict[str, float | int | str], said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        build(judge("openai_chat", "http://127.0.0.1:1/v1", **parameters), api_key=None)


def test_vendor_libraries_are_not_loaded_by_the_registry() -> None:
    code = "import sys, evaluation.llm.registry; print(sorted({'openai', 'anthropic', 'torch'} & set(sys.modules)))"

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("name", [each.name for each in PROVIDERS.values() if each.is_remote])
def test_the_ways_that_are_listed_are_those_that_the_provider_takes(name: str) -> None:
    ways = provider(name).structured
    for way in ways:
        build(judge(name, "http://127.0.0.1:1/v1", structured=way), api_key=None)

    with pytest.raises(InvalidInputError, match=f"must be one of {', '.join(ways)}[.]"):
        build(judge(name, "http://127.0.0.1:1/v1", structured="none of them"), api_key=None)
