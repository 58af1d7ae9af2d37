"""Leases: a job is held by one worker, comes back when that worker dies, and is ended by nobody else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.models import Job, Project, Run
from evaluation.services import jobs
from tests import factories

pytestmark = pytest.mark.django_db


def make_run(project: Project, *tasks: str) -> Run:
    run = factories.make_run(project, kind=Run.Kind.PANEL, state=Run.State.RUNNING)
    response = factories.make_response(factories.make_instance(project))
    for number, task in enumerate(tasks or ("judge", "judge")):
        Job.objects.create(run=run, task=task, key=f"{task}/{number}", response=response)
    return run


def expire(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def taken(run: Run, *tasks: str) -> Job:
    job = jobs.lease(run, *tasks)
    assert job is not None
    return job


def test_every_job_is_leased_once(project: Project) -> None:
    run = make_run(project)

    leased = [jobs.lease(run) for _ in range(3)]

    assert [job and job.attempt for job in leased] == [1, 1, None]
    assert jobs.unfinished(run).count() == 2


def test_a_job_whose_lease_ended_is_taken_over_and_its_first_worker_can_do_nothing_to_it(project: Project) -> None:
    run = make_run(project, "judge")
    lost = taken(run)
    expire(lost)

    held = taken(run)
    jobs.renew([lost])
    jobs.release(lost)

    assert (held.pk, held.attempt) == (lost.pk, 2)
    assert not jobs.end(lost, error="Too late.")
    assert jobs.end(held, result={"n": 1})
    assert not jobs.end(held, error="Twice.")
    assert Job.objects.values_list("state", "error", "result").get() == ("done", "", {"n": 1})


def test_a_lease_that_is_renewed_lasts_longer_and_a_released_job_is_free(project: Project) -> None:
    run = make_run(project, "judge")
    job = taken(run)
    expire(job)

    jobs.renew([job])
    renewed = jobs.lease(run)
    jobs.release(job)

    assert renewed is None
    assert taken(run).attempt == 2


def test_jobs_of_one_task_can_be_asked_for(project: Project) -> None:
    run = make_run(project, "judge", "merge")

    assert taken(run, Job.Task.MERGE).task == "merge"
    assert jobs.lease(run, Job.Task.MERGE) is None


def test_cancelling_leaves_what_is_on_its_way_and_what_asks_nobody(project: Project) -> None:
    run = make_run(project, "judge", "judge", "merge")
    taken(run)

    n = jobs.cancel_asking(run)

    assert n == 1
    assert list(run.jobs.values_list("state", flat=True)) == ["leased", "cancelled", "waiting"]


@pytest.mark.parametrize(
    ("states", "n_merges"),
    [(["done", "waiting"], 0), (["done", "leased"], 0), (["done", "failed"], 1), (["done", "cancelled"], 1)],
)
def test_claims_are_joined_when_nobody_cuts_any_more(project: Project, states: list[str], n_merges: int) -> None:
    run = make_run(project, "decompose", "decompose")
    for job, state in zip(run.jobs.all(), states, strict=True):
        Job.objects.filter(pk=job.pk).update(state=state)

    jobs.queue_merges(run)
    jobs.queue_merges(run)

    assert run.jobs.filter(task=Job.Task.MERGE).count() == n_merges


def test_runs_that_nobody_is_at_are_woken(project: Project) -> None:
    queued, left, live = (make_run(factories.make_project(), "judge", "judge") for _ in range(3))
    expire(taken(left))
    taken(live)
    empty = factories.make_run(factories.make_project(), kind=Run.Kind.PANEL, state=Run.State.STOPPING)
    factories.make_run(project, kind=Run.Kind.PANEL, state=Run.State.DONE)

    assert jobs.runs_to_wake() == sorted([queued.pk, left.pk, empty.pk])
