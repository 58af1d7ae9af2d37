"""The one error of the LLM layer: providers classify, one loop retries."""

from __future__ import annotations

from functools import partial

from evaluation.schemas import RateHint


class LLMError(Exception):
    """A call that brought no usable reply.

    `reason` is one of truncated, shape, parse, refused, timeout, rate_limit, auth, context_length, server, config.
    `retryable` says whether the same call may be sent again, `retry_after` after how many seconds at least.
    With `stops_judge` no other call of this judge can do better: a wrong key, an account without credit, a model that
    does not exist. `may_be_billed` says that the server may have answered and charged for it. `hint` is what the
    server said of its limits, for the provider to set.
    """

    hint: RateHint | None = None

    def __init__(
        self,
        message: str,
        *,
        reason: str,
        retryable: bool = False,
        retry_after: float | None = None,
        stops_judge: bool = False,
        may_be_billed: bool = False,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.retryable = retryable
        self.retry_after = retry_after
        self.stops_judge = stops_judge
        self.may_be_billed = may_be_billed

    def __reduce__(self) -> tuple[partial[LLMError], tuple[object, ...], dict[str, object]]:
        """Say how it is made again, so that it survives the way out of a worker process."""
        return partial(LLMError, reason=self.reason), self.args, vars(self)
