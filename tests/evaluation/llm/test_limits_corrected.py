"""Limits that become stricter, and calls that were counted and did not go after all."""

from __future__ import annotations

from evaluation.llm.limits import Limiter, LimitSettings
from evaluation.schemas import RateHint


def test_a_call_that_did_not_go_after_all_leaves_no_trace() -> None:
    limiter = Limiter(LimitSettings(2, 2, 100))
    limiter.sent(0, 30)
    limiter.sent(0, 70)

    limiter.unsent(70)

    assert (limiter.n_out, limiter.may_send(0, 70), limiter.may_send(0, 71)) == (1, True, False)
    limiter.ended(1.0, 30, None, None, used=10)
    assert limiter.may_send(1.0, 90)
    assert not limiter.may_send(1.0, 91)


def test_what_a_server_said_is_left_is_left_when_a_call_did_not_go() -> None:
    limiter = Limiter(LimitSettings(8))
    limiter.sent(0, 1)
    limiter.ended(0, 1, RateHint(requests_left=1, requests_reset=30.0), None)
    limiter.sent(0, 1)
    before = limiter.may_send(0, 1)

    limiter.unsent(1)

    assert (before, limiter.may_send(0, 1)) == (False, True)


def test_limits_only_become_stricter() -> None:
    limiter = Limiter(LimitSettings(8, None, 1_000))

    limiter.tighten(LimitSettings(3, 2, None))
    limiter.tighten(LimitSettings(5, 9, 5_000))

    assert limiter.n_allowed == 3
    limiter.sent(0, 400)
    assert (limiter.may_send(0, 600), limiter.may_send(0, 601)) == (True, False)
    limiter.sent(0, 400)
    assert limiter.next_moment(0, 1) == 60
