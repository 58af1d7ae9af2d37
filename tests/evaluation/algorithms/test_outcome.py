"""Outcome of the weighted panel."""

from __future__ import annotations

from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.algorithms.outcome import panel_outcome, panel_outcomes
from evaluation.algorithms.patterns import pattern_of
from evaluation.schemas import OutcomeState, Vote

VOTERS = ("a", "b", "c", "d")
EVEN = dict.fromkeys(VOTERS, 0.8)


def _votes(**labels: str) -> list[Vote]:
    return [Vote(voter, label) for voter, label in labels.items()]


def test_it_follows_the_weights() -> None:
    outcome = panel_outcome(_votes(a="accept", b="reject", c="reject"), {"a": 3.0, "b": 1.0, "c": 1.0}, 3)

    assert (outcome.state, outcome.label) == (OutcomeState.OPEN, "accept")
    assert outcome.support == pytest.approx({"accept": 1 / (1 + exp(-1)), "reject": 1 / (1 + exp(1))})


def test_log_odds_weights_give_the_posterior_of_independent_voters() -> None:
    """Bayes by hand: voters right with 0.9 and 0.8 against each other leave 0.9*0.2 : 0.1*0.8, that is 9/13."""
    weights = {"a": 2.1972245773362196, "b": 1.3862943611198906}

    outcome = panel_outcome(_votes(a="first", b="second"), weights, 2)

    assert outcome.support["first"] == pytest.approx(9 / 13)
    assert outcome.entropy == pytest.approx(0.89049, abs=1e-5)


def test_it_is_split_when_support_is_equal() -> None:
    outcome = panel_outcome(_votes(a="accept", b="reject"), {"a": 0.1 + 0.2, "b": 0.3}, 3)

    assert (outcome.state, outcome.label) == (OutcomeState.SPLIT, None)
    assert outcome.entropy == pytest.approx(1.0)


def test_it_is_unjudged_when_nobody_voted() -> None:
    outcome = panel_outcome([], EVEN, 3)

    assert (outcome.state, outcome.label, outcome.support, outcome.entropy) == (OutcomeState.UNJUDGED, None, {}, 0.0)


def test_it_is_thin_but_labelled_when_one_voter_voted() -> None:
    outcome = panel_outcome(_votes(a="reject"), {"a": -2.0}, 3)

    assert (outcome.state, outcome.label, outcome.support) == (OutcomeState.THIN, "reject", {"reject": 1.0})


def test_it_is_thin_without_label_when_the_samples_of_one_voter_are_level() -> None:
    outcome = panel_outcome([Vote("a", "accept", 0.5), Vote("a", "reject", 0.5)], EVEN, 3)

    assert (outcome.state, outcome.label, outcome.entropy) == (OutcomeState.THIN, None, 0.0)


def test_samples_weigh_as_one_vote_of_their_voter_together() -> None:
    wavering = [Vote("a", "accept", 2 / 3), Vote("a", "reject", 1 / 3), Vote("b", "reject")]

    outcome = panel_outcome(wavering, {"a": 3.0, "b": 1.0}, 2)

    assert (outcome.state, outcome.label) == (OutcomeState.SPLIT, None)  # 3 x 2/3 against 3 x 1/3 + 1
    assert panel_outcome(wavering, {"a": 3.1, "b": 1.0}, 2).label == "accept"


def test_voters_whose_samples_gave_more_labels_than_there_are_voters_are_no_surer_than_even() -> None:
    votes = [Vote(voter, label, 1 / 3) for voter in "ab" for label in ("accept", "reject", "uncertain")]
    leaning = [*votes[:3], Vote("b", "accept")]

    assert panel_outcome(votes, EVEN, 3).entropy == pytest.approx(1.0)
    assert panel_outcome(leaning, EVEN, 3).entropy < 0.99


def test_extreme_weights_do_not_overflow() -> None:
    outcome = panel_outcome(_votes(a="accept", b="reject"), {"a": 5000.0, "b": -5000.0}, 3)

    assert (outcome.label, outcome.support["accept"], outcome.entropy) == ("accept", 1.0, 0.0)


def test_a_voter_without_weight_is_refused() -> None:
    with pytest.raises(KeyError, match="z"):
        panel_outcome([Vote("z", "accept")], EVEN, 3)


def test_more_labels_than_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="more than the 2 labels"):
        panel_outcome(_votes(a="first", b="second", c="tie"), EVEN, 2)


@given(
    ballots=st.lists(
        st.dictionaries(st.sampled_from(VOTERS), st.sampled_from(["accept", "reject", "uncertain"])), max_size=6
    ),
    weights=st.tuples(*[st.floats(-4, 4)] * 4),
)
def test_all_patterns_at_once_equal_one_by_one(ballots: list[dict[str, str]], weights: tuple[float, ...]) -> None:
    by_voter = dict(zip(VOTERS, weights, strict=True))
    patterns = {p.key: p for p in (pattern_of("statement", 1, _votes(**ballot)) for ballot in ballots)}

    together = panel_outcomes(patterns, by_voter, 3)

    for key, pattern in patterns.items():
        alone = panel_outcome(pattern.votes, by_voter, 3)
        assert (together[key].state, together[key].label) == (alone.state, alone.label)
        assert together[key].support == pytest.approx(alone.support)
        assert together[key].entropy == pytest.approx(alone.entropy)
