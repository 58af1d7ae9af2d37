"""The demo keeps its word with the real judges: ruling by gold never loses a claim and ends above the start."""

from __future__ import annotations

import pytest

from evaluation.demo import larkhaven
from evaluation.schemas import Label
from tests.evaluation.demo.conftest import JudgeDemo
from tests.evaluation.demo.rulings import Answers, JudgedDemo

SEEDS = range(20)
A, R, U = Label.ACCEPT, Label.REJECT, Label.UNCERTAIN


def assert_never_loses(demo: JudgedDemo, course: list[Answers]) -> None:
    for count in (demo.n_right, demo.n_right_with_splits):
        right = [count(answers) for answers in course]
        losses = [
            f"ruling {turn} on “{demo.claims[course[turn].ruled or 0].text}”: {right[turn - 1]} to {right[turn]} right"
            for turn in range(1, len(right))
            if right[turn] < right[turn - 1]
        ]
        assert losses == []
        assert right[-1] > right[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_ruling_by_gold_in_rank_order_never_loses_a_claim(demo: JudgedDemo, seed: int) -> None:
    course = demo.course(seed)

    assert len(course) == len(demo.disputed) + 1
    assert_never_loses(demo, course)


@pytest.mark.parametrize("seed", SEEDS)
def test_it_never_loses_a_claim_where_the_tour_opens_the_first_one(demo: JudgedDemo, seed: int) -> None:
    course = demo.course(seed, first=demo.index(larkhaven.FIRST_CLAIM))

    assert_never_loses(demo, course)


def test_the_seeds_lead_to_different_courses(demo: JudgedDemo) -> None:
    orders = {tuple(answers.ruled for answers in demo.course(seed)) for seed in SEEDS}

    assert len(orders) > 10


def test_the_first_claim_splits_the_panel_and_leans_the_wrong_way(demo: JudgedDemo) -> None:
    first = demo.index(larkhaven.FIRST_CLAIM)

    votes = demo.votes(first)

    assert votes == {"words": A, "meaning": U, "negation": R, "names": A}
    assert demo.course(seed=0, first=first)[0].labels[first] == A
    assert demo.gold[first] == R


def test_the_first_ruling_moves_three_to_eight_answers_most_of_them_to_the_right(demo: JudgedDemo) -> None:
    before, after = demo.course(seed=0, first=demo.index(larkhaven.FIRST_CLAIM))[:2]

    moved = after.moved_from(before)

    right = [claim for claim in moved if after.labels[claim] == demo.gold[claim]]
    assert 3 <= len(moved) <= 8
    assert len(right) > len(moved) / 2


def test_at_least_nineteen_claims_are_disputed_and_not_all(demo: JudgedDemo) -> None:
    assert 19 <= len(demo.disputed) <= 45


def test_the_planted_unanimous_errors_are_unanimous(demo: JudgedDemo) -> None:
    planted = [
        set(demo.votes(place).values())
        for place, claim in enumerate(demo.claims)
        if claim.metadata["planted"] == "all judges agree and are wrong"
    ]

    assert planted == [{A}, {A}]


@pytest.mark.parametrize(("judge", "kind"), [("numbers", "wrong number"), ("negation", "negation")])
def test_a_specialist_catches_its_kind(demo: JudgedDemo, judge: str, kind: str) -> None:
    votes = [demo.votes(place)[judge] for place, claim in enumerate(demo.claims) if claim.metadata["planted"] == kind]

    assert votes == [R, R, R]


def test_silence_as_not_supported_fits_the_gold_better(demo: JudgedDemo, judge_demo: JudgeDemo) -> None:
    other = judge_demo("unsettled")

    assert larkhaven.SILENCE_MEANS == "not_supported"
    assert demo.n_right(demo.course(seed=0)[0]) > other.n_right(other.course(seed=0)[0])
