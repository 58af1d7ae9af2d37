"""The loop that sends again."""

from __future__ import annotations

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.retry import complete_with_retry
from tests.evaluation.llm.builders import ListedModel, Waits, chat_request


def _busy(retry_after: float | None = None) -> LLMError:
    return LLMError("busy", reason="rate_limit", retryable=True, retry_after=retry_after)


def test_it_sends_the_same_again_until_answered() -> None:
    model, waits = ListedModel([_busy(), _busy(), "blue"]), Waits()

    reply = complete_with_retry(model, chat_request(), waits.policy())

    assert reply.text == "blue"
    assert model.requests == [chat_request()] * 3


def test_waits_double_with_jitter_in_the_upper_half() -> None:
    model, waits = ListedModel([_busy(), _busy(), _busy(), "blue"]), Waits()

    complete_with_retry(model, chat_request(), waits.policy())

    assert [0.5 <= waits[0] <= 1, 1 <= waits[1] <= 2, 2 <= waits[2] <= 4] == [True, True, True]
    assert len({wait / 2**power for power, wait in enumerate(waits)}) == 3


def test_wait_is_never_below_what_the_server_asks_for() -> None:
    model, waits = ListedModel([_busy(retry_after=17), "blue"]), Waits()

    complete_with_retry(model, chat_request(), waits.policy())

    assert waits == [17]


@pytest.mark.parametrize(
    "error",
    [
        LLMError("wrong key", reason="auth"),
        _busy(retry_after=3600),
    ],
    ids=["final", "asks for an hour"],
)
def test_loop_ends_at_once_when_waiting_makes_no_sense(error: LLMError) -> None:
    model, waits = ListedModel([error]), Waits()

    with pytest.raises(LLMError) as caught:
        complete_with_retry(model, chat_request(), waits.policy())

    assert caught.value is error
    assert waits == []


def test_last_error_is_raised_when_attempts_are_used_up() -> None:
    model, waits = ListedModel([_busy(), _busy(), _busy()]), Waits()

    with pytest.raises(LLMError, match="busy"):
        complete_with_retry(model, chat_request(), waits.policy(attempts=3))

    assert len(model.requests) == 3
    assert len(waits) == 2
