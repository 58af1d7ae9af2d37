"""What failed calls mean and what a person can do."""

from __future__ import annotations

import pytest

from evaluation.llm.providers.status import FailedCall, classified
from evaluation.schemas import RateHint

OPENAI_QUOTA = "You exceeded your current quota, please check your plan and billing details."
OPENAI_MINUTE = (
    "Rate limit reached for gpt-x on tokens per min. Please try again in 6s. "
    "You can increase your limit by adding a payment method at https://example.test/account/billing."
)


def _call(status: int, message: str = "no", **headers: str) -> FailedCall:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return FailedCall("Judge A", status, message, named, parameters=("temperature",))


@pytest.mark.parametrize(
    ("status", "message", "reason", "is_retryable", "stops"),
    [
        (401, "bad key", "auth", False, True),
        (402, "pay", "auth", False, True),
        (403, "not for you", "auth", False, True),
        (404, "no such path", "config", False, True),
        (405, "no POST here", "config", False, True),
        (301, "", "config", False, True),
        (429, "slow down", "rate_limit", True, False),
        (429, OPENAI_MINUTE, "rate_limit", True, False),
        (429, f"{OPENAI_QUOTA} Please retry in 34.07s.", "rate_limit", True, False),
        (429, OPENAI_QUOTA, "rate_limit", False, True),
        (429, "buy more (insufficient_quota)", "rate_limit", False, True),
        (400, "Your credit balance is too low to access the API.", "auth", False, True),
        (400, "You have reached your specified API usage limits.", "auth", False, True),
        (400, "prompt is too long: 300000 tokens > 200000 maximum", "context_length", False, False),
        (400, "maximum context length is 4096 tokens", "context_length", False, False),
        (413, "too large", "context_length", False, False),
        (400, "The response was filtered (content_filter)", "refused", False, False),
        (403, "Your input was flagged", "refused", False, False),
        (400, "The model `gpt-9` does not exist (model_not_found)", "config", False, True),
        (400, "Unknown parameter: 'response_format'", "config", False, True),
        (400, "Unsupported value: 'temperature' does not support 0.5", "config", False, True),
        (400, "messages: at least one is needed", "config", False, False),
        (422, "odd", "config", False, False),
        (408, "late", "timeout", True, False),
        (409, "conflict", "server", True, False),
        (500, "oops", "server", True, False),
        (529, "overloaded", "server", True, False),
    ],
)
def test_it_says_whether_to_send_again_and_whether_to_stop(
    status: int, message: str, reason: str, is_retryable: bool, stops: bool
) -> None:
    error = classified(_call(status, message))

    assert (error.reason, error.retryable, error.stops_judge) == (reason, is_retryable, stops)
    assert str(error).startswith(f"Judge A answered with status {status}: ")


@pytest.mark.parametrize(
    ("status", "message", "fix"),
    [
        (401, "bad key", "bad key. Give this judge a valid key."),
        (402, "pay!", "pay! Add credit to the account or raise its limit at the provider, then run again."),
        (404, "gone", "Correct the judge's model or its address (base URL)."),
        (302, "", "nothing. The address has moved: correct the judge's address (base URL)."),
        (400, "'temperature' is not supported", "Correct or remove the judge's parameter temperature."),
        (400, "json_schema is not supported", "set the judge's parameter structured to another way, or to off"),
        (400, "the context window is full", "a model that reads longer texts"),
    ],
)
def test_what_to_do_is_said(status: int, message: str, fix: str) -> None:
    assert fix.lower() in str(classified(_call(status, message))).lower()


@pytest.mark.parametrize(("status", "is_billed"), [(504, True), (524, True), (500, False), (429, False), (401, False)])
def test_only_a_gateway_that_waited_in_vain_may_be_billed(status: int, is_billed: bool) -> None:
    assert classified(_call(status)).may_be_billed is is_billed


def test_waits_and_limits_come_with_the_error() -> None:
    error = classified(_call(429, retry_after="7", x_ratelimit_remaining_requests="0"))

    assert (error.retry_after, error.hint) == (7, RateHint(requests_left=0))


def test_wait_of_a_final_error_is_not_passed_on() -> None:
    assert classified(_call(401, retry_after="7")).retry_after is None


def test_long_message_is_cut_without_half_a_key_at_its_end() -> None:
    call = FailedCall("Judge A", 401, "abcdefghij " * 363 + "abcdefghij", {}, secret="abcdefghij")

    assert "abcde" not in str(classified(call))
