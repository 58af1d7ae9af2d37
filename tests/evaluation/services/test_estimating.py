"""What a run takes, counted by the database as the plan would count it."""

from __future__ import annotations

import random

import pytest
from pytest_django import DjangoAssertNumQueries

from evaluation.models import Judge, Project
from evaluation.services import estimating, judges, planning
from evaluation.services.counting import Wish
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(project: Project) -> list[Judge]:
    return [factories.make_asked_judge(project, "http://127.0.0.1:9/v1") for _ in range(2)]


def test_it_says_what_a_run_takes(project: Project, asked: list[Judge]) -> None:
    response = factories.make_response(factories.make_instance(project, sources=["x" * 4_000]), "One. Two.")

    independent = estimating.estimate(project=project, decompose="independent")
    shared = estimating.estimate(project=project, decompose="shared")

    assert (independent.n_responses, independent.n_judges, independent.n_calls_low) == (1, 2, 2)
    assert independent.n_calls_high == 2 * (2 + 2)
    assert independent.input_tokens == 2 * estimating.PROMPT_TOKENS + 2 * (4_000 + len(response.text)) // 4
    assert independent.remote_providers == ("openai_chat",)
    assert independent.recipients == tuple(f"{judge.name} (m) at 127.0.0.1:9" for judge in asked)
    assert (shared.n_calls_low, independent.blockers) == (1, ())


def test_offline_judges_are_sent_nothing(project: Project) -> None:
    judges.add_offline_panel(project=project)
    factories.make_response(factories.make_instance(project, sources=["x" * 4_000]), "One. Two.")

    found = estimating.estimate(project=project)

    assert (found.n_judges, found.input_tokens, found.recipients) == (5, 0, ())


def test_it_says_who_is_asked_again_in_vain(project: Project, asked: list[Judge]) -> None:
    judges.add_offline_panel(project=project)
    factories.make_claim(project)
    asked[0].parameters = {"temperature": 0}
    asked[0].save()

    once, thrice = (estimating.estimate(project=project, samples=samples) for samples in (1, 3))

    assert (once.n_calls_low, once.n_samples, once.notes) == (7, 1, ())
    assert (thrice.n_calls_low, thrice.n_samples) == (5 + 2 * 3, 3)
    offline, cold = thrice.notes
    assert offline == "Offline judges say the same every time: they are asked once."
    assert cold.startswith(f"{asked[0].name} would be asked 3 times at temperature 0")


def test_the_project_says_how_often_judges_vote(project: Project, asked: list[Judge]) -> None:
    response = factories.make_response(factories.make_instance(project), "One. Two.")
    project.parameters = {"samples": 2}
    project.save()

    found = estimating.estimate(project=project)

    assert (found.n_samples, found.n_responses, found.n_calls_low) == (2, 1, 2)
    assert found.n_calls_high == 2 * (2 + 2 * 2)  # the gaps of each judge, twice
    assert response.claims.count() == 0


def test_running_again_what_failed_concerns_only_its_judges(project: Project, asked: list[Judge]) -> None:
    claim = factories.make_claim(project)
    factories.vote(claim, {asked[0]: "accept", asked[1]: "accept"})
    nothing = estimating.estimate(project=project, only_failed=True)
    claim.verdicts.filter(judge=asked[1]).update(state="failed", label="")

    found, shares = estimating.with_askings(project=project, wish=Wish("", only_failed=True))

    assert nothing.blockers == ("No vote failed: there is nothing to run again.",)
    assert (found.n_claims, found.n_calls_low, found.blockers) == (1, 1, ())
    assert found.recipients == (judges.recipient(asked[1]),)
    assert [(share.judge, share.n_calls, share.n_votes) for share in shares] == [(asked[0], 0, 0), (asked[1], 1, 1)]
    assert shares[1].input_tokens == found.input_tokens > estimating.PROMPT_TOKENS


def mix(project: Project, asked: list[Judge], seed: int) -> None:
    """Responses with votes missing here and there, pairs, void claims, and responses that nobody has cut."""
    chance = random.Random(seed)
    for _ in range(6):
        response = factories.make_response(factories.make_instance(project, sources=["A source of some length."]))
        for _ in range(chance.choice([1, 3, 25])):
            claim = factories.make_claim(project, response=response)
            factories.vote(claim, {judge: "accept" for judge in asked if chance.random() < 0.5})
            if chance.random() < 0.2:
                project.claims.filter(pk=claim.pk).update(is_void=True)
    pair = factories.make_pair(project)
    factories.vote(pair, {asked[0]: "first"})
    factories.make_response(factories.make_instance(project), "Not cut yet.")
    factories.make_response(factories.make_instance(project), "   ")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("decompose", ["independent", "shared"])
def test_it_counts_what_the_plan_plans(
    project: Project, asked: list[Judge], seed: int, again: bool, decompose: str
) -> None:
    mix(project, asked, seed)
    steps = list(planning.plan(project, asked, decompose, again=again))

    found = estimating.estimate(project=project, decompose=decompose, again=again)

    assert found.n_calls_low == len(steps)
    assert found.n_responses == len({step.response.pk for step in steps})
    assert found.n_claims == len({claim.pk for step in steps for claim in step.claims})


@pytest.mark.parametrize("n", [2, 20])
def test_the_number_of_queries_does_not_grow(
    project: Project, asked: list[Judge], n: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(n):
        factories.make_claim(project)

    with django_assert_max_num_queries(18):
        estimating.estimate(project=project)


def test_a_judge_of_the_maker_of_a_system_is_pointed_out_and_stops_nothing(
    project: Project, asked: list[Judge]
) -> None:
    Judge.objects.filter(pk=asked[0].pk).update(model="gpt-5.4-mini")
    response = factories.make_response(factories.make_instance(project), system="gpt-4o")
    factories.make_claim(project, response=response)

    found = estimating.estimate(project=project)

    assert any(f"“{asked[0].name}” is of the same maker (OpenAI) as system gpt-4o" in note for note in found.notes)
    assert found.blockers == ()
