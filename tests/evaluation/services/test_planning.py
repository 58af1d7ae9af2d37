"""What is still to be asked: by whom, about which claims, in how many queries."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from evaluation.models import Job, Judge, Project
from evaluation.services import judges, planning
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(project: Project) -> list[Judge]:
    return [factories.make_asked_judge(project, "http://127.0.0.1:9/v1") for _ in range(2)]


def test_only_votes_that_are_missing_or_failed_are_asked_for(project: Project, asked: list[Judge]) -> None:
    claims = [factories.make_claim(project) for _ in range(3)]
    for claim in claims:
        factories.vote(claim, {asked[1]: "accept"})
    factories.vote(claims[0], {asked[0]: "accept"})
    factories.vote(claims[1], {asked[0]: ""})
    claims[2].verdicts.update(state="failed", label="")

    steps = list(planning.plan(project, asked, "shared"))
    again = list(planning.plan(project, asked, "shared", again=True))

    assert [(step.judge, step.claims) for step in steps] == [(asked[0], (claims[2],)), (asked[1], (claims[2],))]
    assert len(again) == 6


def test_void_claims_and_recorded_judges_are_not_asked(project: Project, asked: list[Judge]) -> None:
    factories.make_judges(project, 1)
    void = factories.make_claim(project)
    void.is_void = True
    void.save()
    kept = factories.make_claim(project, response=void.response)

    steps = list(planning.plan(project, judges.askable(project), "shared"))

    assert [(step.judge, step.claims) for step in steps] == [(judge, (kept,)) for judge in asked]


def test_a_response_without_claims_is_cut_by_each_judge_or_by_one(project: Project, asked: list[Judge]) -> None:
    factories.make_response(factories.make_instance(project), "One. Two.")
    factories.make_response(factories.make_instance(project), "  ")

    independent = list(planning.plan(project, asked, "independent"))
    shared = list(planning.plan(project, asked, "shared"))

    assert [(step.task, step.judge) for step in independent] == [(Job.Task.DECOMPOSE, judge) for judge in asked]
    assert [step.judge for step in shared] == asked[:1]


def test_a_pair_is_voted_on_in_both_orders_and_never_cut(project: Project, asked: list[Judge]) -> None:
    pair = factories.make_pair(project)

    steps = list(planning.plan(project, asked[:1], "independent"))

    assert [(step.task, step.order, step.claims) for step in steps] == [
        (Job.Task.JUDGE, "as_given", (pair,)),
        (Job.Task.JUDGE, "swapped", (pair,)),
    ]


@pytest.mark.parametrize("n", [2, 12])
def test_the_number_of_queries_does_not_grow(
    project: Project, asked: list[Judge], n: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(n):
        factories.make_claim(project)
        factories.make_response(factories.make_instance(project, sources=["A source."]), "One.")

    with django_assert_num_queries(4):
        steps = list(planning.plan(project, asked, "independent"))
        sum(len(document.text) for step in steps for document in step.response.instance.documents.all())

    assert len(steps) == 4 * n
