"""A simulated expert who reveals gold, one ruling at a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evaluation.algorithms.simulation.expert import Course, Expert, ExpertPlan
from evaluation.algorithms.simulation.recorded import RecordedItem, lay_out
from evaluation.schemas import SelectionPolicy, UpdateRule, Vote

LOCAL = ExpertPlan(UpdateRule.LOCAL, SelectionPolicy.PANEL_ENTROPY, decisions=3, audit_every=0, strength=8.0)
REWEIGHT = replace(LOCAL, update=UpdateRule.REWEIGHT, policy=SelectionPolicy.POSTERIOR_ENTROPY)
FLIP = replace(LOCAL, update=UpdateRule.FLIP, decisions=1)


def item(name: str, gold: str, **labels: str) -> RecordedItem:
    return RecordedItem(name, gold, tuple(Vote(*pair) for pair in labels.items()))


def run(
    items: list[RecordedItem], plan: ExpertPlan, neighbours: list[list[int]] | None = None, seed: int = 0
) -> Course:
    return Expert(lay_out(items, 0.4), plan, neighbours or [], seed).run()


def misled(n: int) -> list[RecordedItem]:
    """Items on which one judge of three is right."""
    return [item(str(number), "y", a="x", b="x", c="y") for number in range(n)]


def test_a_course_starts_before_the_first_ruling_and_has_one_point_per_ruling() -> None:
    course = run(misled(5), LOCAL)

    assert course.accuracy.tolist() == pytest.approx([0, 0.2, 0.4, 0.6])
    assert course.undecided.tolist() == [0, 0, 0, 0]


def test_a_local_ruling_teaches_nothing_about_the_judges() -> None:
    expert = Expert(lay_out(misled(5), 0.4), LOCAL, [], 0)

    expert.run()

    assert set(expert.tally.values()) == {(0.0, 0.0)}


def test_a_reweighting_counts_each_judge_once_per_ruling() -> None:
    expert = Expert(lay_out(misled(8), 0.4), REWEIGHT, [], 0)

    course = expert.run()

    assert expert.tally == {"a": (0.0, 3.0), "b": (0.0, 3.0), "c": (3.0, 3.0)}
    assert course.undecided[-1] > course.undecided[0] == 0


def test_no_item_is_ruled_on_twice_and_the_course_stays_when_nothing_is_left() -> None:
    course = run(misled(2), replace(LOCAL, decisions=5))

    assert course.accuracy.tolist() == [0, 0.5, 1, 1, 1, 1]
    assert np.isnan(course.undecided[2:]).all()


def test_a_unanimous_item_is_never_picked_without_audits() -> None:
    agreed = [item("agreed", "y", a="x", b="x", c="x")]

    without = run(agreed, LOCAL)
    audited = run(agreed, replace(LOCAL, audit_every=2))

    assert without.accuracy.tolist() == [0, 0, 0, 0]
    assert audited.accuracy.tolist() == [0, 0, 1, 1]


def test_a_full_panel_is_asked_about_before_a_thin_one() -> None:
    items = [item("thin", "y", a="x", b="y"), item("full", "y", a="x", b="x", c="y")]
    expert = Expert(lay_out(items, 0.4), replace(LOCAL, decisions=1), [], 0)

    expert.run()

    assert expert.is_open.tolist() == [True, False]


def test_a_seed_repeats_itself_and_seeds_differ_in_what_they_pick_first() -> None:
    def first(seed: int) -> list[bool]:
        expert = Expert(lay_out(misled(12), 0.4), replace(LOCAL, decisions=1), [], seed)
        expert.run()
        return expert.is_open.tolist()

    assert first(3) == first(3)
    assert len({tuple(first(seed)) for seed in range(8)}) > 1


def test_a_flip_turns_disputed_neighbours_over_and_leaves_agreed_ones() -> None:
    items = [*misled(2), item("agreed", "y", a="x", b="x", c="x")]
    neighbours = [[1, 2], [0, 2], [0, 1]]
    expert = Expert(lay_out(items, 0.4), FLIP, neighbours, 0)

    course = expert.run()

    assert set(expert.flipped.values()) == {"y"}
    assert 2 not in expert.flipped
    assert course.accuracy.tolist() == pytest.approx([0, 2 / 3])


def test_a_flip_breaks_what_was_right_as_readily_as_it_mends() -> None:
    items = [item("wrong", "y", a="x", b="x", c="y"), item("right", "x", a="x", b="x", c="y")]
    plan = replace(FLIP, decisions=1)
    courses = [run(items, plan, [[1], [0]], seed) for seed in range(8)]

    assert {course.accuracy[0] for course in courses} == {0.5}
    assert 0.5 in {course.accuracy[1] for course in courses}


def test_a_ruling_that_agrees_with_the_panel_flips_nobody() -> None:
    items = [item(str(number), "x", a="x", b="x", c="y") for number in range(3)]
    expert = Expert(lay_out(items, 0.4), FLIP, [[1, 2], [0, 2], [0, 1]], 0)

    course = expert.run()

    assert set(expert.flipped.values()) <= {"x"}
    assert course.accuracy.tolist() == [1, 1]
