"""How work reaches workers: which queue, when it is acknowledged, and what beat wakes."""

from __future__ import annotations

import pytest
from celery import Task

from evaluation import tasks
from juryflow_app.celery import app

TASKS = [tasks.drive_run, tasks.drive_vectors, tasks.follow_up, tasks.build_graph, tasks.sweep]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_only_what_needs_vectors_goes_to_the_worker_with_the_model(task: Task[..., None]) -> None:
    route = app.amqp.router.route({}, task.name)

    assert route["queue"].name == ("vectors" if task is tasks.drive_vectors else "default")


def test_a_lost_worker_gives_its_message_back() -> None:
    assert tasks.drive_run.acks_late
    assert tasks.drive_run.reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1


def test_no_result_is_kept_because_the_database_holds_the_work() -> None:
    assert all(task.ignore_result for task in TASKS)


def test_beat_wakes_a_task_that_exists_and_a_late_wake_up_expires() -> None:
    (entry,) = app.conf.beat_schedule.values()

    app.autodiscover_tasks(force=True)

    assert entry["task"] in app.tasks
    assert entry["options"]["expires"] <= entry["schedule"] == tasks.SWEEP_SECONDS
