"""Recorded votes laid out by pattern, and judges against gold."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.algorithms.simulation.recorded import RecordedItem, RecordedPanel, judges, lay_out
from evaluation.schemas import Vote

TAU = 0.4


def item(name: str, gold: str, *failed: str, **labels: str) -> RecordedItem:
    return RecordedItem(name, gold, tuple(Vote(*pair) for pair in labels.items()), failed)


def credit(panel: RecordedPanel) -> list[float]:
    outcomes = panel.table.outcomes(dict.fromkeys(panel.table.voters, 1.0), panel.n_labels)
    return [float(share) for share in panel.credit(outcomes)]


def test_items_with_the_same_votes_share_a_pattern_in_any_order_of_votes() -> None:
    panel = lay_out([item("1", "x", a="x", b="y"), item("2", "y", b="y", a="x"), item("3", "x", a="x", b="x")], TAU)

    assert len(panel) == 3
    assert panel.pattern_of.tolist() == [0, 0, 1]
    assert panel.gold_labels == ("x", "y", "x")


def test_only_a_disputed_pattern_is_a_candidate_and_only_with_two_votes() -> None:
    panel = lay_out([item("1", "x", a="x", b="y"), item("2", "x", a="x", b="x"), item("3", "x", a="x")], TAU)

    assert panel.is_candidate.tolist() == [True, False, False]
    assert panel.panel_entropy == pytest.approx((1.0, 0.0, 0.0))
    assert panel.is_full == (True, True, False)


def test_a_higher_threshold_leaves_fewer_candidates() -> None:
    items = [item("1", "x", a="x", b="x", c="x", d="y"), item("2", "x", a="x", b="x", c="y", d="y")]

    assert lay_out(items, 0.4).is_candidate.tolist() == [True, True]
    assert lay_out(items, 0.9).is_candidate.tolist() == [False, True]


def test_right_wrong_level_and_unjudged_items_are_credited_in_shares() -> None:
    panel = lay_out(
        [
            item("right", "x", a="x", b="x"),
            item("wrong", "y", a="x", b="x"),
            item("level", "x", a="x", b="y"),
            item("unjudged", "x", "a", "b"),
        ],
        TAU,
    )

    assert credit(panel) == [1.0, 0.0, 0.5, 0.5]


def test_a_gold_that_nobody_ever_cast_is_never_right() -> None:
    panel = lay_out([item("1", "z", a="x", b="y"), item("2", "x", a="x", b="x")], TAU)

    assert panel.n_labels == 3
    assert credit(panel) == [0.0, 1.0]


def test_one_label_in_all_is_still_a_question_of_two() -> None:
    panel = lay_out([item("1", "x", a="x"), item("2", "x", "a")], TAU)

    assert panel.n_labels == 2
    assert credit(panel) == [1.0, 0.5]


def test_nothing_to_lay_out_is_refused() -> None:
    with pytest.raises(ValueError, match="no item with gold"):
        lay_out([], TAU)


def test_judges_are_compared_most_accurate_first_and_then_by_name() -> None:
    items = [item("1", "x", c="x", b="x", a="y"), item("2", "y", c="y", b="y", a="x")]

    found = judges(items, {}, 2)

    assert [(judge.name, judge.accuracy) for judge in found] == [("b", 1.0), ("c", 1.0), ("a", 0.0)]
    assert [judge.kappa for judge in found] == pytest.approx([1.0, 1.0, -1.0])


def test_voters_of_one_judge_are_pooled() -> None:
    items = [item("1", "x", given="x", swapped="y")]

    (judge,) = judges(items, {"given": "J", "swapped": "J"}, 2)

    assert (judge.name, judge.accuracy) == ("J", 0.5)


@pytest.mark.parametrize(("n_labels", "accuracy"), [(2, 0.75), (4, 0.625)])
def test_a_failed_answer_counts_as_a_guess(n_labels: int, accuracy: float) -> None:
    (judge,) = judges([item("1", "x", a="x"), item("2", "x", "a")], {}, n_labels)

    assert judge.accuracy == accuracy


def test_a_judge_that_only_failed_has_no_kappa() -> None:
    (judge,) = judges([item("1", "x", "a")], {}, 2)

    assert (judge.accuracy, judge.kappa) == (0.5, None)


def test_kappa_is_undefined_where_nothing_varies() -> None:
    (judge,) = judges([item("1", "x", a="x"), item("2", "x", a="x")], {}, 2)

    assert judge.kappa is None


def test_credit_of_all_items_is_the_majority_figure() -> None:
    rng = np.random.default_rng(3)
    items = [
        item(str(n), *rng.choice(["x", "y"], 1), **dict(zip("abc", rng.choice(["x", "y"], 3), strict=True)))
        for n in range(40)
    ]

    panel = lay_out(items, TAU)

    wins = [sum(vote.label == each.gold for vote in each.votes) > 1 for each in items]
    assert credit(panel) == [float(win) for win in wins]
