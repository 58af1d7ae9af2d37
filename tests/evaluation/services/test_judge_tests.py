"""Tests of a judge: which claim, what stands in the way, and one at a time."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.errors import ConflictError, InvalidInputError, MissingPieceError, NotAllowedError
from evaluation.models import Job, Judge, Project, Run
from evaluation.services import judge_tests, judges
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(project: Project) -> Judge:
    return factories.make_asked_judge(project, "http://127.0.0.1:9/v1")


def test_the_claim_ruled_on_last_is_the_sample_else_the_first(project: Project, owner: User) -> None:
    panel = factories.make_judges(project, 2)
    nothing = judge_tests.sample(project)
    first, second, third = factories.make_disputed(project, panel, 3)
    unruled = judge_tests.sample(project)
    factories.rule(third, owner)
    factories.rule(second, owner)

    assert (nothing, unruled) == (None, first)
    assert judge_tests.sample(project) == second


def test_a_void_claim_is_no_sample(project: Project) -> None:
    first, second = factories.make_claim(project), factories.make_claim(project)
    first.is_void = True
    first.save()

    assert judge_tests.sample(project) == second


def test_a_test_is_one_job_about_the_claim(project: Project, judge: Judge, owner: User) -> None:
    claim = factories.make_claim(project)

    run = judge_tests.request(judge=judge, claim=claim, by=owner)

    job = run.jobs.get()
    assert (run.kind, run.state, run.started_by) == (Run.Kind.TEST, Run.State.QUEUED, owner)
    assert (job.task, job.judge, job.response) == (Job.Task.TEST, judge, claim.response)
    assert list(job.claims.all()) == [claim]


def test_a_second_click_finds_the_test_that_is_under_way(project: Project, judge: Judge, owner: User) -> None:
    claim = factories.make_claim(project)
    first = judge_tests.request(judge=judge, claim=claim, by=owner)

    assert judge_tests.request(judge=judge, claim=claim, by=owner) == first
    Run.objects.update(state=Run.State.DONE)
    assert judge_tests.request(judge=judge, claim=claim, by=owner) != first


def test_without_a_claim_the_test_is_about_a_sample_and_still_one_at_a_time(
    project: Project, judge: Judge, owner: User
) -> None:
    run = judge_tests.request(judge=judge, claim=None, by=owner)

    job = run.jobs.get()
    assert (job.response, job.options, list(job.claims.all())) == (None, {"sample": True}, [])
    assert judge_tests.request(judge=judge, claim=None, by=owner) == run
    assert judge_tests.request(judge=judge, claim=factories.make_claim(project), by=owner) != run


def test_recorded_judges_cannot_be_tested(project: Project, owner: User) -> None:
    recorded = factories.make_judges(project, 1)[0]

    with pytest.raises(NotAllowedError, match="brought its votes in a file"):
        judge_tests.request(judge=recorded, claim=factories.make_claim(project), by=owner)


def test_a_missing_key_is_said_before_anything_is_queued(project: Project, owner: User) -> None:
    judge = judges.add(project=project, new=judges.NewJudge("Far", "openai_chat", "m", may_see_text=True))

    with pytest.raises(MissingPieceError, match="set OPENAI_API_KEY"):
        judge_tests.request(judge=judge, claim=factories.make_claim(project), by=owner)

    assert not Run.objects.exists()


def test_text_that_the_server_may_not_see_is_not_sent_for_a_test_either(
    project: Project, judge: Judge, owner: User
) -> None:
    Project.objects.update(allowed_providers=[])
    fresh = Judge.objects.get(pk=judge.pk)

    with pytest.raises(NotAllowedError, match="may not see this project's text"):
        judge_tests.request(judge=fresh, claim=factories.make_claim(project), by=owner)


def test_a_project_with_a_limit_wants_to_know_the_price(project: Project, judge: Judge, owner: User) -> None:
    Project.objects.update(cap_micros=1_000_000)
    fresh = Judge.objects.get(pk=judge.pk)

    with pytest.raises(ConflictError, match="No price is known"):
        judge_tests.request(judge=fresh, claim=factories.make_claim(project), by=owner)


def test_the_claim_must_be_of_the_judges_project(judge: Judge, owner: User) -> None:
    elsewhere = factories.make_claim(factories.make_project())

    with pytest.raises(InvalidInputError, match="none of the project"):
        judge_tests.request(judge=judge, claim=elsewhere, by=owner)
