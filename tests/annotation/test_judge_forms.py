"""The forms of a judge: what is let through, what is named, and that no key is shown again."""

from __future__ import annotations

import pytest

from annotation.judge_forms import JudgeEditForm, JudgeForm, stored
from evaluation.models import Judge
from evaluation.services import judges

JUDGE = {"name": "J", "model": "m", "persona": "neutral"}
SECRET = "sk-secret-0123456789"
NEUTRAL = [("neutral", "has no stake")]


def judge_form(provider: str = "openai_chat", **fields: object) -> JudgeForm:
    return JudgeForm({**JUDGE, **fields}, offer=judges.offer(provider), personas=NEUTRAL)


@pytest.mark.parametrize("name", [SECRET, "openai_api_key", "PATH", "OPENAI_API_KEY "])
def test_only_the_name_of_a_key_variable_is_taken_and_nothing_else_repeated(name: str) -> None:
    form = judge_form(key_name=name)

    assert form.is_valid() is (name.strip() == "OPENAI_API_KEY")
    assert form.is_valid() or name not in str(form)


@pytest.mark.parametrize("address", ["ftp://host/v1", "javascript:alert(1)", "not an address"])
def test_a_server_is_reached_by_http_only(address: str) -> None:
    assert "base_url" in judge_form(base_url=address).errors


def test_a_local_server_is_an_address() -> None:
    assert judge_form(base_url="http://127.0.0.1:8001/v1").is_valid()


def test_a_persona_is_offered_with_its_sentence() -> None:
    assert "neutral: has no stake</option>" in str(judge_form()["persona"])


def test_the_ways_to_ask_for_a_form_are_the_providers() -> None:
    assert "forced tool call" in str(judge_form("anthropic_messages")["structured"])
    assert "forced tool call" not in str(judge_form()["structured"])
    assert "structured" in judge_form(structured="tool").errors


@pytest.mark.parametrize(
    "fields",
    [
        {"key": SECRET},
        {"key": SECRET, "name": ""},
        {"base_url": f"https://me:{SECRET}@host.example/v1"},
        {"base_url": f"https://host.example/v1?key={SECRET}"},
        {"extra": f'{{"api_key": "{SECRET}"}}'},
        {"extra": f'{{"Authorization": "Bearer {SECRET}"'},
    ],
)
def test_what_may_be_a_key_is_not_sent_back(fields: dict[str, str]) -> None:
    form = judge_form(**fields)
    form.is_valid()

    assert SECRET not in str(form)


def test_empty_parameters_are_left_out_and_others_are_numbers() -> None:
    form = judge_form(temperature="0", max_tokens="", timeout="12.5", max_concurrency="4", extra='{"top_p": 0.9}')

    assert form.is_valid(), form.errors
    assert form.new_judge().parameters == {"temperature": 0.0, "timeout": 12.5, "max_concurrency": 4, "top_p": 0.9}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("temperature", "3"),
        ("temperature", "warm"),
        ("max_tokens", "0"),
        ("timeout", "0"),
        ("max_concurrency", "1000"),
        ("requests_per_minute", "-1"),
        ("tokens_per_minute", "1.5"),
    ],
)
def test_a_wrong_number_is_said_at_its_field(field: str, value: str) -> None:
    assert list(judge_form(**{field: value}).errors) == [field]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("top_p: 1", "This is no JSON"),
        ("[1, 2]", "Give a JSON object"),
        ("[" * 3000, "This is no JSON"),
        ('{"temperature": 1}', "“temperature” has a field of its own"),
    ],
)
def test_a_wrong_json_is_said_at_its_field(text: str, said: str) -> None:
    assert said in judge_form(extra=text).errors["extra"][0]


def test_a_judge_starts_its_form_with_everything_but_its_key() -> None:
    parameters = {"temperature": 0.2, "structured": "off", "seed": 7}
    judge = Judge(name="J", provider="openai_chat", model="m", persona="neutral", parameters=parameters)
    judge.encrypted_key = "sealed-text"

    form = JudgeEditForm(initial=stored(judge), offer=judges.offer("openai_chat"), personas=NEUTRAL)
    again = JudgeEditForm(dict(form.initial), offer=form.offer, personas=NEUTRAL)

    assert "sealed-text" not in str(form)
    assert again.is_valid(), again.errors
    assert again.new_judge() == judges.NewJudge("J", "openai_chat", "m", persona="neutral", parameters=parameters)


@pytest.mark.parametrize(("provider", "end"), [("openai_chat", "8001/v1"), ("anthropic_messages", "8001, without /v1")])
def test_the_address_in_the_hint_is_one_that_the_protocol_takes(provider: str, end: str) -> None:
    assert str(judge_form(provider).fields["base_url"].help_text).endswith(end)
