"""Pairs that a judge answered in both orders."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from evaluation.models import Judge, Project
from evaluation.selectors.orders import OrderConsistency, consistency, may_have_pairs
from tests import factories

pytestmark = pytest.mark.django_db


def answer(project: Project, judge: Judge, given: tuple[str, ...], swapped: tuple[str, ...]) -> None:
    pair = factories.make_pair(project)
    factories.vote_repeatedly(pair, {judge: given})
    factories.vote_repeatedly(pair, {judge: swapped}, order="swapped")


def test_it_counts_the_same_answers_and_which_place_won_the_others(project: Project) -> None:
    (judge,) = factories.make_judges(project, 1)
    for given, swapped in (
        ("first", "first"),
        ("tie", "tie"),
        ("first", "second"),  # both times the answer shown first
        ("first", "second"),
        ("second", "first"),  # both times the one shown last
        ("first", "tie"),
    ):
        answer(project, judge, (given,), (swapped,))

    (found,) = consistency(project)

    assert found == OrderConsistency(judge, n_both=6, n_same=2, n_first_shown=2, n_last_shown=1)
    assert (found.percent, found.n_differing) == (33, 4)


def test_what_was_answered_in_one_order_says_nothing(project: Project) -> None:
    one, both = factories.make_judges(project, 2)
    answer(project, both, ("first",), ("first",))
    answer(project, one, ("first",), ("",))
    factories.vote(factories.make_claim(project), {one: "accept"})
    void = factories.make_pair(project)
    factories.vote_repeatedly(void, {both: ("first",)})
    factories.vote_repeatedly(void, {both: ("second",)}, order="swapped")
    void.is_void = True
    void.save()

    assert [(row.judge, row.n_both) for row in consistency(project)] == [(both, 1)]


def test_samples_of_an_order_count_with_the_most_frequent_answer(project: Project) -> None:
    (judge,) = factories.make_judges(project, 1)
    answer(project, judge, ("first", "first", "second"), ("first",) * 3)
    answer(project, judge, ("first", "second"), ("first",) * 2)

    assert [(row.n_both, row.n_same) for row in consistency(project)] == [(1, 1)]


def test_a_project_of_statements_has_none(project: Project, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    factories.make_disputed(project, factories.make_judges(project))

    with django_assert_num_queries(1):
        assert consistency(project) == ()


@pytest.mark.parametrize("n", [1, 5])
def test_the_number_of_queries_does_not_grow(
    project: Project, n: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for judge in factories.make_judges(project, n):
        for _ in range(n):
            answer(project, judge, ("first",), ("second",))

    with django_assert_num_queries(2):
        assert len(consistency(project)) == n


def test_a_project_may_have_pairs_until_it_holds_statements_alone(project: Project) -> None:
    empty = may_have_pairs(project)
    factories.make_claim(project)
    with_statements = may_have_pairs(project)
    factories.make_pair(project)

    assert (empty, with_statements, may_have_pairs(project)) == (True, False, True)
