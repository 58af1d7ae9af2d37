"""The error of the LLM layer says by itself whether and when to ask again."""

from __future__ import annotations

import pickle

from evaluation.llm.errors import LLMError


def test_it_is_final_unless_the_provider_says_otherwise() -> None:
    error = LLMError("Judge A has no key.", reason="auth")

    assert (str(error), error.reason) == ("Judge A has no key.", "auth")
    assert not error.retryable
    assert error.retry_after is None


def test_it_carries_how_long_the_server_wants_to_be_left_alone() -> None:
    error = LLMError("Too many calls.", reason="rate_limit", retryable=True, retry_after=9.0)

    assert (error.retryable, error.retry_after) == (True, 9.0)


def test_it_survives_the_way_out_of_a_worker_process() -> None:
    error = LLMError("Too many calls.", reason="rate_limit", retryable=True, retry_after=9.0)

    copy = pickle.loads(pickle.dumps(error))

    assert (str(copy), vars(copy)) == (str(error), vars(error))
