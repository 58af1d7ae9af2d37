"""The options of `fake_llm` become a behaviour."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence

import pytest

from evaluation.errors import InvalidInputError
from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.faults import Faults
from evaluation.llm.local_server.latency import Latency, Shape
from evaluation.llm.local_server.script import Tokens
from evaluation.management import fake_server


def behaviour(*words: str) -> Behaviour:
    parser = ArgumentParser()
    fake_server.add_options(parser)
    return fake_server.behaviour_of(vars(parser.parse_args(words)))


def test_without_options_everything_is_answered_at_once() -> None:
    assert behaviour().faults == Faults()
    assert not behaviour().is_obedient


def test_every_option_reaches_its_place() -> None:
    shares = [word for name in fake_server.SHARES for word in (f"--{name.replace('_', '-')}", "0.1")]
    words = ["--seed", "7", "--retry-after", "0.5", "--slow-seconds", "3", "--drip-seconds", "4", *shares]
    words += [
        "--latency",
        "0.5",
        "--latency-spread",
        "0.2",
        "--output-tokens",
        "9",
        "--batch-seconds",
        "2",
        "--obedient",
    ]

    made = behaviour(*words)

    assert made.faults == Faults(
        seed=7,
        latency=Latency(0.5, 0.2, Shape.LOGNORMAL),
        retry_after=0.5,
        slow_seconds=3,
        drip_seconds=4,
        tokens=Tokens(0, 9),
        **dict.fromkeys(fake_server.SHARES, 0.1),
    )
    assert (made.is_obedient, made.batch_seconds) == (True, 2)


@pytest.mark.parametrize(
    ("words", "shape"),
    [
        (("--latency", "1"), Shape.FIXED),
        (("--latency", "1", "--latency-spread", "0.5"), Shape.LOGNORMAL),
        (("--latency", "1", "--latency-spread", "0.5", "--latency-shape", "uniform"), Shape.UNIFORM),
    ],
)
def test_a_spread_makes_the_latency_log_normal_unless_said_otherwise(words: Sequence[str], shape: Shape) -> None:
    assert behaviour(*words).faults.latency.shape is shape


def test_limits_are_enforced() -> None:
    quota = behaviour("--requests-per-minute", "1", "--tokens-per-minute", "100").quota

    assert [quota.take("m", 1).wait > 0 for _ in range(2)] == [False, True]


def test_shares_of_more_than_everything_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="add up to"):
        behaviour("--cut", "0.7", "--malformed", "0.7")


def test_options_become_words_again() -> None:
    words = ["--latency", "0.5", "--cut", "0.1", "--requests-per-minute", "9", "--obedient", "--seed", "4"]
    parser = ArgumentParser()
    fake_server.add_options(parser)

    again = fake_server.words_of(vars(parser.parse_args(words)))

    assert parser.parse_args(again) == parser.parse_args(words)
    assert len(again) == len(words)
    assert fake_server.words_of(vars(parser.parse_args([]))) == []
