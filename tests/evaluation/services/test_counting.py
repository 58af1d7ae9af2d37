"""What a run would ask, counted in the database."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from evaluation.models import Judge, Project
from evaluation.services import counting
from evaluation.services.counting import Counted, Wish
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def panel(project: Project) -> list[Judge]:
    offline = factories.make_judges(project, 1, provider="offline")
    return [*offline, factories.make_asked_judge(project, "http://127.0.0.1:9/v1")]


def totals(counted: Counted, judge: Judge) -> tuple[int, int]:
    """Calls and votes of a judge."""
    own = [asked for asked in counted.asked if asked.judge == judge]
    return sum(asked.n_calls for asked in own), sum(asked.n_votes for asked in own)


def test_twenty_statements_make_a_call_and_each_pair_one_for_each_order(project: Project, panel: list[Judge]) -> None:
    offline, remote = panel
    response = factories.make_response(factories.make_instance(project), "A text.")
    for _ in range(21):
        factories.make_claim(project, response=response)
    factories.make_pair(project)

    counted = counting.count(project, panel, Wish("shared", samples=2))

    assert totals(counted, offline) == (2 + 2, 21 + 2)
    assert totals(counted, remote) == (2 * (2 + 2), 2 * (21 + 2))
    assert counted.n_claims == 22


def test_votes_in_an_order_that_is_asked_for_no_longer_count_for_nothing(project: Project, panel: list[Judge]) -> None:
    pair = factories.make_pair(project)
    factories.vote_repeatedly(pair, dict.fromkeys(panel, ("first",)), order="swapped")
    project.parameters = {"both_orders": False}

    counted = counting.count(project, panel, Wish("shared"))

    assert [totals(counted, judge) for judge in panel] == [(1, 1), (1, 1)]
    assert counted.n_claims == 1


def test_a_sample_too_many_leaves_nothing_to_ask(project: Project, panel: list[Judge]) -> None:
    offline, remote = panel
    claim = factories.make_claim(project)
    factories.vote_repeatedly(claim, {offline: ("accept", "accept"), remote: ("accept", "reject", "accept")})

    counted = counting.count(project, panel, Wish("shared", samples=2))

    assert (counted.asked, counted.n_claims) == ((), 0)


def test_what_failed_of_a_judge_that_rests_is_not_counted(project: Project, panel: list[Judge]) -> None:
    _, remote = panel
    claim = factories.make_claim(project)
    factories.vote_repeatedly(claim, dict.fromkeys(panel, ("",)))

    counted = counting.count(project, [remote], Wish("shared", only_failed=True))

    assert (totals(counted, remote), len(counted.asked), counted.n_claims) == ((1, 1), 1, 1)


@pytest.mark.parametrize("only_failed", [False, True])
@pytest.mark.parametrize("n", [1, 8])
def test_the_number_of_queries_does_not_grow(
    project: Project,
    panel: list[Judge],
    n: int,
    only_failed: bool,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(n):
        factories.vote_repeatedly(factories.make_claim(project), {panel[1]: ("",)})
        factories.make_response(factories.make_instance(project), "Not cut.")

    with django_assert_max_num_queries(5):
        counting.count(project, panel, Wish("shared", only_failed=only_failed))
