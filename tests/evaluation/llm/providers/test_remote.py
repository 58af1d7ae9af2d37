"""What both remote providers do alike, with their real client libraries over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.local_server.script import Cut, Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import ChatModel
from evaluation.llm.providers.anthropic_messages import AnthropicMessages
from evaluation.llm.providers.openai_chat import OpenAIChat
from evaluation.llm.retry import complete_with_retry
from evaluation.llm.structured import ask
from tests.evaluation.llm.builders import Waits, chat_request, judge
from tests.evaluation.llm.test_structured import Colour

Build = Callable[..., ChatModel]


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with LocalServer() as running:
        yield running


@pytest.fixture(params=["openai_chat", "anthropic_messages"])
def build(request: pytest.FixtureRequest, server: LocalServer) -> Build:
    def built(**parameters: float | int | str) -> ChatModel:
        if request.param == "openai_chat":
            return OpenAIChat(judge("openai_chat", server.openai_url, **parameters), "key-1234")
        return AnthropicMessages(judge("anthropic_messages", server.url, **parameters), "key-1234")

    return built


def test_it_brings_back_a_structured_answer_with_usage_and_time(build: Build, server: LocalServer) -> None:
    server.script(Step(answer={"colour": "blue"}))

    answer = ask(build(), chat_request(), Colour, policy=Waits().policy())

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
        (Step(status=429, message="insufficient_quota: buy more"), "rate_limit", False),
        (Step(status=500), "server", True),
        (Step(status=529), "server", True),
        (Step(status=408), "timeout", True),
        (Step(status=401), "auth", False),
        (Step(status=403), "auth", False),
        (Step(status=404), "config", False),
        (Step(status=400), "config", False),
        (Step(status=400, message="prompt is too long: 300000 tokens"), "context_length", False),
        (Step(cut=Cut.BEFORE_REPLY), "server", True),
        (Step(cut=Cut.WITHIN_REPLY), "server", True),
        (Step(raw=b"<html>Welcome</html>", headers={"content-type": "text/html"}), "server", True),
        (Step(raw=b'{"half": '), "server", True),
        (Step(raw=b"[1, 2]"), "server", True),
        (Step(raw=b"{}"), "server", True),
    ],
    ids=lambda value: f"{value.status} {value.message} {value.cut} {value.raw!r}" if isinstance(value, Step) else None,
)
def test_failure_is_classified_and_sent_only_once(
    build: Build, server: LocalServer, step: Step, reason: str, is_retryable: bool
) -> None:
    server.script(step)

    with pytest.raises(LLMError) as caught:
        build().complete(chat_request())

    assert (caught.value.reason, caught.value.retryable) == (reason, is_retryable)
    assert len(server.received) == 1
    assert "Judge A" in str(caught.value)


def test_slow_first_byte_is_a_timeout(build: Build, server: LocalServer) -> None:
    server.script(Step(delay=30))

    with pytest.raises(LLMError, match=r"within 0\.2 seconds") as caught:
        build(timeout=0.2).complete(chat_request())

    assert (caught.value.reason, caught.value.retryable) == ("timeout", True)


def test_nobody_listening_is_an_error_of_the_server() -> None:
    with LocalServer() as gone:
        model = OpenAIChat(judge("openai_chat", gone.openai_url), None)

    with pytest.raises(LLMError, match="check the address") as caught:
        model.complete(chat_request())

    assert caught.value.reason == "server"


def test_retry_after_is_obeyed_and_the_next_answer_taken(build: Build, server: LocalServer) -> None:
    waits = Waits()
    server.script(
        Step(status=429, headers={"retry-after": "9"}), Step(status=503), Step(cut=Cut.WITHIN_REPLY), Step(text="blue")
    )

    reply = complete_with_retry(build(), chat_request(), waits.policy())

    assert reply.text == "blue"
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
        ask(build(), chat_request(), Colour, policy=Waits().policy())

    assert caught.value.reason == reason
    assert len(server.received) == 2


def test_second_question_is_understood_by_the_server(build: Build, server: LocalServer) -> None:
    server.script(Step(answer={"color": "red"}), Step(answer={"colour": "blue"}))

    answer = ask(build(), chat_request(), Colour, policy=Waits().policy())

    assert answer.value.colour == "blue"
    assert [turn["role"] for turn in server.received[1].body["messages"]][-3:] == ["user", "assistant", "user"]


def test_refusal_is_told_apart(build: Build, server: LocalServer) -> None:
    server.script(Step(text="I will not.", finish="refused"))

    with pytest.raises(LLMError, match="I will not") as caught:
        ask(build(), chat_request(), Colour, policy=Waits().policy())

    assert caught.value.reason == "refused"


def test_key_is_blanked_when_the_server_repeats_it(build: Build, server: LocalServer) -> None:
    server.script(Step(status=401, message="Key key-1234 is unknown."))

    with pytest.raises(LLMError) as caught:
        build().complete(chat_request())

    assert "key-1234" not in str(caught.value)
    assert "***" in str(caught.value)


def test_nul_in_a_reply_becomes_a_replacement_character(build: Build, server: LocalServer) -> None:
    server.script(Step(text="blue\x00"))

    assert build().complete(chat_request(schema=None)).text == "blue\ufffd"
