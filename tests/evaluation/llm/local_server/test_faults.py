"""Faults: each has its share, whatever the order in which requests come."""

from __future__ import annotations

from collections import Counter

import pytest

from evaluation.errors import InvalidInputError
from evaluation.llm.local_server.faults import ENDINGS, Faults
from evaluation.llm.local_server.latency import Latency, Shape
from evaluation.llm.local_server.script import Cut, Step, Tokens

MIXED = Faults(
    seed=3,
    latency=Latency(0.1, 0.3, Shape.LOGNORMAL),
    rate_limited=0.1,
    rate_limited_silently=0.05,
    server_errors=0.03,
    cut=0.04,
    malformed=0.08,
    truncated=0.02,
    wrong_shape=0.05,
    refused=0.06,
    expired=0.07,
    slow=0.2,
    dripped=0.1,
    lying_usage=0.1,
)


def steps(faults: Faults, n: int = 6_000) -> list[Step]:
    return [faults.step(f"request {number}", 0) for number in range(n)]


def test_each_ending_has_its_share() -> None:
    done = Counter(step.done for step in steps(MIXED))

    shares = {kind: count / 6_000 for kind, count in done.items()}
    expected = {
        "answered": 0.5,
        "rate_limited": 0.15,
        "server_error": 0.03,
        "cut": 0.04,
        "malformed_text": 0.04,
        "malformed_body": 0.04,
        "truncated": 0.02,
        "wrong_shape": 0.05,
        "refused": 0.06,
        "expired": 0.07,
    }
    assert shares == {kind: pytest.approx(share, abs=0.012) for kind, share in expected.items()}


def test_slow_dripping_and_lying_replies_have_theirs_besides() -> None:
    drawn = steps(MIXED)

    shares = [sum(test(step) for step in drawn) / 6_000 for test in (_is_slow, _is_dripped, _is_lying)]
    assert shares == pytest.approx([0.2, 0.1, 0.1], abs=0.012)


def _is_slow(step: Step) -> bool:
    return step.delay > 4


def _is_dripped(step: Step) -> bool:
    return step.drip > 0


def _is_lying(step: Step) -> bool:
    return step.tokens is not None


def test_the_same_request_meets_the_same_fate_in_any_order_and_another_the_next_time() -> None:
    asked = [(f"request {number}", nth) for number in range(50) for nth in range(3)]

    forwards = {each: MIXED.step(*each) for each in asked}
    backwards = {each: MIXED.step(*each) for each in reversed(asked)}

    assert forwards == backwards
    assert len({forwards["request 7", nth].delay for nth in range(3)}) == 3
    assert forwards != {each: Faults(**(vars(MIXED) | {"seed": 4})).step(*each) for each in asked}


def test_only_one_of_the_two_limits_says_how_long_to_wait() -> None:
    told = Faults(rate_limited=1.0, retry_after=0.25).step("a", 0)
    silent = Faults(rate_limited_silently=1.0).step("a", 0)

    assert (told.status, told.headers) == (429, {"retry-after": "0.25"})
    assert (silent.status, silent.headers) == (429, {})


def test_half_of_the_cuts_come_before_the_reply() -> None:
    cuts = Counter(step.cut for step in steps(Faults(cut=1.0), 400))

    assert cuts.keys() == {Cut.BEFORE_REPLY, Cut.WITHIN_REPLY}
    assert min(cuts.values()) > 150


def test_without_faults_everything_is_answered_at_once_with_the_usage_set() -> None:
    assert Faults().step("a", 0) == Step(did="answered")
    assert Faults(tokens=Tokens(1_000, 50)).step("a", 0).tokens == Tokens(1_000, 50)


@pytest.mark.parametrize("name", [*ENDINGS, "slow", "dripped", "lying_usage"])
def test_a_share_lies_between_0_and_1(name: str) -> None:
    with pytest.raises(InvalidInputError, match="a share from 0 to 1"):
        Faults(**{name: 1.1})


def test_what_goes_wrong_is_not_more_than_everything() -> None:
    with pytest.raises(InvalidInputError, match=r"add up to 1\.2, but at most to 1"):
        Faults(cut=0.6, refused=0.6)
    with pytest.raises(InvalidInputError, match="retry-after is -1, but must be a number from 0 on"):
        Faults(retry_after=-1)
