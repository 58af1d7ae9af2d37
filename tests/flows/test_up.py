"""The real `up`: web, workers and clock run beside a taken port, a link signs in, and Ctrl-C leaves nothing."""

from __future__ import annotations

import http.client
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluation.management import running

PATIENCE = 60


@dataclass(frozen=True)
class Up:
    """A running `up`: its process, what it printed as JSON, and the port that was taken before it."""

    process: subprocess.Popen[str]
    url: str
    link: str
    late: list[str]
    programs: Mapping[str, int]
    taken: int
    data: Path

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def get(self, address: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", address.removeprefix(self.url))
        return connection.getresponse()


@pytest.fixture(scope="module")
def up(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    data = tmp_path_factory.mktemp("data")
    inherited = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "BROKER_URL"}}
    environment = {**inherited, "JURYFLOW_DATA": str(data), "DJANGO_SETTINGS_MODULE": "juryflow_app.settings"}
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        command = [sys.executable, "manage.py", "up", "--no-demo", "--json", "--port", str(taken)]
        with (data / "warnings.txt").open("w") as warnings:
            process = subprocess.Popen(
                command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=warnings, text=True
            )
        assert process.stdout
        facts = json.loads(process.stdout.readline() or "{}")
        try:
            yield Up(process, facts["url"], facts["link"], facts["late"], facts["programs"], taken, data)
        finally:
            process.kill()
            process.wait()


def test_it_takes_the_next_port_and_says_so(up: Up) -> None:
    warnings = (up.data / "warnings.txt").read_text()

    assert up.url != f"http://127.0.0.1:{up.taken}"
    assert f"Port {up.taken} is taken" in warnings


def test_web_answers_and_every_program_works(up: Up) -> None:
    answer = up.get("/sign-in/")

    assert answer.status == 200
    assert up.late == []
    assert set(up.programs) == {"web", "worker", "vectors", "clock"}


def test_every_program_is_in_the_process_group_of_up(up: Up) -> None:
    groups = {os.getpgid(pid) for pid in up.programs.values()}

    assert groups == {os.getpgid(up.process.pid)}


def test_the_link_signs_in_once(up: Up) -> None:
    first = up.get(up.link)

    again = up.get(up.link)

    assert "sessionid" in (first.getheader("Set-Cookie") or "")
    assert "sessionid" not in (again.getheader("Set-Cookie") or "")


def test_it_is_known_as_running(up: Up) -> None:
    notes = running.all_running(up.data)

    assert [note.url for note in notes] == [up.url]


def test_ctrl_c_ends_every_program_and_leaves_nothing(up: Up) -> None:
    handles = [os.pidfd_open(pid) for pid in up.programs.values()]

    up.process.send_signal(signal.SIGINT)
    code = up.process.wait(PATIENCE)

    ended, _, _ = select.select(handles, [], [], 0)
    for handle in handles:
        os.close(handle)
    assert code == 0
    assert len(ended) == len(handles)
    assert running.all_running(up.data) == []
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", up.port), timeout=5)
