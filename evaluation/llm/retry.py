"""The one loop that waits and sends again; providers only classify."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from evaluation.llm.errors import LLMError
from evaluation.llm.protocol import ChatModel, ChatReply, ChatRequest


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how patiently a call is sent; `sleep` is `time.sleep` in a job and a recorder in a test.

    `attempts` counts the first one; waits are in seconds. A server that asks for more than `longest_wait` ends the
    loop: its error carries `retry_after`, and the job can be put back instead of holding a worker.
    """

    sleep: Callable[[float], None]
    rng: random.Random = field(default_factory=random.Random)
    attempts: int = 5
    first_wait: float = 1.0
    longest_wait: float = 60.0


def complete_with_retry(model: ChatModel, request: ChatRequest, policy: RetryPolicy) -> ChatReply:
    """Send a request until it is answered, the error is final or the attempts are used up.

    Parameters
    ----------
    model : ChatModel
        Who is asked; it must not retry by itself.
    request : ChatRequest
        What is asked; every attempt sends the same.
    policy : RetryPolicy
        Attempts, waits, and the sources of sleep and randomness.

    Returns
    -------
    ChatReply
        The first reply, usable or not.

    Raises
    ------
    LLMError
        The last error, unchanged: not retryable, out of attempts, or asking for a wait beyond `longest_wait`.

    Notes
    -----
    The wait before attempt n + 1 is drawn evenly from the upper half of ``min(longest_wait, first_wait * 2**(n-1))``
    and never below the server's Retry-After. `attempts` below 1 counts as 1.
    """
    attempt = 1
    while True:
        try:
            return model.complete(request)
        except LLMError as error:
            if attempt >= policy.attempts or not _is_worth_waiting(error, policy):
                raise
            policy.sleep(_wait(policy, attempt, error.retry_after))
            attempt += 1


def _is_worth_waiting(error: LLMError, policy: RetryPolicy) -> bool:
    return error.retryable and (error.retry_after is None or error.retry_after <= policy.longest_wait)


def _wait(policy: RetryPolicy, attempt: int, retry_after: float | None) -> float:
    ceiling = min(policy.longest_wait, policy.first_wait * 2.0 ** (attempt - 1))
    return max(policy.rng.uniform(ceiling / 2, ceiling), retry_after or 0.0)
