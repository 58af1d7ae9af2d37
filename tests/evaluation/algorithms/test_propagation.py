"""What a ruling changes elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.algorithms.outcome import panel_outcomes
from evaluation.algorithms.patterns import Pattern, pattern_of
from evaluation.algorithms.propagation import SecondLook, flip, reweight, second_look_targets
from evaluation.schemas import OutcomeState, Vote

VOTERS = ("a", "b", "c")
LABELS = ("accept", "reject", "uncertain")
BALLOTS = st.lists(st.dictionaries(st.sampled_from(VOTERS), st.sampled_from(LABELS)), min_size=1, max_size=8)
WEIGHTS = st.fixed_dictionaries({voter: st.floats(-4, 4) for voter in VOTERS})


def _patterns(*ballots: dict[str, str]) -> dict[str, Pattern]:
    found = (pattern_of("statement", 1, [Vote(*pair) for pair in ballot.items()]) for ballot in ballots)
    return {pattern.key: pattern for pattern in found}


def test_it_tells_the_patterns_whose_outcome_changed() -> None:
    disputed = {"a": "accept", "b": "reject", "c": "reject"}
    patterns = _patterns(disputed, {"a": "accept", "b": "accept", "c": "reject"}, dict.fromkeys(VOTERS, "accept"))
    even = dict.fromkeys(VOTERS, 1.0)

    changes = reweight(patterns, even, {**even, "a": 2.5}, 3)

    assert [change.key for change in changes] == ["statement|1|a:accept|b:reject|c:reject"]
    assert (changes[0].before.label, changes[0].after.label) == ("reject", "accept")


def test_a_pattern_changes_when_only_its_state_does() -> None:
    patterns = _patterns({"a": "accept", "b": "reject"})

    changes = reweight(patterns, {"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 0.5}, 3)

    assert (changes[0].before.state, changes[0].after.state) == (OutcomeState.SPLIT, OutcomeState.OPEN)


def test_nothing_changes_when_there_is_no_pattern_or_no_new_weight() -> None:
    even = dict.fromkeys(VOTERS, 1.0)

    assert reweight({}, even, even, 3) == []
    assert reweight(_patterns({"a": "accept", "b": "reject"}, {}), even, even, 3) == []


@given(ballots=BALLOTS, before=WEIGHTS, after=WEIGHTS)
def test_reweighting_never_gives_a_label_that_nobody_cast(
    ballots: list[dict[str, str]], before: dict[str, float], after: dict[str, float]
) -> None:
    patterns = _patterns(*ballots)

    outcomes = panel_outcomes(patterns, after, 3)
    changes = reweight(patterns, before, after, 3)

    for key, outcome in outcomes.items():
        cast = patterns[key].counts()
        assert set(outcome.support) == set(cast)
        assert outcome.label is None or outcome.label in cast
    assert {change.key: change.after for change in changes}.items() <= outcomes.items()


@given(ballots=BALLOTS, before=WEIGHTS, after=WEIGHTS)
def test_reweighting_never_overturns_a_unanimous_claim(
    ballots: list[dict[str, str]], before: dict[str, float], after: dict[str, float]
) -> None:
    patterns = _patterns(*ballots)

    changed = {change.key for change in reweight(patterns, before, after, 3)}

    assert not [key for key in changed if len(patterns[key].counts()) < 2]


def test_second_looks_go_by_weight_then_entropy_then_id() -> None:
    neighbours = {9: 0.7, 4: 0.6, 3: 0.6, 5: 0.6, 1: 0.9}

    targets = second_look_targets(1, neighbours, {3: 0.2, 4: 0.8, 5: 0.2}, max_targets=3)

    assert targets == [SecondLook(9, 0.7), SecondLook(4, 0.6), SecondLook(3, 0.6)]


def test_there_is_no_second_look_when_nothing_is_near_or_allowed() -> None:
    assert second_look_targets(1, {}, {}) == []
    assert second_look_targets(1, {2: 0.9}, {}, max_targets=0) == []
    with pytest.raises(ValueError, match="negative"):
        second_look_targets(1, {2: 0.9}, {}, max_targets=-1)


def test_an_overturned_claim_flips_its_neighbours_but_not_the_defended() -> None:
    labels: dict[int, str | None] = {1: "first", 2: "first", 3: "second", 4: "first", 5: None}

    change = flip(labels, 1, "second", [2, 3, 4, 5], defended=[4])

    assert change.labels == {2: "second", 3: "first"}
    assert change.defended == {4}


def test_a_confirmed_claim_defends_its_neighbours() -> None:
    change = flip({1: "first", 2: "second"}, 1, "first", [2], defended=[7])

    assert not change.labels
    assert change.defended == {2, 7}


def test_nothing_flips_when_the_ruled_claim_was_split_or_a_third_label_holds() -> None:
    assert flip({1: None, 2: "first"}, 1, "first", [2]).labels == {}
    assert flip({1: "accept", 2: "uncertain"}, 1, "reject", [2]).labels == {}
