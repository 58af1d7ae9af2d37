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


def test_a_pair_is_asked_in_one_order_where_the_project_says_so(project: Project, asked: list[Judge]) -> None:
    factories.make_pair(project)
    project.parameters = {"both_orders": False}

    assert [step.order for step in planning.plan(project, asked, "shared")] == ["as_given", "as_given"]


def test_samples_are_steps_of_their_own_and_offline_judges_have_one(project: Project, asked: list[Judge]) -> None:
    judges.add_offline_panel(project=project)
    claim = factories.make_claim(project)
    factories.vote(claim, {asked[0]: "accept"})

    steps = list(planning.plan(project, judges.askable(project), "shared", samples=3))

    of_remote = [(step.judge, step.sample) for step in steps if not step.judge.is_offline]
    assert of_remote == [(asked[0], 1), (asked[0], 2), (asked[1], 0), (asked[1], 1), (asked[1], 2)]
    assert [step.sample for step in steps if step.judge.is_offline] == [0] * 5
    assert {step.key.rpartition("/")[2] for step in steps if step.sample} == {"s2", "s3"}


def test_only_what_failed_asks_again_who_could_not_cut_or_vote(project: Project, asked: list[Judge]) -> None:
    response, fresh = (factories.make_response(factories.make_instance(project), "One.") for _ in range(2))
    run = factories.make_run(project, kind="panel")
    for judge, state in zip(asked, ("failed", "cancelled"), strict=True):
        Job.objects.create(run=run, task="decompose", key=str(judge.pk), judge=judge, response=response, state=state)

    steps = list(planning.plan(project, asked, "independent", only_failed=True))
    everything = list(planning.plan(project, asked, "independent"))

    assert [(step.task, step.judge, step.response) for step in steps] == [("decompose", asked[0], response)]
    assert {step.response for step in everything} == {response, fresh}


def test_a_failed_vote_of_another_kind_of_run_is_not_run_again(project: Project, asked: list[Judge]) -> None:
    claim, run = factories.make_claim(project), factories.make_run(project, kind="trial")
    job = Job.objects.create(run=run, task="trial", key="k", judge=asked[0], state="failed")
    job.claims.add(claim)

    assert list(planning.plan(project, asked, "shared", only_failed=True)) == []


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
