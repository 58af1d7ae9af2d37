"""Opening a run: what it takes, what stands in its way, and what is still to be asked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from evaluation.errors import ConflictError
from evaluation.models import Job, Judge, Project, Run
from evaluation.services import estimating, judges, panel, planning
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
    new = judges.NewJudge(name="Far", provider="openai_chat", model="m", key_name="FAR_API_KEY")
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

    assert panel.open_run(project=project, by=None, again=True).jobs.count() == 2


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
