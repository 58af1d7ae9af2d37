"""Entropy of a vote."""

from __future__ import annotations

from math import log

import pytest

from evaluation.algorithms.entropy import is_candidate, raw_entropy, vote_entropy


def test_it_matches_shannons_own_example() -> None:
    """Shannon (1948), section 6: probabilities 1/2, 1/3, 1/6 have an entropy of 1.459 bits."""
    entropy = raw_entropy({"a": 3, "b": 2, "c": 1})

    assert entropy / log(2) == pytest.approx(1.4591, abs=1e-4)


@pytest.mark.parametrize(
    ("counts", "n_labels", "expected"),
    [
        ({"accept": 5}, 3, 0.0),
        ({"accept": 1}, 3, 0.0),
        ({"accept": 1, "reject": 1}, 3, 1.0),
        ({"accept": 1, "reject": 1, "uncertain": 1}, 3, 1.0),
        ({"accept": 3, "reject": 2}, 2, 0.97095),
        ({"accept": 3, "reject": 2}, 3, 0.61260),
        ({"accept": 2, "reject": 0}, 3, 0.0),
    ],
)
def test_vote_entropy_is_normalised_by_what_so_many_votes_can_reach(
    counts: dict[str, float], n_labels: int, expected: float
) -> None:
    assert vote_entropy(counts, n_labels) == pytest.approx(expected, abs=1e-5)


def test_vote_entropy_is_zero_when_one_voter_is_split_over_its_own_samples() -> None:
    assert vote_entropy({"accept": 0.5, "reject": 0.5}, 3) == 0.0


def test_two_voters_whose_samples_gave_three_labels_are_measured_against_three() -> None:
    """By hand: shares 1/2, 1/3, 1/6 have an entropy of 1.0114 nats; three labels reach ln 3, not the ln 2 of two."""
    counts = {"accept": 1.0, "reject": 2 / 3, "uncertain": 1 / 3}

    assert vote_entropy(counts, 3) == pytest.approx(1.0114 / log(3), abs=1e-4)
    assert vote_entropy(dict.fromkeys(counts, 2 / 3), 3) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"accept": 2 / 3, "reject": 1 / 3}, False),  # one judge wavers alone
        ({"accept": 4 / 3, "reject": 2 / 3}, True),  # two judges waver alike
        ({"accept": 14 / 3, "reject": 1 / 3}, False),  # one sample of one of five judges
        ({"accept": 4, "reject": 1}, True),  # one of five judges
    ],
)
def test_a_stray_sample_is_no_dispute_and_a_wavering_panel_is(counts: dict[str, float], expected: bool) -> None:
    assert is_candidate(counts, 2) is expected


def test_vote_entropy_stays_below_one_when_a_sample_is_missing() -> None:
    assert vote_entropy({"accept": 1.0, "reject": 0.5}, 3) == pytest.approx(0.91830, abs=1e-5)


@pytest.mark.parametrize("counts", [{}, {"accept": 0}])
def test_vote_entropy_is_refused_when_nobody_voted(counts: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="at least one cast verdict"):
        vote_entropy(counts, 3)


def test_vote_entropy_is_refused_when_a_count_is_negative() -> None:
    with pytest.raises(ValueError, match="negative"):
        vote_entropy({"accept": 2, "reject": -1}, 3)


def test_vote_entropy_is_refused_when_there_are_more_labels_than_exist() -> None:
    with pytest.raises(ValueError, match="only 2 exist"):
        vote_entropy({"first": 1, "second": 1, "tie": 1}, 2)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [({}, False), ({"a": 1}, False), ({"a": 5}, False), ({"a": 4, "b": 1}, True), ({"a": 1, "b": 1}, True)],
)
def test_a_claim_is_a_candidate_when_two_voters_disagree(counts: dict[str, float], expected: bool) -> None:
    assert is_candidate(counts, 3) is expected


def test_a_claim_is_no_candidate_when_its_entropy_only_reaches_tau() -> None:
    assert not is_candidate({"a": 1, "b": 1}, 2, tau=1.0)
    assert is_candidate({"a": 1, "b": 1}, 2, tau=0.99)
