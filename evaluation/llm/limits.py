"""How many calls an endpoint may have out, and when the next one may go; it adapts to what the server says."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import inf

from evaluation.llm.errors import LLMError
from evaluation.llm.windows import MinuteLog, QuotaLeft
from evaluation.schemas import RateHint

RECENT = 24  # endings that tell whether an endpoint is limited or only now and then turns one call away
FEWEST = 4  # turned away calls among them that tell anything
LONG_WAIT = 5.0  # seconds; a server that asks for more means everybody
LONGEST_PAUSE = 3_600.0
FIRST_PAUSE = 1.0
LONGEST_UNASKED_PAUSE = 60.0


@dataclass(frozen=True)
class LimitSettings:
    """What a judge's owner allows: calls out at the same time, and calls and tokens in any 60 seconds (None: any)."""

    max_concurrency: int = 8
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None


class Limiter:
    """Says of one endpoint whether a call may go now; the caller tells it of each that went and ended.

    Parameters
    ----------
    settings : LimitSettings
        What it never exceeds, however willing the server is.

    Notes
    -----
    Moments are seconds of one monotonic clock, which the caller reads. Concurrency follows additive increase,
    multiplicative decrease (Chiu and Jain, 1989): halved once for a burst of calls turned away, one more for each
    round of answered ones, at least 1 and at most `max_concurrency`, where it starts.

    A call turned away (429, or an overloaded server that names a wait) slows the whole endpoint if the server says
    that a quota is used up, if it asks for more than 5 seconds, or if at least 4 and more than a third of the last 24
    calls were turned away. Else only the call itself waits: many servers and gateways turn single calls away and take
    the next one. The pause is what the server asks for, at most an hour; where it does not say, 1 second, doubled
    while no call is answered, at most a minute.

    Where replies say what is left of a quota, no more is sent than that until the server says it is full again. A
    call of more tokens than a whole quota goes alone, when nothing else counts against it. Each step costs O(1)
    amortised, a look at the tokens of the last minute at most one pass over the calls in it.
    """

    def __init__(self, settings: LimitSettings) -> None:
        self._most = max(settings.max_concurrency, 1)
        self._allowed = self._most
        self._log = MinuteLog(settings.requests_per_minute, settings.tokens_per_minute)
        self._requests = QuotaLeft()
        self._tokens = QuotaLeft()
        self._recent: deque[bool] = deque(maxlen=RECENT)
        self._n_out = 0
        self._n_answered = 0
        self._burst = 0
        self._n_pauses = 0
        self._paused_until = -inf

    @property
    def n_out(self) -> int:
        """How many calls are out."""
        return self._n_out

    @property
    def n_allowed(self) -> int:
        """How many may be out at the same time as things are."""
        return self._allowed

    @property
    def paused_until(self) -> float:
        """The moment until which the server wants no call; one gone by, or minus infinity, where it does not say."""
        return self._paused_until

    def may_send(self, now: float, tokens: int) -> bool:
        """Whether a call of so many tokens may go now."""
        return self.next_moment(now, tokens) <= now

    def next_moment(self, now: float, tokens: int) -> float:
        """Return the earliest moment at which looking again is worth it.

        Parameters
        ----------
        now : float
            The moment of asking.
        tokens : int
            What the call may take of a quota of tokens, input and output.

        Returns
        -------
        float
            `now` if it may go, else a later moment, or infinity where only the end of another call can help.
        """
        if self._n_out >= self._allowed:
            return inf
        return max(
            now,
            self._paused_until,
            self._log.free_at(now, tokens),
            self._requests.free_at(now, 1),
            self._tokens.free_at(now, tokens),
        )

    def sent(self, now: float, tokens: int) -> None:
        """Take note of a call that goes now."""
        self._n_out += 1
        self._log.add(now, tokens)
        self._requests.take(1)
        self._tokens.take(tokens)

    def unsent(self, tokens: int) -> None:
        """Take note that the call given to `sent` last with so many tokens did not go after all."""
        self._n_out = max(self._n_out - 1, 0)
        self._log.remove(tokens)
        self._requests.give_back(1)
        self._tokens.give_back(tokens)

    def tighten(self, settings: LimitSettings) -> None:
        """Exceed neither these limits: of two owners' limits of one endpoint, the stricter ones hold."""
        self._most = max(min(self._most, settings.max_concurrency), 1)
        self._allowed = min(self._allowed, self._most)
        self._log.tighten(settings.requests_per_minute, settings.tokens_per_minute)

    def ended(
        self, now: float, tokens: int, hint: RateHint | None, error: LLMError | None, used: int | None = None
    ) -> None:
        """Take note of how a call ended.

        Parameters
        ----------
        now : float
            When.
        tokens : int
            The number that was given to `sent` for this call.
        hint : RateHint or None
            What the server said of its limits; that of the error is used where this is None.
        error : LLMError or None
            What went wrong; None if there is a reply, readable or not.
        used : int or None, optional
            The tokens it really took, which then count instead; None where nobody knows.
        """
        self._n_out = max(self._n_out - 1, 0)
        self._log.correct(tokens, used)
        hint = hint or (error.hint if error else None)
        if error is None:
            self._heed(now, hint)
            self._answered()
        elif _is_turned_away(error):
            self._turned_away(now, tokens, hint, error)
        else:
            self._heed(now, hint)
            self._burst = max(self._burst - 1, 0)

    def _answered(self) -> None:
        self._recent.append(False)
        if self._burst:
            self._burst -= 1
            return
        self._n_pauses = 0
        self._n_answered += 1
        if self._n_answered >= self._allowed:
            self._allowed = min(self._most, self._allowed + 1)
            self._n_answered = 0

    def _turned_away(self, now: float, tokens: int, hint: RateHint | None, error: LLMError) -> None:
        if error.retry_after is None:
            self._heed(now, hint)
        if self._burst:
            self._burst -= 1
            self._pause(now, error.retry_after or 0.0)
            return
        self._recent.append(True)
        if not (_says_used_up(hint, tokens) or (error.retry_after or 0.0) > LONG_WAIT or self._is_often()):
            return
        unasked = min(FIRST_PAUSE * 2.0 ** min(self._n_pauses, 30), LONGEST_UNASKED_PAUSE)
        self._pause(now, unasked if error.retry_after is None else error.retry_after)
        self._n_pauses += 1
        self._allowed = max(1, self._allowed // 2)
        self._n_answered = 0
        self._burst = self._n_out
        self._recent.clear()

    def _is_often(self) -> bool:
        return sum(self._recent) >= max(FEWEST, len(self._recent) // 3 + 1)

    def _pause(self, now: float, seconds: float) -> None:
        self._paused_until = max(self._paused_until, now + min(seconds, LONGEST_PAUSE))

    def _heed(self, now: float, hint: RateHint | None) -> None:
        if hint is not None:
            self._requests.heed(now, hint.requests_left, hint.requests_reset)
            self._tokens.heed(now, hint.tokens_left, hint.tokens_reset)


def _is_turned_away(error: LLMError) -> bool:
    return error.reason == "rate_limit" or (error.reason == "server" and error.retry_after is not None)


def _says_used_up(hint: RateHint | None, tokens: int) -> bool:
    if hint is None:
        return False
    return hint.requests_left == 0 or (hint.tokens_left is not None and hint.tokens_left < tokens)
