"""What the remote providers do alike, with their real client libraries over HTTP."""

from __future__ import annotations

import json
import time

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.local_server.script import Cut, Step, Tokens
from evaluation.llm.local_server.server import LocalServer
from evaluation.schemas import RateHint
from tests.evaluation.llm.builders import SCHEMA, Colour, Waits, chat_request
from tests.evaluation.llm.providers.conftest import Build
from tests.evaluation.llm.providers.raw_server import full_server


def test_it_brings_back_a_structured_answer_with_usage_and_time(build: Build, server: LocalServer) -> None:
    server.script(Step(answer={"colour": "blue"}))

    answer = Waits().ask(build(), chat_request(), Colour)

    reply = answer.replies[0]
    assert answer.value.colour == "blue"
    assert (reply.model, reply.finish_reason) == ("test-model", "stop")
    assert reply.usage.input_tokens > 0
    assert reply.usage.output_tokens == 5
    assert reply.latency > 0


def test_subject_is_never_sent(build: Build, server: LocalServer) -> None:
    server.script(Step(text="blue"))

    build().complete(chat_request())

    assert "Installation" not in str(server.received[0].body)


@pytest.mark.parametrize(
    ("step", "reason", "is_retryable"),
    [
        (Step(status=429), "rate_limit", True),
        (Step(status=500), "server", True),
        (Step(status=529), "server", True),
        (Step(status=408), "timeout", True),
        (Step(status=400, message="messages: odd"), "config", False),
        (Step(status=400, message="prompt is too long: 300000 tokens"), "context_length", False),
    ],
    ids=lambda value: f"{value.status} {value.message}" if isinstance(value, Step) else None,
)
def test_failure_is_classified_and_sent_only_once(
    build: Build, server: LocalServer, step: Step, reason: str, is_retryable: bool
) -> None:
    server.script(step)

    with pytest.raises(LLMError) as caught:
        build().complete(chat_request())

    error = caught.value
    assert (error.reason, error.retryable, error.stops_judge, error.may_be_billed) == (
        *(reason, is_retryable),
        *(False, False),
    )
    assert len(server.received) == 1
    assert "Judge A" in str(error)


@pytest.mark.parametrize(
    ("step", "reason", "fix"),
    [
        (Step(status=401), "auth", "valid key"),
        (Step(status=402), "auth", "Add credit"),
        (Step(status=403), "auth", "another key or model"),
        (Step(status=404), "config", "model or its address"),
        (Step(status=429, message="insufficient_quota: buy more"), "rate_limit", "Add credit"),
        (Step(status=400, message="Your credit balance is too low"), "auth", "Add credit"),
        (Step(status=400, message="json_schema is not supported, nor are tools"), "config", "structured"),
        (Step(status=400, message="max_tokens is too large"), "config", "parameter max_tokens"),
    ],
    ids=lambda value: f"{value.status} {value.message}" if isinstance(value, Step) else None,
)
def test_lasting_failure_stops_the_judge_and_says_what_to_mend(
    build: Build, server: LocalServer, step: Step, reason: str, fix: str
) -> None:
    server.script(step)

    with pytest.raises(LLMError, match=fix) as caught:
        build().complete(chat_request())

    assert (caught.value.reason, caught.value.retryable, caught.value.stops_judge) == (reason, False, True)


@pytest.mark.parametrize(
    "step",
    [
        Step(cut=Cut.BEFORE_REPLY),
        Step(cut=Cut.WITHIN_REPLY),
        Step(raw=b"<html>Welcome</html>", headers={"content-type": "text/html"}),
        Step(raw=b'{"half": '),
        Step(raw=b"[1, 2]"),
        Step(raw=b"{}"),
        Step(status=504),
    ],
    ids=lambda step: f"{step.cut} {step.raw!r} {step.status}",
)
def test_call_that_the_server_may_have_answered_may_be_billed(build: Build, server: LocalServer, step: Step) -> None:
    server.script(step)

    with pytest.raises(LLMError) as caught:
        build().complete(chat_request())

    error = caught.value
    assert (error.reason, error.retryable, error.may_be_billed) == ("server", True, True)
    assert len(server.received) == 1


def test_slow_first_byte_is_a_timeout(build: Build, server: LocalServer) -> None:
    server.script(Step(delay=30))

    with pytest.raises(LLMError, match=r"within 0\.2 seconds") as caught:
        build(timeout=0.2).complete(chat_request())

    assert (caught.value.reason, caught.value.retryable, caught.value.may_be_billed) == ("timeout", True, True)


