"""The main job on real servers: PostgreSQL or SQLite, RabbitMQ, Redis or no broker server, and workers that die."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import dj_database_url
import psycopg
import pytest
import redis
from celery import Celery
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connections
from django.utils import timezone
from kombu import Connection, Exchange, Queue
from pytest_django import DjangoDbBlocker

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Claim, Job, Outcome, Project, Run, Verdict
from evaluation.services import decisions, draws, exports, imports, panel, projects
from tests import factories

POSTGRES = "postgres://postgres@127.0.0.1:5432"
BROKERS = {"rabbitmq": "amqp://guest:guest@127.0.0.1:5672//", "redis": "redis://127.0.0.1:6379/13"}
PORTS = {"postgres": 5432, "rabbitmq": 5672, "redis": 6379}
VOTES = b"item,judge,label,text\nc1,a,accept,One.\nc1,b,reject,One.\nc2,a,accept,Two.\nc2,b,reject,Two.\n"
N_RESPONSES = 12

pytestmark = pytest.mark.slow


@dataclass
class Site:
    """A database of its own with a broker queue of its own, and the workers started on them."""

    root: Path
    folder: Path
    database: str
    broker: str
    queue: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start_worker(self) -> subprocess.Popen[bytes]:
        """A real worker process on this site's database and queue."""
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "site_settings",
            "PYTHONPATH": f"{self.folder}{os.pathsep}{self.root}",
            "JURYFLOW_DATA": str(self.folder),
            "JURYFLOW_EMBEDDER": "hashing",
            "SECRET_KEY": "only-for-tests-" + "x" * 40,
            "DATABASE_URL": self.database,
            "BROKER_URL": self.broker,
        }
        options = ["--pool=solo", "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=WARNING"]
        command = [sys.executable, "-m", "celery", "-A", "juryflow_app", "worker", "-Q", self.queue, *options]
        with (self.folder / "worker.log").open("ab") as log:
            worker = subprocess.Popen(command, cwd=self.root, env=environment, stdout=log, stderr=log)
        self.workers.append(worker)
        return worker

    def send(self, task: str, *arguments: int) -> None:
        """Wake a worker as the web process does."""
        app = Celery(broker=self.broker, set_as_current=False)
        app.conf.broker_transport_options = self.transport_options
        app.send_task(f"evaluation.tasks.{task}", arguments, queue=self.queue)
        app.close()

    @property
    def transport_options(self) -> dict[str, str]:
        return {"global_keyprefix": self.queue} if self.broker.startswith("redis") else {}

    def write_settings(self) -> None:
        lines = [
            "from juryflow_app.settings import *",
            f"CELERY_TASK_DEFAULT_QUEUE = {self.queue!r}",
            f"CELERY_TASK_ROUTES = {{'evaluation.tasks.*': {{'queue': {self.queue!r}}}}}",
            f"CELERY_BROKER_TRANSPORT_OPTIONS = {self.transport_options!r}",
            "CELERY_WORKER_ENABLE_REMOTE_CONTROL = False",
        ]
        (self.folder / "site_settings.py").write_text("\n".join(lines), encoding="utf-8")

    def wait_for(self, what: Callable[[], bool], seconds: float = 25) -> None:
        """Return once it is so; fails with the workers' log where it does not come about."""
        end, pause = time.monotonic() + seconds, threading.Event()
        while not what():
            if time.monotonic() > end:
                pytest.fail((self.folder / "worker.log").read_text(encoding="utf-8")[-3_000:])
            pause.wait(0.1)


def needs(*servers: str) -> None:
    for server in servers:
        try:
            socket.create_connection(("127.0.0.1", PORTS[server]), timeout=2).close()
        except OSError:
            pytest.skip(f"{server} does not answer on its usual port of this machine: this story was left out")


@pytest.fixture(scope="module")
def restored(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Lets tests point this process at databases of their own and brings the usual one back."""
    kept = connections.databases["default"], connections["default"]
    with django_db_blocker.unblock():
        yield
    connections["default"].close()
    connections.databases["default"] = kept[0]
    connections["default"] = kept[1]


@pytest.fixture(scope="module")
def template(restored: None) -> Iterator[str]:
    """A migrated database on PostgreSQL that others are copied from."""
    needs("postgres")
    name = f"juryflow_test_{uuid.uuid4().hex[:12]}"
    _execute(f'CREATE DATABASE "{name}"')
    _point_at(f"{POSTGRES}/{name}")
    call_command("migrate", verbosity=0)
    connections["default"].close()
    yield name
    _execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def make_site(
    root: Path, tmp_path: Path, restored: None, request: pytest.FixtureRequest
) -> Iterator[Callable[[str, str], Site]]:
    """Builds a site and points this process at its database; everything of it is gone afterwards."""
    sites: list[Site] = []

    def make(database: str, broker: str) -> Site:
        needs(*({database, broker} & set(PORTS)))
        name = f"juryflow_test_{uuid.uuid4().hex[:12]}"
        urls = f"sqlite:///{tmp_path / 'db.sqlite3'}", f"sqla+sqlite:///{tmp_path / 'broker.sqlite3'}"
        if database == "postgres":
            _execute(f'CREATE DATABASE "{name}" TEMPLATE "{request.getfixturevalue("template")}"')
        site = Site(root, tmp_path, f"{POSTGRES}/{name}" if database == "postgres" else urls[0], "", name)
        site.broker = BROKERS.get(broker, urls[1])
        sites.append(site)
        site.write_settings()
        _point_at(site.database)
        if database == "sqlite":
            call_command("migrate", verbosity=0)
        return site

    yield make
    for site in sites:
        for worker in site.workers:
            worker.kill()
            worker.wait()
        connections["default"].close()
        _forget_queue(site)
        if site.database.startswith("postgres"):
            _execute(f'DROP DATABASE "{site.queue}" WITH (FORCE)')


def _execute(statement: str) -> None:
    with psycopg.connect(f"{POSTGRES}/postgres", autocommit=True) as connection:
        connection.execute(statement.encode())


def _point_at(url: str) -> None:
    settings = {**connections.databases["default"], **dj_database_url.parse(url), "OPTIONS": {}}
    if "sqlite" in url:
        settings["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL",
        }
    del connections["default"]
    connections.databases["default"] = settings


def _forget_queue(site: Site) -> None:
    if site.broker.startswith("amqp"):
        with Connection(site.broker) as connection:
            queue = Queue(site.queue, Exchange(site.queue), channel=connection.channel())
            queue.delete()
            queue.exchange(connection.channel()).delete()
    elif site.broker.startswith("redis"):
        with redis.Redis.from_url(site.broker) as server:
            server.delete(*server.scan_iter(f"{site.queue}*"))


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

        victim.send_signal(signal.SIGKILL)
        victim.wait()
        answered = set(Call.objects.filter(state="answered").values_list("job_id", flat=True))
        on_their_way = Call.objects.filter(state="sent").count()
        Job.objects.filter(state="leased").update(lease_until=timezone.now())  # what time does to a dead worker's lease
        site.start_worker()
        site.send("sweep")
        site.wait_for(lambda: is_done(run))

        assert 5 <= len(answered) < 2 * N_RESPONSES
        assert len(server.received) == 2 * N_RESPONSES + on_their_way
    assert_every_judge_voted_once(project)
    assert Call.objects.filter(state="answered").count() == 2 * N_RESPONSES
    assert Call.objects.filter(state="unconfirmed").count() == on_their_way
    assert not Call.objects.filter(job__in=answered).exclude(state="answered").exists()
    assert Claim.objects.filter(outcome__pattern__n_cast=2).count() == N_RESPONSES
