"""Opening a run: what it takes, what stands in its way, and what is still to be asked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from evaluation.errors import ConflictError, InvalidInputError
from evaluation.models import Job, Judge, Project, Purse, Run
from evaluation.services import estimating, judges, panel, planning, purses
from evaluation.services.purses import Emptied
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(project: Project) -> list[Judge]:
    return [factories.make_asked_judge(project, "http://127.0.0.1:9/v1") for _ in range(2)]


def test_twenty_claims_go_into_a_call_and_a_pair_in_two_orders(project: Project, asked: list[Judge]) -> None:
    response = factories.make_response(factories.make_instance(project))
    for _ in range(45):
        factories.make_claim(project, response=response)
    factories.make_pair(project)

    run = panel.open_run(project=project, by=None)

    sizes = [job.claims.count() for job in run.jobs.filter(judge=asked[0], claims__kind="statement").distinct()]
    assert sizes == [20, 20, 5]
    assert list(run.jobs.filter(judge=asked[0], claims__kind="preference").values_list("order", flat=True)) == [
        "as_given",
        "swapped",
    ]


def test_it_names_what_stands_in_the_way(project: Project) -> None:
    empty = estimating.estimate(project=project).blockers
    new = judges.NewJudge(name="Far", provider="openai_chat", model="m", key_name="FAR_API_KEY", may_see_text=True)
    judges.add(project=project, new=new)
    project.allowed_providers = []
    project.save()
    far = estimating.estimate(project=project).blockers

    assert [sentence[:19] for sentence in empty] == ["No judge can be ask", "There is nothing to"]
    assert "set FAR_API_KEY in the environment" in far[1]
    assert "may not see this project's text" in far[2]
    with pytest.raises(ConflictError, match="nothing to judge yet"):
        panel.open_run(project=project, by=None)
    assert not Run.objects.exists()


def test_it_says_so_when_everything_was_judged(project: Project, asked: list[Judge]) -> None:
    factories.vote(factories.make_claim(project), dict.fromkeys(asked, "accept"))

    with pytest.raises(ConflictError, match="voted on everything"):
        panel.open_run(project=project, by=None)

    assert panel.open_run(project=project, by=None, options=panel.RunOptions(again=True)).jobs.count() == 2


def test_a_run_nobody_works_on_stops_at_once(project: Project, asked: list[Judge]) -> None:
    factories.make_claim(project)
    run = panel.open_run(project=project, by=None)

    stopped = panel.stop(run=run)

    assert stopped.state == Run.State.STOPPED
    assert stopped.ended_at is not None
    assert "Stopped by hand" in stopped.message
    assert set(run.jobs.values_list("state", flat=True)) == {Job.State.CANCELLED}


def test_a_step_is_made_once_and_a_run_closed_once(project: Project, asked: list[Judge]) -> None:
    claim = factories.make_claim(project)
    run = panel.open_run(project=project, by=None)
    steps = list(planning.voting_steps(claim.response, [claim], asked[0]))

    made = panel.add_jobs(run, steps)

    assert made == []
    assert [panel.close(run, Run.State.DONE), panel.close(run, Run.State.FAILED)] == [True, False]
    assert Run.objects.get(pk=run.pk).state == Run.State.DONE


def test_the_jobs_of_a_run_are_made_in_few_queries(
    project: Project, asked: list[Judge], django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    claims = [factories.make_claim(project) for _ in range(40)]

    with django_assert_max_num_queries(30):
        run = panel.open_run(project=project, by=None)

    linked = Job.claims.through.objects.filter(job__run=run).values_list("claim_id", flat=True)
    assert run.jobs.count() == len(claims) * len(asked)
    assert sorted(linked) == sorted(claim.pk for claim in claims for _ in asked)


def test_a_paused_run_goes_on_with_a_new_cap(project: Project, asked: list[Judge]) -> None:
    factories.make_claim(project)
    run = panel.open_run(project=project, by=None)

    paused = (panel.pause(run=run).state, run.paused_by, run.message)
    resumed = panel.resume(run=run, cap_micros=2_000_000)

    assert paused == ("paused", "hand", panel.PAUSED)
    assert (resumed.state, resumed.paused_by, resumed.message) == ("queued", "", "")
    assert run.purse.cap_micros == 2_000_000
    assert panel.open_run(project=project, by=None) == run


def test_a_cap_below_what_is_spent_is_refused(project: Project, asked: list[Judge]) -> None:
    factories.make_claim(project)
    run = panel.open_run(project=project, by=None)
    Purse.objects.filter(run=run).update(spent_micros=1_500_000)
    panel.pause(run=run)

    with pytest.raises(InvalidInputError, match=r"has spent \$1\.50"):
        panel.resume(run=run, cap_micros=1_000_000)
    with pytest.raises(InvalidInputError, match="below zero"):
        panel.open_run(project=factories.make_project(), by=None, options=panel.RunOptions(cap_micros=-1))

    assert Run.objects.get(pk=run.pk).state == Run.State.PAUSED


def test_a_paused_run_can_be_stopped_and_an_ended_one_not_paused(project: Project, asked: list[Judge]) -> None:
    factories.make_claim(project)
    run = panel.open_run(project=project, by=None)
    panel.pause(run=run)

    stopped = panel.stop(run=run)

    assert (stopped.state, stopped.paused_by) == (Run.State.STOPPED, "")
    assert panel.pause(run=run).state == Run.State.STOPPED
    assert panel.resume(run=run).state == Run.State.STOPPED


@pytest.mark.parametrize(
    ("key", "paused_by", "words"),
    [
        ("run/1", "run_cap", "The cap of this run is reached: $1.50 of $2 is spent"),
        (purses.PROJECT, "project_cap", "The cap of the project is reached"),
        ("second_looks/2026-W49", "allowance", "This week's allowance for second looks is used up"),
    ],
)
def test_a_run_that_money_stops_says_which_and_how_to_go_on(
    project: Project, asked: list[Judge], key: str, paused_by: str, words: str
) -> None:
    factories.make_claim(project)
    run = panel.open_run(project=project, by=None)
    purse = Purse(
        project=project,
        run=run if key == "run/1" else None,
        key=key,
        cap_micros=2_000_000,
        spent_micros=1_500_000,
    )

    paused = panel.pause_for_money(run=run, emptied=Emptied(purse, 600_000))

    assert paused.paused_by == paused_by
    assert paused.message.startswith(words)
    assert "up to $0.60" in paused.message
    assert "go on" in paused.message


def test_what_is_uncertain_of_what_is_spent_is_told_apart(project: Project, asked: list[Judge]) -> None:
    factories.make_claim(project)
    run = panel.open_run(project=project, by=None)
    factories.make_call(run, asked[0], cost_micros=79_000, is_cost_certain=False)
    purse = Purse(project=project, run=run, key=f"run/{run.pk}", cap_micros=120_000, spent_micros=97_000)

    paused = panel.pause_for_money(run=run, emptied=Emptied(purse, 79_100))

    assert "$0.097 of $0.12 is spent ($0.079 of it uncertain), and the next call may cost up to $0.080" in (
        paused.message
    )