def test_reply_that_trickles_in_ends_at_the_total(build: Build, server: LocalServer) -> None:
    server.script(Step(drip=30))
    started = time.perf_counter()

    with pytest.raises(LLMError, match=r"within 0\.3 seconds"):
        build(timeout=0.3, read_timeout=20).complete(chat_request())

    assert time.perf_counter() - started < 3


def test_server_that_takes_no_connection_is_a_timeout_that_costs_nothing(build: Build) -> None:
    with full_server() as url, pytest.raises(LLMError, match=r"no connection within 0\.2 seconds") as caught:
        build(url, connect_timeout=0.2).complete(chat_request())

    assert (caught.value.reason, caught.value.may_be_billed) == ("timeout", False)


def test_nobody_listening_is_an_error_of_the_server_that_costs_nothing(build: Build) -> None:
    with LocalServer() as gone:
        url = gone.url

    with pytest.raises(LLMError, match="check the address") as caught:
        build(url).complete(chat_request())

    assert (caught.value.reason, caught.value.retryable, caught.value.may_be_billed) == ("server", True, False)


def test_limits_are_read_from_replies_and_from_errors(build: Build, server: LocalServer) -> None:
    headers = {"x-ratelimit-remaining-requests": "4", "x-ratelimit-reset-requests": "6m0s"}
    server.script(Step(answer={"colour": "blue"}, headers=headers), Step(status=429, headers=headers))
    model = build()

    reply = model.complete(chat_request())
    with pytest.raises(LLMError) as caught:
        model.complete(chat_request())

    assert reply.hint == caught.value.hint == RateHint(requests_left=4, requests_reset=360)


def test_retry_after_is_obeyed_and_the_next_answer_taken(build: Build, server: LocalServer) -> None:
    waits = Waits()
    server.script(
        Step(status=429, headers={"retry-after": "9"}),
        Step(status=503),
        Step(cut=Cut.WITHIN_REPLY),
        Step(answer={"colour": "blue"}),
    )

    answer = waits.ask(build(), chat_request(), Colour)

    assert answer.value.colour == "blue"
    assert waits[0] == 9
    assert len(server.received) == 4


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (Step(text='{"colour": "bl', finish="length"), "truncated"),
        (Step(text="{colour"), "parse"),
        (Step(answer={"color": "blue"}), "shape"),
    ],
    ids=["truncated", "malformed", "wrong shape"],
)
def test_bad_reply_is_asked_for_once_more_and_then_fails_with_its_reason(
    build: Build, server: LocalServer, step: Step, reason: str
) -> None:
    server.script(step, step)

    with pytest.raises(LLMError) as caught:
        Waits().ask(build(), chat_request(), Colour)

    assert caught.value.reason == reason
    assert len(server.received) == 2


def test_second_question_is_understood_by_the_server(build: Build, server: LocalServer) -> None:
    server.script(Step(answer={"color": "red"}), Step(answer={"colour": "blue"}))

    answer = Waits().ask(build(), chat_request(), Colour)

    body = server.received[1].body
    assert answer.value.colour == "blue"
    assert [turn["role"] for turn in body.get("messages") or body["input"]][-3:] == ["user", "assistant", "user"]


def test_schema_is_told_in_words_to_a_plain_server(build: Build, server: LocalServer) -> None:
    server.script(Step(text='{"colour": "blue"}'))

    answer = Waits().ask(build(structured="off"), chat_request(), Colour)

    body = server.received[0].body
    assert answer.value.colour == "blue"
    assert not {"response_format", "tools", "output_config", "text"} & set(body)
    assert json.dumps(json.dumps(SCHEMA))[1:-1] in json.dumps(body.get("messages") or body["input"])


def test_refusal_is_told_apart(build: Build, server: LocalServer) -> None:
    server.script(Step(text="I will not.", finish="refused"))

    with pytest.raises(LLMError, match="I will not") as caught:
        Waits().ask(build(), chat_request(), Colour)

    assert caught.value.reason == "refused"


def test_usage_that_is_no_number_counts_nothing(build: Build, server: LocalServer) -> None:
    tokens = Tokens(input="many", output=-3, cached=None, written=2**70)
    server.script(Step(answer={"colour": "blue"}, tokens=tokens))

    usage = build().complete(chat_request()).usage

    assert (usage.output_tokens, usage.cached_tokens) == (0, 0)
    assert usage.input_tokens in (0, 2**31 - 1)


def test_nul_in_a_reply_becomes_a_replacement_character(build: Build, server: LocalServer) -> None:
    server.script(Step(text="blue\x00"))

    assert build().complete(chat_request(schema=None)).text == "blue\ufffd"
