"""Tasks: wake-ups that may come twice or late, since the database holds the work."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from kombu import Connection

from evaluation import tasks
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Claim, ClaimGraph, Job, Project, RubricEntry, Run, Verdict
from evaluation.services import jobs, judges, panel
from tests import factories
from tests.evaluation.services.batched import make_batch_judge, make_claims, open_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(project: Project) -> Run:
    """A run of the offline panel over one claim."""
    judges.add_offline_panel(project=project)
    instance = factories.make_instance(project, sources=["The fridge is quiet."])
    factories.make_claim(project, "The fridge is loud.", response=factories.make_response(instance))
    return panel.open_run(project=project, by=None)


def test_a_run_is_driven_and_its_claims_are_joined(run: Run) -> None:
    tasks.drive_run.delay(run.pk)

    run.refresh_from_db()
    assert run.state == Run.State.DONE
    assert Verdict.objects.count() == 5
    assert ClaimGraph.objects.get().n_claims == 1
    assert Run.objects.filter(kind=Run.Kind.GRAPH).count() == 1


def test_the_sweep_follows_up_a_ruling_whose_message_was_lost(run: Run, owner: User) -> None:
    tasks.drive_run.delay(run.pk)
    decision = factories.rule(Claim.objects.get(), owner, "reject")
    tasks.sweep.delay()
    decision.refresh_from_db()
    fresh = decision.followed_up_at

    type(decision).objects.update(decided_at=timezone.now() - timedelta(minutes=1))
    tasks.sweep.delay()

    decision.refresh_from_db()
    assert fresh is None
    assert decision.followed_up_at is not None


def test_a_second_or_late_wake_up_does_nothing(run: Run) -> None:
    tasks.drive_run.delay(run.pk)
    graph = ClaimGraph.objects.get()

    tasks.drive_run.delay(run.pk)
    tasks.drive_run.delay(run.pk + 1)

    assert ClaimGraph.objects.get() == graph
    assert Verdict.objects.count() == 5


def test_the_sweep_finishes_what_a_dead_worker_left(run: Run) -> None:
    lost = jobs.lease(run, 1)
    Job.objects.filter(state="leased").update(lease_until=timezone.now() - timedelta(seconds=1))

    tasks.sweep.delay()
    tasks.sweep.delay()

    run.refresh_from_db()
    assert len(lost) == 1
    assert run.state == Run.State.DONE
    assert sorted(run.jobs.values_list("attempt", flat=True)) == [1, 1, 1, 1, 2]


def test_the_sweep_leaves_a_run_alone_that_somebody_works_on(run: Run) -> None:
    jobs.lease(run, 1)

    tasks.sweep.delay()

    run.refresh_from_db()
    assert run.state == Run.State.QUEUED
    assert not Verdict.objects.exists()


def test_what_follows_from_rulings_is_done(run: Run, project: Project, owner: User) -> None:
    tasks.drive_run.delay(run.pk)
    Claim.objects.update(tags=["negation"])
    factories.rule(Claim.objects.get(), owner, "reject")
    other = factories.make_claim(project, "The fridge is very loud.", tags=["negation"])
    decision = factories.rule(other, owner, "reject")

    for _ in range(2):
        tasks.follow_up.delay(decision.pk)

    assert RubricEntry.objects.get().decisions.count() == 2
    assert Run.objects.filter(kind=Run.Kind.DRAFT, state=Run.State.DONE).count() == 1


def test_the_sweep_fetches_a_batch_that_came_back_and_ends_its_run(project: Project) -> None:
    with LocalServer() as server:
        make_batch_judge(project, server)
        make_claims(project, 2)
        run = open_run(project)
        tasks.drive_run.delay(run.pk)
        assert run.batches.get().state == "submitted"

        tasks.sweep.delay()
        run.refresh_from_db()
        assert run.state == Run.State.RUNNING
        run.batches.update(next_poll_at=timezone.now())
        tasks.sweep.delay()

    run.refresh_from_db()
    assert (run.state, Verdict.objects.count()) == (Run.State.DONE, 2)


def test_messages_about_a_removed_project_do_nothing(run: Run) -> None:
    run.project.delete()

    tasks.drive_run.delay(run.pk)
    tasks.attend_batches.delay(run.pk or 1)
    tasks.build_graph.delay(run.project_id or 1)
    tasks.follow_up.delay(1)

    assert not Run.objects.exists()


@pytest.fixture
def sending() -> Iterator[None]:
    """Messages are sent, as they are outside of tests."""
    conf = tasks.drive_run.app.conf
    conf.task_always_eager = False
    yield
    conf.task_always_eager = True


def test_a_broker_that_cannot_be_reached_stops_nobody(
    run: Run, sending: None, caplog: pytest.LogCaptureFixture
) -> None:
    with Connection("sqla+sqlite:////nowhere/at/all.sqlite3") as nowhere:
        tasks.drive_run.apply_async((run.pk,), connection=nowhere)

    assert "the broker cannot be reached" in caplog.text
    assert jobs.runs_to_wake() == [run.pk]
