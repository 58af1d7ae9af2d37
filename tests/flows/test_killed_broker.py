"""A broker that is killed again and again and forgets everything: messages only wake, the work is in the database."""

from __future__ import annotations

import random
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
import redis

from evaluation.services import panel
from tests.flows import endurance
from tests.flows.endurance import Kill, Moments, has_ended, has_got_on
from tests.flows.sites import Site, free_port, kill

pytestmark = pytest.mark.slow

CALLS_PER_KILL = 60


@dataclass
class Broker:
    """A Redis of this test alone that keeps nothing on disk."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": self.folder}
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        self.process = subprocess.Popen(
            ["redis-server", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        client, pause = redis.Redis(port=self.port), threading.Event()
        for _ in range(100):
            with suppress(redis.ConnectionError):
                client.ping()
                break
            pause.wait(0.05)
        client.close()

    def kill(self) -> None:
        if self.process is not None:
            kill(self.process)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed: what becomes of a run whose broker dies was left out")
    started = Broker(tmp_path, free_port())
    started.start()
    yield started
    started.kill()


def test_a_broker_that_forgets_everything_loses_no_vote(
    broker: Broker,
    make_site: Callable[[str, str], Site],
    is_full: bool,
    record_property: Callable[[str, object], None],
) -> None:
    n_kills, rng, kills = 30 if is_full else 3, random.Random(6), []
    site = make_site("sqlite", broker.url)
    site.start_worker()
    with endurance.faulty_server() as server:
        project = endurance.make_project(endurance.urls_of(server), CALLS_PER_KILL * n_kills)
        run = panel.open_run(project=project, by=None)
        moments = Moments(rng, CALLS_PER_KILL)
        for _ in range(n_kills):
            n_received, delay = moments.next(server.n_received)
            site.wake_until(partial(has_got_on, server, run, n_received))
            threading.Event().wait(delay)
            broker.kill()
            kills.append(Kill.now())
            threading.Event().wait(rng.uniform(0, 0.5))
            broker.start()
        site.wake_until(partial(has_ended, run), 60 + 3 * n_kills)

        figures = endurance.check(run, endurance.log_of(server), kills)

    for name, value in figures.items():
        record_property(name, value)
    assert figures["repeats"] == 0
