"""A site for stories: a database and a broker queue of its own on real servers, and processes that can be killed."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import dj_database_url
import psycopg
import pytest
import redis
from celery import Celery
from django.db import connections
from kombu import Connection, Exchange, Queue
from kombu.exceptions import OperationalError

POSTGRES = "postgres://postgres@127.0.0.1:5432"
BROKERS = {"rabbitmq": "amqp://guest:guest@127.0.0.1:5672//", "redis": "redis://127.0.0.1:6379/13"}
PORTS = {"postgres": 5432, "rabbitmq": 5672, "redis": 6379}
SECRET_KEY = "only-for-tests-" + "x" * 40
# loads everything once and forks a process for each line it reads: what is killed often must be replaced fast
NURSERY = """
import os, signal, sys, django
django.setup()
{loaded}
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while sys.stdin.readline():
    child = os.fork()
    if not child:
        os.setsid()
        os.dup2(2, 1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        sys.exit(main())
    print(child, flush=True)
"""
WORKER_LOADED = """
import openai, anthropic, juryflow_app.celery, evaluation.tasks
from celery.__main__ import main
"""
WEB_LOADED = """
import juryflow_app.wsgi
from django.urls import get_resolver
from gunicorn.app.wsgiapp import run as main
get_resolver().url_patterns
"""
GUNICORN = ("--workers", "2", "--threads", "4", "--timeout", "120", "--no-control-socket", "--log-level", "error")
WORKER = ("--pool=solo", "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=WARNING")


@dataclass
class Site:
    """A database of its own with a broker queue of its own, and the processes started on them."""

    root: Path
    folder: Path
    database: str
    broker: str
    queue: str
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)
    nurseries: list[Nursery] = field(default_factory=list)

    def end(self) -> None:
        """Kill everything that runs on it."""
        for nursery in self.nurseries:
            nursery.kill()
        for process in self.started:
            kill(process)

    def start_worker(self) -> subprocess.Popen[bytes]:
        """A real worker process on this site's database and queue."""
        return self.start("-m", "celery", "-A", "juryflow_app", "worker", "-Q", self.queue, *WORKER)

    def workers(self) -> Nursery:
        """Where workers come from that are killed on purpose."""
        return self._nursery(WORKER_LOADED, "-A", "juryflow_app", "worker", "-Q", self.queue, *WORKER)

    def web(self, port: int) -> Nursery:
        """Where web processes come from that are killed on purpose, all on one port."""
        return self._nursery(WEB_LOADED, "juryflow_app.wsgi:application", "--bind", f"127.0.0.1:{port}", *GUNICORN)

    def _nursery(self, loaded: str, *words: str) -> Nursery:
        made = Nursery(self.start("-c", NURSERY.format(loaded=loaded), *words, stdout=subprocess.PIPE))
        self.nurseries.append(made)
        return made

    def start(self, *words: str, stdout: int | None = None) -> subprocess.Popen[bytes]:
        """A Python process with this site's settings, the leader of a group of its own."""
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "site_settings",
            "PYTHONPATH": f"{self.folder}{os.pathsep}{self.root}",
            "JURYFLOW_DATA": str(self.folder),
            "JURYFLOW_EMBEDDER": "hashing",
            "SECRET_KEY": SECRET_KEY,
            "DATABASE_URL": self.database,
            "BROKER_URL": self.broker,
        }
        with self.log.open("ab") as log:
            started = subprocess.Popen(
                [sys.executable, *words],
                cwd=self.root,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=stdout or log,
                stderr=log,
                start_new_session=True,
            )
        self.started.append(started)
        return started

    @property
    def log(self) -> Path:
        return self.folder / "site.log"

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
            "STORAGES['staticfiles'] = {'BACKEND': 'django.contrib.staticfiles.storage.StaticFilesStorage'}",
        ]
        (self.folder / "site_settings.py").write_text("\n".join(lines), encoding="utf-8")

    def wake_until(self, what: Callable[[], bool], seconds: float = 60) -> None:
        """The same, with the sweep that the clock sends every 20 seconds sent every other second.

        Where there is no broker just then, the message is lost, as the clock's is.
        """
        ticks = count()

        def is_so() -> bool:
            if next(ticks) % 20 == 0:
                with suppress(OperationalError):
                    self.send("sweep")
            return what()

        self.wait_for(is_so, seconds)

    def wait_for(self, what: Callable[[], bool], seconds: float = 25) -> None:
        """Return once it is so; fails with the end of the log where it does not come about."""
        end, pause = time.monotonic() + seconds, threading.Event()
        while not what():
            if time.monotonic() > end:
                pytest.fail(self.log.read_text(encoding="utf-8")[-3_000:])
            pause.wait(0.1)


@dataclass
class Nursery:
    """Forks processes that have loaded everything already, one at a time."""

    process: subprocess.Popen[bytes]
    pid: int = 0

    def start(self) -> None:
        """Start one, in a group of its own."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        self.pid = int(self.process.stdout.readline())

    def kill(self) -> None:
        """Kill it with what it has started, as a machine that goes down does, and wait until it is gone."""
        if self.pid:
            handle = os.pidfd_open(self.pid)
            os.killpg(self.pid, signal.SIGKILL)
            select.select([handle], [], [])
            os.close(handle)
            self.pid = 0


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with everything it has started, as a machine that goes down does."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def needs(*servers: str) -> None:
    for server in servers:
        try:
            socket.create_connection(("127.0.0.1", PORTS[server]), timeout=2).close()
        except OSError:
            pytest.skip(f"{server} does not answer on its usual port of this machine: this story was left out")


def execute(statement: str) -> None:
    with psycopg.connect(f"{POSTGRES}/postgres", autocommit=True) as connection:
        connection.execute(statement.encode())


def point_at(url: str) -> None:
    settings = {**connections.databases["default"], **dj_database_url.parse(url), "OPTIONS": {}}
    if "sqlite" in url:
        settings["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL",
        }
    del connections["default"]
    connections.databases["default"] = settings


def forget_queue(site: Site) -> None:
    if site.broker.startswith("amqp"):
        with Connection(site.broker) as connection:
            queue = Queue(site.queue, Exchange(site.queue), channel=connection.channel())
            queue.delete()
            queue.exchange(connection.channel()).delete()
    elif site.broker.startswith("redis"):
        with redis.Redis.from_url(site.broker) as server:
            server.delete(*server.scan_iter(f"{site.queue}*"))
