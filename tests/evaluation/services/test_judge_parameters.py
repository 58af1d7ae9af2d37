"""What an owner sets about a judge: checked before it is kept, with the wrong thing named and no key repeated."""

from __future__ import annotations

import pytest

from evaluation.errors import InvalidInputError
from evaluation.models import Judge
from evaluation.services import judge_parameters


def judge(**changes: object) -> Judge:
    return Judge(**{"name": "J", "provider": "openai_chat", "model": "m", **changes})


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"temperature": 0.2, "top_p": 1, "seed": 7, "reasoning_effort": "low"},
        {"max_tokens": 500, "timeout": 30, "structured": "off", "max_concurrency": 4, "requests_per_minute": 60},
        {"logit_bias": {"50256": -100}, "stop": ["\n"]},
    ],
)
def test_what_a_server_takes_is_let_through(parameters: dict[str, object]) -> None:
    judge_parameters.check(judge(parameters=parameters))


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"api_key": "sk-secret-value"}, "“api_key” looks like a key"),
        ({"extra_headers": {"Authorization": "Bearer sk-secret-value"}}, "“Authorization” looks like a key"),
        ({"tools": [{"client-secret": "sk-secret-value"}]}, "“client-secret” looks like a key"),
        ({"messages": "mine"}, "sets messages"),
        ({"timeout": 0}, "timeout is '0'"),
        ({"structured": "tool"}, "json_schema, json_object, off"),
    ],
)
def test_a_wrong_parameter_is_named_and_its_value_is_not_when_it_may_be_a_key(
    parameters: dict[str, object], said: str
) -> None:
    with pytest.raises(InvalidInputError, match=said) as caught:
        judge_parameters.check(judge(parameters=parameters))

    assert "sk-secret-value" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("https://me:sk-secret-value@gateway.example/v1", "name or password"),
        ("https://gateway.example/v1?key=sk-secret-value", "ends before any “[?]”"),
        ("https://gateway.example/v1#top", "ends before any"),
        ("ftp://gateway.example/v1", "starts with http"),
    ],
)
def test_an_address_holds_no_key(address: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said) as caught:
        judge_parameters.check(judge(base_url=address))

    assert "sk-secret-value" not in str(caught.value)


@pytest.mark.parametrize(
    "host", ["gateway.example", "127.0.0.1:8001", "api.openai.com.evil.example", "notapi.openai.com"]
)
def test_a_providers_own_key_does_not_go_to_another_host(host: str) -> None:
    with pytest.raises(InvalidInputError, match=r"OPENAI_API_KEY is the key for api\.openai\.com"):
        judge_parameters.check(judge(base_url=f"https://{host}/v1", key_name="OPENAI_API_KEY"))


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("api.openai.com", "OPENAI_API_KEY"),
        ("eu.api.openai.com", "OPENAI_API_KEY"),
        ("gateway.example", "GATEWAY_API_KEY"),
        ("gateway.example", ""),
    ],
)
def test_a_key_goes_where_it_belongs(host: str, name: str) -> None:
    judge_parameters.check(judge(base_url=f"https://{host}/v1", key_name=name))


@pytest.mark.parametrize("key", ["sk-proj-0123456789", "x" * 500, "A!~z0987"])
def test_a_key_is_taken(key: str) -> None:
    judge_parameters.check_key(key)


@pytest.mark.parametrize("key", ["", "short", "two words in it", "line\nbreak-in-it", "schlüssel-123", "x" * 501])
def test_what_is_no_key_is_refused_without_being_repeated(key: str) -> None:
    with pytest.raises(InvalidInputError, match="This is no key") as caught:
        judge_parameters.check_key(key)

    assert not key or key not in str(caught.value)
