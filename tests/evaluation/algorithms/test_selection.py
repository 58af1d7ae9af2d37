"""Which claim comes next."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import numpy as np
import pytest

from evaluation.algorithms.selection import (
    Candidate,
    PatternRow,
    audit_pick,
    is_audit_turn,
    rank,
    rank_patterns,
    score,
)
from evaluation.schemas import SelectionPolicy

POSTERIOR, PANEL, RANDOM = SelectionPolicy.POSTERIOR_ENTROPY, SelectionPolicy.PANEL_ENTROPY, SelectionPolicy.RANDOM


def _claim(claim_id: int, key: str = "p", **changes: object) -> Candidate:
    claim = Candidate(claim_id, key, f"split of {key}", 0.9, 0.9, 0, 0, is_full_panel=True)
    return replace(claim, **changes)  # type: ignore[arg-type]


def _order(*claims: Candidate, n_rulings: int = 0, policy: SelectionPolicy = POSTERIOR) -> list[int]:
    return [scored.claim_id for scored in rank(claims, n_rulings, policy)]


def test_it_asks_where_most_disputes_are_alike_at_first_and_where_the_panel_is_unsure_later() -> None:
    large = [_claim(number, "large", posterior_entropy=0.5) for number in range(1, 10)]
    unsure = _claim(99, "unsure", posterior_entropy=1.0)

    assert _order(*large, unsure)[0] == 1
    assert _order(*large, unsure, n_rulings=30)[0] == 99


def test_the_score_is_the_measured_formula() -> None:
    assert score(0.8, mass=16, n_rulings=0) == pytest.approx(3.2)
    assert score(0.8, mass=16, n_rulings=5) == pytest.approx(0.8 * 16 ** (0.5 * exp(-1)))
    assert score(0.8, mass=0, n_rulings=0) == 0.0


def test_a_pattern_and_its_mirror_count_as_one_mass() -> None:
    pattern, mirror = _claim(1, "p", split="s"), _claim(2, "mirror", split="s")

    scores = {scored.claim_id: scored.score for scored in rank([pattern, mirror, _claim(3, "q")], 0, POSTERIOR)}

    assert scores[1] == scores[2] == pytest.approx(0.9 * 2**0.5)
    assert scores[3] == pytest.approx(0.9)


def test_ties_go_by_panel_entropy_then_rulings_then_degree_then_id() -> None:
    claims = [
        _claim(1, "a", panel_entropy=0.5),
        _claim(2, "b", rulings_on_pattern=1),
        _claim(3, "c"),
        _claim(4, "d", degree=2),
        _claim(5, "e"),
    ]

    assert _order(*claims) == [4, 3, 5, 2, 1]


def test_incomplete_panels_come_last_whatever_their_score() -> None:
    assert _order(_claim(1, "thin", is_full_panel=False, posterior_entropy=1.0), _claim(2, posterior_entropy=0.1)) == [
        2,
        1,
    ]


def test_the_papers_policy_goes_by_panel_entropy_alone() -> None:
    sure = _claim(1, "a", panel_entropy=0.95, posterior_entropy=0.1)
    unsure = _claim(2, "b", panel_entropy=0.90, posterior_entropy=1.0)

    assert _order(sure, unsure, policy=PANEL) == [1, 2]
    assert _order(sure, unsure, policy=POSTERIOR) == [2, 1]


def test_a_random_order_follows_its_generator_and_needs_one() -> None:
    claims = [_claim(number, f"p{number}", degree=number) for number in range(30)]

    orders = [[s.claim_id for s in rank(claims, 0, RANDOM, np.random.default_rng(seed))] for seed in (1, 1, 2)]

    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == list(range(30))
    with pytest.raises(ValueError, match="generator"):
        rank(claims, 0, RANDOM)


def test_a_generator_breaks_only_ties_that_are_left() -> None:
    claims = [_claim(number) for number in range(20)] + [_claim(99, "best", posterior_entropy=1.0, split="split of p")]

    orders = {tuple(s.claim_id for s in rank(claims, 0, POSTERIOR, np.random.default_rng(seed))) for seed in range(5)}

    assert len(orders) == 5
    assert {order[0] for order in orders} == {99}


def test_nothing_is_ranked_when_nothing_is_open() -> None:
    assert rank([], 0, POSTERIOR) == []
    assert rank_patterns([PatternRow("p", "s", 0, 1.0, 1.0, 0, is_full_panel=True)], 0, POSTERIOR) == []


def test_patterns_that_are_level_share_a_rank() -> None:
    rows = [PatternRow(key, key, 3, 0.9, 0.9, 0, is_full_panel=True) for key in "abc"]
    rows.append(PatternRow("d", "d", 3, 0.9, 0.2, 0, is_full_panel=True))

    assert [(scored.key, scored.rank) for scored in rank_patterns(rows, 0, POSTERIOR)] == [
        ("a", 1),
        ("b", 1),
        ("c", 1),
        ("d", 2),
    ]


@pytest.mark.parametrize(
    ("n_picks", "every", "expected"), [(0, 1, True), (9, 10, True), (10, 10, False), (9, 0, False)]
)
def test_every_nth_pick_is_an_audit(n_picks: int, every: int, expected: bool) -> None:
    assert is_audit_turn(n_picks, every) is expected


def test_audits_are_drawn_evenly_and_can_be_repeated() -> None:
    ids = [30, 10, 20]

    picks = [audit_pick(ids, seed) for seed in range(600)]

    drawn = [pick.claim_id for pick in picks]
    assert min(drawn.count(claim) for claim in ids) > 150
    assert picks[7] == audit_pick([10, 20, 30], 7)
    assert picks[0].probability == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="no undecided claim"):
        audit_pick([], 0)
