"""Several workers at runs of one project, on a faulty server and on one purse; run by test_races.py."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone

from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.faults import Faults
from evaluation.llm.local_server.latency import Latency
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Claim, Job, Judge, ModelPrice, Project, Purse, Run, Verdict
from evaluation.services import panel, panel_worker, planning, purses
from evaluation.services.planning import Step
from tests import factories
from tests.books import check_books

pytestmark = pytest.mark.django_db(transaction=True)

N_CLAIMS = 24
FAULTY = Faults(seed=3, latency=Latency(0.03, 0.5), rate_limited=0.1, retry_after=0.02, malformed=0.03, truncated=0.03)


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with LocalServer(behaviour=Behaviour(faults=FAULTY)) as running:
        yield running


@pytest.fixture
def project(server: LocalServer) -> Project:
    """Two judges at a price, at one server that limits, garbles and cuts."""
    project = factories.make_project(owner=factories.make_user())
    for provider, url in (("openai_chat", server.openai_url), ("anthropic_messages", server.url)):
        factories.make_asked_judge(project, url, provider=provider)
        ModelPrice.objects.create(
            provider=provider,
            host="127.0.0.1",
            model="m",
            valid_from=timezone.now().date(),
            input_micros=1_000_000,
            output_micros=4_000_000,
        )
    Judge.objects.update(parameters={"max_tokens": 500, "max_concurrency": 6})
    for _ in range(N_CLAIMS):
        factories.make_claim(project)
    return project


def drive_to_the_end(run_id: int) -> None:
    """What a worker process does whenever it is woken."""
    try:
        while Run.objects.get(pk=run_id).state in Run.WORKING_STATES:
            panel_worker.drive(run_id=run_id, concurrency=4)
            threading.Event().wait(0.01)
    finally:
        connections.close_all()


def work_at_once(runs: Sequence[Run], n_each: int) -> None:
    with ThreadPoolExecutor(n_each * len(runs)) as pool:
        for future in [pool.submit(drive_to_the_end, run.pk) for run in runs for _ in range(n_each)]:
            future.result(60)


def second_run(project: Project) -> Run:
    """Another run on the same claims, whose answers are no votes."""
    run = factories.make_run(project, kind=Run.Kind.TRIAL, state=Run.State.QUEUED)
    steps: list[Step] = []
    for claim in Claim.objects.select_related("response").order_by("pk"):
        for judge in project.judges.all():
            steps += planning.voting_steps(claim.response, [claim], judge)
    panel.add_jobs(run, [Step("trial", step.key, step.judge, step.response, step.order, step.claims) for step in steps])
    return run


def test_every_vote_is_cast_once_and_every_call_is_accounted_for(project: Project) -> None:
    run = panel.open_run(project=project, by=None)

    work_at_once([run], 3)

    run.refresh_from_db()
    assert run.state == Run.State.DONE
    assert Verdict.objects.count() == 2 * N_CLAIMS
    assert set(Job.objects.values_list("state", flat=True)) <= {"done", "failed"}
    assert not Call.objects.filter(state__in=["sent", "unconfirmed"]).exists()
    check_books(project)


def test_two_runs_on_one_purse_stay_under_its_cap_and_both_end(project: Project) -> None:
    runs = [panel.open_run(project=project, by=None), second_run(project)]
    purses.set_cap(project=project, key=purses.PROJECT, cap_micros=60_000)

    work_at_once(runs, 2)
    for run in runs:
        run.refresh_from_db()
    check_books(project)
    purses.set_cap(project=project, key=purses.PROJECT, cap_micros=10**9)
    work_at_once([panel.resume(run=run) for run in runs if run.state == Run.State.PAUSED] or runs, 1)

    assert set(Run.objects.values_list("state", flat=True)) == {"done"}
    assert Purse.objects.get(key=purses.PROJECT).reserved_micros == 0
    check_books(project)


def test_pausing_stopping_and_dying_at_any_moment_lose_no_dollar(project: Project) -> None:
    run = panel.open_run(project=project, by=None)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(4):
            futures = [pool.submit(drive_to_the_end, run.pk) for _ in range(2)]
            threading.Event().wait(0.15)
            past = timezone.now() - timedelta(seconds=1)
            Job.objects.filter(state="leased").update(lease_until=past)  # others take over from slow workers
            panel.pause(run=run)
            for future in futures:
                future.result(60)
            check_books(project)
            panel.resume(run=run)
    panel.stop(run=run)
    drive_to_the_end(run.pk)

    run.refresh_from_db()
    assert run.state in (Run.State.STOPPED, Run.State.DONE)
    votes = list(Verdict.objects.values_list("claim", "judge", "order"))
    assert len(votes) == len(set(votes))
    assert set(Purse.objects.values_list("reserved_micros", flat=True)) == {0}
    check_books(project)
