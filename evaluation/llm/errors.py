"""The one error of the LLM layer: providers classify, one loop retries."""

from __future__ import annotations

from functools import partial


class LLMError(Exception):
    """A call that brought no usable reply.

    `reason` is one of truncated, shape, parse, refused, timeout, rate_limit, auth, context_length, server, config.
    `retryable` says whether the same call may be sent again, `retry_after` after how many seconds at least.
    """

    def __init__(self, message: str, *, reason: str, retryable: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.retryable = retryable
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[partial[LLMError], tuple[object, ...]]:
        """Say how it is made again, so that it survives the way out of a worker process."""
        made = partial(LLMError, reason=self.reason, retryable=self.retryable, retry_after=self.retry_after)
        return made, self.args
