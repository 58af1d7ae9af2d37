"""The main job on real servers: PostgreSQL or SQLite, RabbitMQ, Redis or no broker server, and workers that die."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Claim, Job, Outcome, Project, Run, Verdict
from evaluation.services import decisions, draws, exports, imports, panel, projects
from tests import factories
from tests.flows.sites import Site, kill

VOTES = b"item,judge,label,text\nc1,a,accept,One.\nc1,b,reject,One.\nc2,a,accept,Two.\nc2,b,reject,Two.\n"
N_RESPONSES = 12

pytestmark = pytest.mark.slow


def make_project(server: LocalServer, n: int = 3) -> Project:
    """A project of `n` claims in responses of their own, and two judges at the server."""
    project = projects.create(name="Fridges", owner=User.objects.create_user("tom"))
    for provider, url in (("openai_chat", server.openai_url), ("anthropic_messages", server.url)):
        factories.make_asked_judge(project, url, provider=provider)
    for number in range(n):
        instance = factories.make_instance(project, sources=["The fridge is quiet."])
        response = factories.make_response(instance, f"Fridge {number} is loud.")
        factories.make_claim(project, f"Fridge {number} is loud.", response=response)
    return project


def is_done(run: Run) -> bool:
    run.refresh_from_db()
    return run.state == Run.State.DONE


def assert_every_judge_voted_once(project: Project) -> None:
    cast = Verdict.objects.filter(claim__project=project)
    votes = sorted(cast.values_list("claim_id", "judge__name"))
    names = sorted(project.judges.values_list("name", flat=True))
    assert votes == [(claim.pk, name) for claim in project.claims.order_by("pk") for name in names]
    assert set(cast.values_list("state", "is_current")) == {("cast", True)}


@pytest.mark.parametrize(
    ("database", "broker"), [("postgres", "rabbitmq"), ("postgres", "redis"), ("sqlite", "embedded")]
)
def test_the_main_job(make_site: Callable[[str, str], Site], database: str, broker: str) -> None:
    site = make_site(database, broker)
    site.start_worker()
    owner = User.objects.create_user("ann")
    votes = projects.create(name="Votes", owner=owner)
    record = imports.prepare(project=votes, content=VOTES, filename="votes.csv")
    imports.commit(record=record)
    first, second = votes.claims.order_by("pk")

    ruling = decisions.record(
        draw=draws.by_hand(claim=first, expert=owner), ruling=decisions.Ruling(label="reject", reason="Read it.")
    )
    labels_after = [Outcome.objects.get(claim=claim).label for claim in (first, second)]
    decisions.undo(decision=ruling, by=owner)
    states_after = [Outcome.objects.get(claim=claim).state for claim in (first, second)]
    with LocalServer() as server:
        judged = make_project(server)
        run = panel.open_run(project=judged, by=None)
        site.send("drive_run", run.pk)
        site.wait_for(lambda: is_done(run) and judged.graphs.exists())

    assert labels_after == ["reject", "reject"]
    assert states_after == ["split", "split"]
    assert_every_judge_voted_once(judged)
    lines = [json.loads(line) for line in "".join(exports.stream(project=votes, what="all", fmt="jsonl")).splitlines()]
    assert [line["undone"] for line in lines if line["type"] == "decision"] == [True]
    assert sum(line["type"] == "verdict" for line in lines) == 4


def test_two_workers_on_one_run_do_each_step_once(make_site: Callable[[str, str], Site]) -> None:
    site = make_site("postgres", "redis")
    with LocalServer(Step(delay=0.3) for _ in range(2 * N_RESPONSES)) as server:
        project = make_project(server, N_RESPONSES)
        run = panel.open_run(project=project, by=None)
        for _ in range(2):
            site.start_worker()
            site.send("drive_run", run.pk)

        site.wait_for(lambda: is_done(run) and project.graphs.exists())

        assert len(server.received) == 2 * N_RESPONSES
    assert_every_judge_voted_once(project)
    assert set(run.jobs.values_list("state", "attempt")) == {("done", 1)}
    assert {row.n_open for row in project.patterns.filter(n_open__gt=0)} == {
        Outcome.objects.filter(pattern=row).count() for row in project.patterns.filter(n_open__gt=0)
    }


def test_a_worker_killed_in_the_middle_loses_nothing_and_asks_nothing_twice(
    make_site: Callable[[str, str], Site],
) -> None:
    site = make_site("postgres", "rabbitmq")
    with LocalServer(Step(delay=0.4) for _ in range(2 * N_RESPONSES)) as server:
        project = make_project(server, N_RESPONSES)
        run = panel.open_run(project=project, by=None)
        victim = site.start_worker()
        site.send("drive_run", run.pk)
        site.wait_for(lambda: Call.objects.filter(state="answered").count() >= 5)

        kill(victim)
        answered = set(Call.objects.filter(state="answered").values_list("job_id", flat=True))
        on_their_way = Call.objects.filter(state="sent").count()
        Job.objects.filter(state="leased").update(lease_until=timezone.now())  # what time does to a dead worker's lease
        site.start_worker()
        site.send("sweep")
        site.wait_for(lambda: is_done(run))

        assert 5 <= len(answered) < 2 * N_RESPONSES
        # what was committed as sent may have reached the server or not: the worker died between the two
        assert 2 * N_RESPONSES <= len(server.received) <= 2 * N_RESPONSES + on_their_way
    assert_every_judge_voted_once(project)
    assert Call.objects.filter(state="answered").count() == 2 * N_RESPONSES
    assert Call.objects.filter(state="unconfirmed").count() == on_their_way
    assert not Call.objects.filter(job__in=answered).exclude(state="answered").exists()
    assert Claim.objects.filter(outcome__pattern__n_cast=2).count() == N_RESPONSES
