"""What is said before a run starts, and what stands in its way under a cap."""

from __future__ import annotations

import pytest

from evaluation.models import Project
from evaluation.services import expecting, receivers
from evaluation.services.counting import Wish
from tests.factories import make_asked_judge, make_claim, make_judges, make_project

pytestmark = pytest.mark.django_db

EVERYTHING = Wish("")


@pytest.fixture
def project() -> Project:
    project = make_project()
    make_claim(project, "The alarm sounds after 5 minutes.")
    return project


def test_it_says_calls_and_cost_together(project: Project) -> None:
    make_asked_judge(project, "", model="gpt-4.1-mini")

    expected = expecting.expect(project=project, wish=EVERYTHING)

    facts = expected.facts()
    assert (facts["n_calls_low"], facts["n_calls_high"]) == (1, 2)
    assert 0 < expected.costs.low_micros < expected.costs.high_micros
    assert (facts["low_micros"], facts["high_micros"]) == (expected.costs.low_micros, expected.costs.high_micros)
    assert facts["unpriced"] == []
    assert expected.can_batch


def test_an_unknown_price_stands_in_the_way_only_under_a_cap(project: Project) -> None:
    strange = make_asked_judge(project, "http://gpu.example/v1")

    free = expecting.expect(project=project, wish=EVERYTHING)
    capped = expecting.expect(project=project, wish=EVERYTHING, cap_micros=5)
    project.cap_micros = 0
    of_project = expecting.expect(project=project, wish=EVERYTHING)

    assert not any("price" in blocker for blocker in free.blockers)
    assert [blocker for blocker in capped.blockers if f"No price is known for {strange.name}" in blocker]
    assert of_project.blockers == capped.blockers
    assert free.facts()["unpriced"] == [strange.name]


def test_a_panel_that_asks_nobody_costs_nothing_under_any_cap(project: Project) -> None:
    make_judges(project, 2, provider="offline")

    expected = expecting.expect(project=project, wish=EVERYTHING, cap_micros=0)

    assert expected.blockers == ()
    assert not expected.costs.asks_money
    assert not expected.can_batch


def test_receivers_are_named_whether_or_not_a_price_is_known(project: Project) -> None:
    judge = make_asked_judge(project, "http://gpu.example/v1")

    expected = expecting.expect(project=project, wish=EVERYTHING)

    assert receivers.receiver_of(judge) in expected.takes.recipients[0]


def test_a_cap_below_one_call_names_the_judges_it_keeps_from_being_asked(project: Project) -> None:
    judge = make_asked_judge(project, "", model="gpt-4.1-mini")
    make_judges(project, 1, provider="offline")
    (call,) = [
        each.call_micros or 0
        for each in expecting.expect(project=project, wish=EVERYTHING).costs.judges
        if each.judge == judge
    ]

    found = [
        expecting.cap_problems(project=project, wish=EVERYTHING, in_batches=False, cap_micros=cap)
        for cap in (None, call, call - 1)
    ]

    assert found[:2] == [[], []]
    assert [problem.partition(" may")[0] for problem in found[2]] == [f"One call of {judge.name}"]
