"""Leases: a job is held by one worker, comes back when that worker dies, and is ended by nobody else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import Q
from django.utils import timezone

from evaluation.models import Job, Project, ProviderBatch, Run
from evaluation.services import jobs
from evaluation.services.jobs import Wanted
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
    (job,) = jobs.lease(run, 1, Wanted(tasks=tasks))
    return job


def test_every_job_is_leased_once(project: Project) -> None:
    run = make_run(project)

    leased = [jobs.lease(run, 1) for _ in range(3)]

    assert [[job.attempt for job in taken] for taken in leased] == [[1], [1], []]
    assert jobs.unfinished(run).count() == 2


def test_a_job_whose_lease_ended_is_taken_over_and_its_first_worker_can_do_nothing_to_it(project: Project) -> None:
    run = make_run(project, "judge")
    lost = taken(run)
    expire(lost)

    held = taken(run)
    jobs.renew([lost])
    jobs.release([lost])

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
    renewed = jobs.lease(run, 1)
    jobs.release([job])

    assert renewed == []
    assert taken(run).attempt == 2


def test_jobs_of_one_task_can_be_asked_for(project: Project) -> None:
    run = make_run(project, "judge", "merge")

    assert taken(run, Job.Task.MERGE).task == "merge"
    assert jobs.lease(run, 1, Wanted(tasks=(Job.Task.MERGE,))) == []


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


def test_several_are_leased_at_once_and_none_of_a_judge_that_has_enough(project: Project) -> None:
    run = make_run(project, "judge", "judge", "judge", "merge")
    busy, free = factories.make_judges(project, 2)
    run.jobs.filter(task="judge").update(judge=free)
    first = run.jobs.order_by("pk")[0]
    Job.objects.filter(pk=first.pk).update(judge=busy)

    leased = jobs.lease(run, 5, Wanted(tasks=("judge",), not_of=frozenset({busy.pk})))
    rest = jobs.lease(run, 5, Wanted(of_judge=busy.pk))

    assert [job.judge_id for job in leased] == [free.pk, free.pk]
    assert [job.pk for job in rest] == [first.pk]


def test_a_job_waits_until_the_server_allows_it_and_its_run_is_not_woken_before(project: Project) -> None:
    run = make_run(project, "judge")
    later = timezone.now() + timedelta(minutes=5)
    jobs.release([taken(run)], not_before=later)

    early = (jobs.lease(run, 1), jobs.runs_to_wake())
    Job.objects.update(not_before=timezone.now() - timedelta(seconds=1))

    assert early == ([], [])
    assert jobs.runs_to_wake() == [run.pk]
    assert taken(run).not_before is None


def test_a_paused_run_is_not_woken(project: Project) -> None:
    run = make_run(project)
    Run.objects.filter(pk=run.pk).update(state=Run.State.PAUSED)

    assert jobs.runs_to_wake() == []


def test_only_jobs_whose_lease_holds_are_locked(project: Project) -> None:
    run = make_run(project)
    held, lost = taken(run), taken(run)
    expire(lost)
    taken(run)

    assert jobs.lock_held([held, lost]) == {held.pk}


def test_cancelling_takes_jobs_that_wait_for_a_server(project: Project) -> None:
    run = make_run(project, "judge")
    jobs.release([taken(run)], not_before=timezone.now() + timedelta(minutes=5))

    assert jobs.cancel_asking(run) == 1


def test_jobs_in_a_batch_are_nobodys_until_it_comes_back(project: Project) -> None:
    run = make_run(project, "judge", "judge")
    (judge,) = factories.make_judges(project, 1)
    batch = ProviderBatch.objects.create(run=run, judge=judge, token="t")
    with_it = run.jobs.latest("pk")
    run.jobs.filter(pk=with_it.pk).update(batch=batch)

    free = jobs.lease(run, 9)
    n_cancelled = jobs.cancel_asking(run)
    back = jobs.lease(run, 9, Wanted(of_batch=batch.pk))

    assert [job.pk for job in free] == [run.jobs.earliest("pk").pk]
    assert n_cancelled == 0
    assert [(job.pk, job.batch, job.state) for job in back] == [(with_it.pk, None, "leased")]


def test_jobs_can_be_taken_under_a_further_condition(project: Project) -> None:
    run = make_run(project, "judge", "draft")

    assert [job.key for job in jobs.lease(run, 9, Wanted(only=~Q(key="judge/0")))] == ["draft/1"]
