"""What counts against a quota."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.llm.windows import MinuteLog, QuotaLeft


def test_it_frees_a_place_sixty_seconds_after_the_oldest_of_as_many_calls_as_may_go() -> None:
    log = MinuteLog(2, None)
    log.add(0, 5)
    log.add(10, 5)

    assert log.free_at(20, 5) == 60
    assert log.free_at(60, 5) == 60
    log.add(60, 5)
    assert log.free_at(60, 5) == 70


def test_tokens_fit_as_soon_as_enough_of_the_oldest_are_gone() -> None:
    log = MinuteLog(None, 100)
    for moment, tokens in ((0, 10), (5, 30), (7, 50)):
        log.add(moment, tokens)

    assert [log.free_at(8, tokens) for tokens in (10, 20, 50, 51, 100)] == [8, 60, 65, 67, 67]


def test_a_call_of_more_tokens_than_the_limit_waits_for_an_empty_minute_and_goes() -> None:
    log = MinuteLog(None, 100)
    assert log.free_at(0, 1_000) == 0
    log.add(0, 1)

    assert log.free_at(1, 1_000) == 60
    assert log.free_at(60, 1_000) == 60


def test_what_a_call_really_used_counts_instead_of_what_it_might_have() -> None:
    log = MinuteLog(None, 100)
    log.add(0, 90)
    log.add(1, 10)

    log.correct(90, 20)

    assert log.free_at(2, 70) == 2
    assert log.free_at(2, 71) == 60
    assert log.free_at(60, 90) == 60


def test_a_correction_that_comes_after_the_minute_or_of_nothing_changes_nothing() -> None:
    log = MinuteLog(None, 100)
    log.add(0, 90)
    log.add(30, 60)
    assert log.free_at(61, 40) == 61

    log.correct(90, 5)
    log.correct(7, 5)

    assert log.free_at(61, 40) == 61
    assert log.free_at(61, 41) == 90


def test_without_a_limit_nothing_is_kept() -> None:
    log = MinuteLog(None, None)
    for moment in range(1_000):
        log.add(moment, 10**9)

    assert log.free_at(1_000, 10**9) == 1_000
    assert not log._sent


@given(st.lists(st.tuples(st.floats(0, 30), st.integers(0, 60)), max_size=60), st.integers(1, 5), st.integers(1, 100))
def test_it_never_lets_more_go_in_any_minute(steps: list[tuple[float, int]], n_requests: int, n_tokens: int) -> None:
    log, now, sent = MinuteLog(n_requests, n_tokens), 0.0, []
    for pause, tokens in steps:
        now = log.free_at(now + pause, tokens)
        assert log.free_at(now, tokens) == now
        log.add(now, tokens)
        sent.append((now, tokens))

    for start, _ in sent:
        within = [tokens for moment, tokens in sent if start <= moment < start + 60]
        assert len(within) <= n_requests
        assert sum(within) <= n_tokens or len([tokens for tokens in within if tokens]) == 1, "too much, but alone"


def test_a_budget_lasts_until_it_is_said_to_be_full_again() -> None:
    quota = QuotaLeft()
    assert quota.free_at(0, 10**9) == 0
    quota.heed(0, 2, 30.0)
    quota.take(1)

    assert [quota.free_at(1, need) for need in (1, 2)] == [1, 30]
    assert quota.free_at(31, 2) == 31


def test_of_replies_out_of_order_the_one_with_less_left_counts() -> None:
    quota = QuotaLeft()
    quota.heed(0, 3, 60.0)
    quota.heed(1, 9, 60.0)
    assert quota.free_at(2, 4) == 60
    quota.heed(2, 1, 60.0)
    assert quota.free_at(3, 2) == 62

    quota.heed(62, 50, 60.0)

    assert quota.free_at(63, 50) == 63


@pytest.mark.parametrize(("left", "reset"), [(None, 60.0), (0, None)])
def test_half_a_hint_says_nothing(left: int | None, reset: float | None) -> None:
    quota = QuotaLeft()

    quota.heed(0, left, reset)

    assert quota.free_at(1, 10) == 1


def test_a_daily_quota_is_looked_at_again_after_an_hour() -> None:
    quota = QuotaLeft()

    quota.heed(0, 0, 86_400.0)

    assert quota.free_at(1, 1) == 3_600
