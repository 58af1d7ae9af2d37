"""Reliability of voters, and that it depends on surviving rulings only."""

from __future__ import annotations

from math import log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.algorithms.reliability import estimate, reliabilities, tally, weights_of
from evaluation.schemas import Vote

VOTERS = ("a", "b", "c")
LABELS = ("accept", "reject", "uncertain")
BALLOTS = st.dictionaries(st.sampled_from(VOTERS), st.sampled_from(LABELS), min_size=1)
RULINGS = st.lists(st.tuples(BALLOTS, st.sampled_from(LABELS)), max_size=8)


def _votes(ballot: dict[str, str]) -> list[Vote]:
    return [Vote(voter, label) for voter, label in ballot.items()]


def test_it_starts_from_the_prior_when_nothing_was_ruled() -> None:
    reliability = estimate(0, 0, n_labels=2)

    assert reliability.mean == pytest.approx(0.7)
    assert reliability.weight == pytest.approx(log(7 / 3))
    assert reliability.lower < 0.7 < reliability.upper


def test_the_weight_is_the_published_log_odds_when_there_are_two_labels() -> None:
    """Nitzan and Paroush (1982): a voter who is right with 0.9 weighs ln 9; (0.7 * 8 + 16) / (8 + 16) is 0.9."""
    reliability = estimate(agreed=16, decided=16, n_labels=2)

    assert reliability.mean == pytest.approx(0.9)
    assert reliability.weight == pytest.approx(log(9))


def test_the_weight_is_zero_when_a_voter_guesses_among_three_labels() -> None:
    guesser = estimate(agreed=0.4, decided=10, n_labels=3)

    assert guesser.mean == pytest.approx(1 / 3)
    assert guesser.weight == pytest.approx(0.0, abs=1e-12)


def test_the_interval_is_that_of_the_beta_distribution() -> None:
    """Beta(1, 1) is uniform, so its central 95 % is [0.025, 0.975]; this prior and these wrong rulings lead to it."""
    strength = 1 / 0.7

    reliability = estimate(agreed=0.0, decided=1 - 0.3 * strength, n_labels=2, strength=strength)

    assert reliability.lower == pytest.approx(0.025)
    assert reliability.upper == pytest.approx(0.975)


@pytest.mark.parametrize(("agreed", "mean"), [(0, 0.02), (10_000, 0.98)])
def test_the_mean_is_clipped_when_a_voter_is_always_wrong_or_right(agreed: float, mean: float) -> None:
    reliability = estimate(agreed, 10_000, n_labels=2)

    assert reliability.mean == mean
    assert abs(reliability.weight) == pytest.approx(log(49))


@pytest.mark.parametrize(("agreed", "decided", "strength"), [(2, 1, 8), (-1, 1, 8), (1, 1, 0)])
def test_an_impossible_count_or_prior_is_refused(agreed: float, decided: float, strength: float) -> None:
    with pytest.raises(ValueError):
        estimate(agreed, decided, 2, strength)


def test_tally_counts_shares_when_a_voter_was_sampled() -> None:
    rulings = [([Vote("a", "accept", 0.5), Vote("a", "reject", 0.5), Vote("b", "reject")], "accept")]

    assert tally(rulings) == {"a": (0.5, 1.0), "b": (0.0, 1.0)}


def test_reliabilities_name_every_voter_when_some_never_voted_on_a_ruled_claim() -> None:
    found = reliabilities([([Vote("a", "accept")], "accept")], {"a": 8.0, "z": 32.0}, n_labels=3)

    assert (found["a"].agreed, found["a"].decided) == (1, 1)
    assert found["z"].mean == pytest.approx(0.7)
    assert found["z"].decided == 0
    assert weights_of(found)["a"] > weights_of(found)["z"]


@given(rulings=RULINGS, undos=st.lists(st.integers(0, 7), max_size=8), order=st.randoms(use_true_random=False))
def test_any_interleaving_of_decide_and_undo_equals_replaying_the_survivors(
    rulings: list[tuple[dict[str, str], str]], undos: list[int], order: Random
) -> None:
    strengths = dict.fromkeys(VOTERS, 8.0)
    events = [(_votes(ballot), label) for ballot, label in rulings]
    running = dict.fromkeys(VOTERS, (0.0, 0.0))  # kept step by step, as a system without replay would
    alive: list[int] = []
    undone = set(undos)

    def move(number: int, sign: int) -> None:
        for voter, (agreed, decided) in tally([events[number]]).items():
            running[voter] = (running[voter][0] + sign * agreed, running[voter][1] + sign * decided)

    for number in range(len(events)):
        move(number, +1)
        alive.append(number)
        for earlier in [n for n in alive if n in undone and order.random() < 0.5]:
            move(earlier, -1)
            alive.remove(earlier)
    order.shuffle(alive)
    replayed = reliabilities([events[number] for number in alive], strengths, 3)

    assert replayed == {voter: estimate(*running[voter], n_labels=3) for voter in VOTERS}
