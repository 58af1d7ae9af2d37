"""A worker that is killed again and again in the middle of a run: nothing is lost, and nothing is paid for twice."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from functools import partial

import pytest

from evaluation.services import panel
from juryflow_app import env
from tests.flows import endurance
from tests.flows.endurance import Kill, Moments, has_ended, has_got_on
from tests.flows.sites import Site

pytestmark = pytest.mark.slow

SITES = [("sqlite", "embedded"), ("postgres", "rabbitmq")] if env.flag("JURYFLOW_FULL") else [("sqlite", "embedded")]
CALLS_PER_KILL = 30


@pytest.mark.parametrize(("database", "broker"), SITES)
def test_a_worker_killed_at_random_moments_loses_nothing_and_asks_nothing_twice(
    make_site: Callable[[str, str], Site],
    is_full: bool,
    record_property: Callable[[str, object], None],
    database: str,
    broker: str,
) -> None:
    n_kills = 30 if is_full else 3
    site = make_site(database, broker)
    workers, kills = site.workers(), []
    with endurance.faulty_server() as server:
        project = endurance.make_project(endurance.urls_of(server), CALLS_PER_KILL * n_kills)
        run = panel.open_run(project=project, by=None)
        moments = Moments(random.Random(5), CALLS_PER_KILL)
        for _ in range(n_kills):
            workers.start()
            n_received, delay = moments.next(server.n_received)
            site.wake_until(partial(has_got_on, server, run, n_received))
            threading.Event().wait(delay)
            workers.kill()
            kills.append(Kill.now())
            endurance.let_time_pass()
        workers.start()
        site.wake_until(partial(has_ended, run), 60 + 3 * n_kills)

        figures = endurance.check(run, endurance.log_of(server), kills)

    for name, value in figures.items():
        record_property(name, value)
    assert figures["given_up"] == 0
