"""Work that is broken off from outside: Ctrl-C, twice if need be, and a database whose connections end."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest
from django.db import connection

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Job, Project, Run, Verdict
from evaluation.services import panel, panel_worker
from tests import factories
from tests.books import check_books
from tests.flows.sites import Site, execute

pytestmark = pytest.mark.slow

N_CLAIMS = 6
COMMAND = """
import signal
from django.core.management import execute_from_command_line
signal.signal(signal.SIGINT, signal.default_int_handler)
execute_from_command_line(["manage.py", "run_panel", "--no-graph"])
"""


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with LocalServer() as running:
        yield running


def make_project(server: LocalServer) -> Project:
    project = factories.make_project(owner=factories.make_user())
    factories.make_asked_judge(project, server.openai_url)
    for _ in range(N_CLAIMS):
        factories.make_claim(project)
    return project


def working(site: Site, server: LocalServer) -> subprocess.Popen[bytes]:
    """The command at work, with the first call answered and the others out."""
    command = site.start("-c", COMMAND)
    site.wait_for(lambda: Call.objects.filter(state="answered").exists() and server.n_received >= N_CLAIMS)
    return command


def test_an_interrupt_keeps_what_is_on_its_way_and_sends_nothing_more(
    make_site: Callable[[str, str], Site], server: LocalServer
) -> None:
    site = make_site("sqlite", "embedded")
    server.script(Step(), *[Step(delay=2.0)] * (N_CLAIMS - 1))
    project = make_project(server)

    command = working(site, server)
    command.send_signal(signal.SIGINT)
    command.wait(20)

    assert server.n_received == N_CLAIMS
    assert Verdict.objects.filter(state="cast").count() == N_CLAIMS
    assert project.runs.get().state in (Run.State.STOPPED, Run.State.DONE)
    check_books(project)


def test_a_second_interrupt_ends_at_once(make_site: Callable[[str, str], Site], server: LocalServer) -> None:
    site = make_site("sqlite", "embedded")
    server.script(Step(), *[Step(delay=8.0)] * (N_CLAIMS - 1))
    project = make_project(server)

    command = working(site, server)
    command.send_signal(signal.SIGINT)
    site.wait_for(lambda: Call.objects.filter(state="answered").exists())
    with pytest.raises(subprocess.TimeoutExpired):
        command.wait(1)
    began = time.monotonic()
    command.send_signal(signal.SIGINT)
    command.wait(20)

    assert time.monotonic() - began < 4
    assert project.runs.get().state == Run.State.STOPPING
    Job.objects.filter(state="leased").update(lease_until=project.created_at)
    assert panel_worker.drive(run_id=project.runs.get().pk).state == Run.State.STOPPED
    assert Call.objects.filter(state="unconfirmed").count() == N_CLAIMS - 1
    check_books(project)


def test_a_connection_that_ends_in_the_middle_loses_no_reply(
    make_site: Callable[[str, str], Site], server: LocalServer
) -> None:
    make_site("postgres", "embedded")
    server.script(Step(), *[Step(delay=0.5)] * (N_CLAIMS - 1))
    project = make_project(server)
    run = panel.open_run(project=project, by=None)

    def end_connections(_: Run) -> None:
        if not Call.objects.exclude(state="answered").exists():
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (pid,) = cursor.fetchone()
        execute(f"SELECT pg_terminate_backend({pid})")

    with pytest.raises(Exception, match=r"terminat|clos|lost"):
        panel_worker.drive(run_id=run.pk, said=end_connections)
    kept = Call.objects.filter(state="answered").count()
    Job.objects.filter(state="leased").update(lease_until=project.created_at)
    done = panel_worker.drive(run_id=run.pk)

    assert (kept, server.n_received) == (N_CLAIMS, N_CLAIMS)
    assert done.state == Run.State.DONE
    assert Verdict.objects.filter(state="cast").count() == N_CLAIMS
    check_books(project)
