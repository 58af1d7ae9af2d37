"""How many calls may be out, and when the next may go."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.llm.errors import LLMError
from evaluation.llm.limits import Limiter, LimitSettings
from evaluation.schemas import RateHint


def _busy(retry_after: float | None = None, hint: RateHint | None = None) -> LLMError:
    error = LLMError("busy", reason="rate_limit", retryable=True, retry_after=retry_after)
    error.hint = hint
    return error


def _limiter(most: int = 8, requests: int | None = None, tokens: int | None = None) -> Limiter:
    return Limiter(LimitSettings(most, requests, tokens))


def _send(limiter: Limiter, n: int, now: float = 0.0) -> None:
    for _ in range(n):
        assert limiter.may_send(now, 1)
        limiter.sent(now, 1)


def _end(limiter: Limiter, n: int, now: float, error: LLMError | None = None, hint: RateHint | None = None) -> None:
    for _ in range(n):
        limiter.ended(now, 1, hint, error)


def test_it_lets_as_many_out_as_it_may_and_the_next_when_one_is_back() -> None:
    limiter = _limiter(2)
    _send(limiter, 2)

    assert not limiter.may_send(0, 1)
    assert limiter.next_moment(0, 1) == inf
    _end(limiter, 1, 0.5)
    assert limiter.next_moment(0.5, 1) == 0.5


def test_a_long_retry_after_halves_what_may_be_out_and_stops_the_endpoint_until_then() -> None:
    limiter = _limiter(8)
    _send(limiter, 3)

    _end(limiter, 1, 1.0, _busy(retry_after=20))

    assert limiter.n_allowed == 4
    assert limiter.next_moment(1.0, 1) == 21
    assert limiter.paused_until == 21
    assert limiter.may_send(21, 1)


def test_a_burst_of_calls_turned_away_halves_once_and_the_longest_wait_counts() -> None:
    limiter = _limiter(8)
    _send(limiter, 8)

    for number in range(8):
        limiter.ended(1.0, 1, None, _busy(retry_after=10 + number))

    assert limiter.n_allowed == 4
    assert limiter.next_moment(1.0, 1) == 18


def test_a_second_burst_halves_again_and_one_call_is_always_allowed() -> None:
    limiter, now = _limiter(3), 0.0
    for expected in (1, 1, 1):
        _send(limiter, 1, now)
        _end(limiter, 1, now, _busy(retry_after=10))
        now += 10

        assert limiter.n_allowed == expected
        assert limiter.may_send(now, 1)


def test_answered_calls_raise_it_by_one_a_round_up_to_the_most() -> None:
    limiter = _limiter(8)
    _send(limiter, 1)
    _end(limiter, 1, 0, _busy(retry_after=10))
    seen = []

    for number in range(6):
        now = 10.0 + number
        n_round = limiter.n_allowed
        _send(limiter, n_round, now)
        _end(limiter, n_round, now)
        seen.append(limiter.n_allowed)

    assert seen == [5, 6, 7, 8, 8, 8]


def test_single_calls_turned_away_now_and_then_slow_nobody_else() -> None:
    limiter = _limiter(8)

    for number in range(1_000):
        _send(limiter, 1, number)
        _end(limiter, 1, number, _busy(retry_after=1) if number % 10 == 0 else None)
        assert limiter.may_send(number, 1)

    assert limiter.n_allowed == 8


@pytest.mark.parametrize("n_answered", [0, 100])
def test_an_endpoint_that_turns_most_away_is_noticed_within_nine_calls(n_answered: int) -> None:
    limiter = _limiter(8)
    for _ in range(n_answered):
        _send(limiter, 1)
        _end(limiter, 1, 0)

    n_away = 0
    while limiter.may_send(0, 1):
        _send(limiter, 1)
        _end(limiter, 1, 0, _busy(retry_after=2))
        n_away += 1

    assert n_away == (9 if n_answered else 4)
    assert limiter.next_moment(0, 1) == 2
    assert limiter.n_allowed == 4


@pytest.mark.parametrize("hint", [RateHint(requests_left=0), RateHint(tokens_left=99)])
def test_a_server_that_says_that_a_quota_is_used_up_is_believed_at_once(hint: RateHint) -> None:
    limiter = _limiter(8)
    limiter.sent(0, 100)

    limiter.ended(0, 100, None, _busy(retry_after=0.5, hint=hint))

    assert limiter.next_moment(0, 100) == 0.5
    assert limiter.n_allowed == 4


def test_without_retry_after_the_pause_doubles_until_a_call_is_answered() -> None:
    limiter, now, pauses = _limiter(8), 0.0, []
    for _ in range(8):
        while limiter.may_send(now, 1):
            _send(limiter, 1, now)
            _end(limiter, 1, now, _busy())
        pauses.append(limiter.next_moment(now, 1) - now)
        now += pauses[-1]

    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]
    _send(limiter, 1, now)
    _end(limiter, 1, now)
    while limiter.may_send(now, 1):
        _send(limiter, 1, now)
        _end(limiter, 1, now, _busy())
    assert limiter.next_moment(now, 1) == now + 1


def test_without_retry_after_the_reset_of_a_used_up_quota_is_waited_for() -> None:
    limiter = _limiter(8)
    _send(limiter, 1)

    _end(limiter, 1, 0, _busy(hint=RateHint(requests_left=0, requests_reset=40.0)))

    assert limiter.next_moment(0, 1) == 40


def test_no_pause_is_longer_than_an_hour() -> None:
    limiter = _limiter()
    _send(limiter, 1)

    _end(limiter, 1, 0, _busy(retry_after=10**6))

    assert limiter.next_moment(0, 1) == 3_600


def test_a_reply_that_says_that_nothing_is_left_stops_the_endpoint_until_the_reset() -> None:
    limiter = _limiter()
    _send(limiter, 1)

    _end(limiter, 1, 1, hint=RateHint(requests_left=0, requests_reset=12.0))

    assert limiter.next_moment(1, 1) == 13
    assert limiter.n_allowed == 8


def test_what_replies_say_is_left_is_not_exceeded() -> None:
    limiter = _limiter()
    _send(limiter, 1)
    _end(limiter, 1, 1, hint=RateHint(3, 1_000, 30.0, 20.0))

    assert limiter.next_moment(1, 1_001) == 21
    limiter.sent(1, 600)
    assert limiter.next_moment(1, 401) == 21
    limiter.sent(1, 300)
    limiter.sent(1, 1)
    assert limiter.next_moment(1, 1) == 31


@pytest.mark.parametrize("reason", ["timeout", "server", "parse", "auth"])
def test_other_errors_free_their_place_and_change_nothing_else(reason: str) -> None:
    limiter = _limiter()
    _send(limiter, 8)

    _end(limiter, 8, 0, LLMError("no", reason=reason))

    assert (limiter.n_out, limiter.n_allowed) == (0, 8)
    assert limiter.may_send(0, 1)


def test_an_overloaded_server_that_names_a_wait_is_heeded_like_a_limit() -> None:
    limiter = _limiter()
    _send(limiter, 1)

    _end(limiter, 1, 0, LLMError("overloaded", reason="server", retryable=True, retry_after=30))

    assert limiter.next_moment(0, 1) == 30


def test_real_use_makes_room_in_the_minute() -> None:
    limiter = _limiter(tokens=1_000)
    limiter.sent(0, 900)
    assert limiter.next_moment(0, 200) == 60

    limiter.ended(1, 900, None, None, used=150)

    assert limiter.may_send(1, 200)


class _Server:
    """Plays calls against a limiter on a clock of its own: what is sent when, and how each ends."""

    def __init__(self, limiter: Limiter) -> None:
        self.limiter = limiter
        self.now = 0.0
        self.out: list[int] = []
        self.sent: list[tuple[float, int]] = []
        self.most_out = 0

    def send(self, tokens: int) -> None:
        moment = self.limiter.next_moment(self.now, tokens)
        assert (moment == inf) <= bool(self.out), "with no call out, waiting must have an end"
        if moment > self.now:
            assert not self.limiter.may_send(self.now, tokens)
            if moment == inf:
                return
            self.now = moment
        assert self.limiter.may_send(self.now, tokens)
        self.limiter.sent(self.now, tokens)
        self.out.append(tokens)
        self.sent.append((self.now, tokens))
        self.most_out = max(self.most_out, len(self.out))

    def end(self, which: int, hint: RateHint | None, error: LLMError | None) -> None:
        if self.out:
            tokens = self.out.pop(which % len(self.out))
            self.limiter.ended(self.now, tokens, hint, error)


_hints = st.none() | st.builds(
    RateHint,
    st.none() | st.integers(0, 5),
    st.none() | st.integers(0, 500),
    st.none() | st.floats(0, 100),
    st.none() | st.floats(0, 100),
)
_errors = st.sampled_from([None, None, None, _busy(), _busy(1), _busy(30), LLMError("no", reason="server")])
_steps = st.one_of(
    st.tuples(st.just("send"), st.integers(1, 300)),
    st.tuples(st.just("end"), st.integers(0, 99), _hints, _errors),
    st.tuples(st.just("wait"), st.floats(0, 50)),
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(_steps, max_size=120),
    st.integers(1, 6),
    st.none() | st.integers(1, 10),
    st.none() | st.integers(1, 600),
)
def test_it_never_exceeds_what_was_set_and_never_waits_for_ever(
    steps: list[tuple[Any, ...]], most: int, requests: int | None, tokens: int | None
) -> None:
    limiter = _limiter(most, requests, tokens)
    server = _Server(limiter)
    for kind, *rest in steps:
        if kind == "wait":
            server.now += rest[0]
        else:
            getattr(server, kind)(*rest)

    assert server.most_out <= most
    assert limiter.n_out == len(server.out)
    assert 1 <= limiter.n_allowed <= most
    for start, _ in server.sent:
        within = [amount for moment, amount in server.sent if start <= moment < start + 60]
        assert requests is None or len(within) <= requests
        assert tokens is None or sum(within) <= tokens or len(within) == 1, "what is over the limit goes alone"
