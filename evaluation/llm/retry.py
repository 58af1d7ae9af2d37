"""How often and how patiently a failed call is sent again; providers only classify."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from evaluation.llm.errors import LLMError


@dataclass(frozen=True)
class RetryPolicy:
    """Attempts and waits of one asking.

    `attempts` counts the first one. A server that limits the rate is asked up to `rate_limit_attempts` times, since
    it did not refuse the question. Waits are in seconds; one of more than `longest_patience` that a server asks for
    ends the asking.
    """

    rng: random.Random = field(default_factory=random.Random)
    attempts: int = 5
    rate_limit_attempts: int = 30
    first_wait: float = 1.0
    longest_wait: float = 60.0
    longest_patience: float = 3_600.0

    def wait(self, errors: Sequence[LLMError]) -> float | None:
        """Return after how many seconds the same is to be sent again.

        Parameters
        ----------
        errors : sequence of LLMError
            What went wrong so far in this asking, the newest last; at least one.

        Returns
        -------
        float or None
            None where the newest is final, the attempts are used up, or the server asks for too long a wait.

        Notes
        -----
        The wait before attempt n + 1 is drawn evenly from the upper half of
        ``min(longest_wait, first_wait * 2**(n-1))`` and never below the server's Retry-After (full jitter on the
        upper half: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015). Attempts below 1 count as 1.
        """
        error = errors[-1]
        is_limit = error.reason == "rate_limit"
        n_alike = sum((each.reason == "rate_limit") == is_limit for each in errors)
        if not error.retryable or n_alike >= (self.rate_limit_attempts if is_limit else self.attempts):
            return None
        asked = error.retry_after or 0.0
        if asked > self.longest_patience:
            return None
        ceiling = min(self.longest_wait, self.first_wait * 2.0 ** min(n_alike - 1, 30))
        return max(self.rng.uniform(ceiling / 2, ceiling), asked)
