"""Programs are started, kept alive and ended together, against real processes."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.errors import MissingPieceError
from evaluation.management.supervisor import Program, Supervisor

SLEEPER = "import signal; print('ready', flush=True); signal.pause()"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); signal.pause()"


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
def supervisors() -> Iterator[list[Supervisor]]:
    made: list[Supervisor] = []
    yield made
    for supervisor in made:
        supervisor.end()


def supervise(code: str, folder: Path, warnings: list[str], supervisors: list[Supervisor]) -> Supervisor:
    program = Program("sleeper", [sys.executable, "-c", code], folder / "logs" / "sleeper.log", "ready")
    supervisor = Supervisor([program], cwd=folder, warn=warnings.append)
    supervisors.append(supervisor)
    return supervisor


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_waits_until_the_log_says_ready(tmp_path: Path, warnings: list[str], supervisors: list[Supervisor]) -> None:
    supervisor = supervise(SLEEPER, tmp_path, warnings, supervisors)

    supervisor.start()
    late = supervisor.wait_until_ready(30)

    assert late == []
    assert is_alive(supervisor.pids["sleeper"])


def test_programs_share_the_process_group(tmp_path: Path, warnings: list[str], supervisors: list[Supervisor]) -> None:
    supervisor = supervise(SLEEPER, tmp_path, warnings, supervisors)

    supervisor.start()

    assert os.getpgid(supervisor.pids["sleeper"]) == os.getpgrp()


def test_end_leaves_nothing_behind(tmp_path: Path, warnings: list[str], supervisors: list[Supervisor]) -> None:
    supervisor = supervise(SLEEPER, tmp_path, warnings, supervisors)
    supervisor.start()
    supervisor.wait_until_ready(30)
    pid = supervisor.pids["sleeper"]

    supervisor.end()

    assert not is_alive(pid)


def test_a_program_that_ignores_the_polite_end_is_killed(
    tmp_path: Path, warnings: list[str], supervisors: list[Supervisor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.management.supervisor.GRACE_SECONDS", 0.2)
    supervisor = supervise(STUBBORN, tmp_path, warnings, supervisors)
    supervisor.start()
    supervisor.wait_until_ready(30)
    pid = supervisor.pids["sleeper"]

    supervisor.end()

    assert not is_alive(pid)


def test_a_crashed_program_is_started_again(tmp_path: Path, warnings: list[str], supervisors: list[Supervisor]) -> None:
    once = f"import pathlib, sys; p = pathlib.Path('seen'); q = p.exists(); p.touch(); q or sys.exit(3); {SLEEPER}"
    supervisor = supervise(once, tmp_path, warnings, supervisors)

    supervisor.start()
    late = supervisor.wait_until_ready(30)

    assert late == []
    assert len(warnings) == 1
    assert "exit code 3" in warnings[0]


def test_a_program_that_keeps_crashing_ends_all_with_its_log_named(
    tmp_path: Path, warnings: list[str], supervisors: list[Supervisor]
) -> None:
    supervisor = supervise("import sys; sys.exit(5)", tmp_path, warnings, supervisors)
    supervisor.start()

    with pytest.raises(MissingPieceError, match=r"sleeper stopped 4 times .* exit code 5.*sleeper\.log"):
        supervisor.wait_until_ready(30)


def test_a_program_that_is_not_ready_in_time_is_named(
    tmp_path: Path, warnings: list[str], supervisors: list[Supervisor]
) -> None:
    supervisor = supervise("import signal; signal.pause()", tmp_path, warnings, supervisors)
    supervisor.start()

    late = supervisor.wait_until_ready(0)

    assert late == ["sleeper"]


def test_a_large_log_makes_room_at_the_start(
    tmp_path: Path, warnings: list[str], supervisors: list[Supervisor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.management.supervisor.MAX_LOG_BYTES", 10)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "sleeper.log").write_text("x" * 11)
    supervisor = supervise(SLEEPER, tmp_path, warnings, supervisors)

    supervisor.start()

    assert (tmp_path / "logs" / "sleeper.old.log").read_text() == "x" * 11


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a child that its parent died")
def test_programs_end_when_their_parent_is_killed(tmp_path: Path, root: Path) -> None:
    parent = f"""
import sys
from pathlib import Path
from evaluation.management.supervisor import Program, Supervisor
program = Program("sleeper", [sys.executable, "-c", {SLEEPER!r}], Path({str(tmp_path)!r}) / "sleeper.log", "ready")
supervisor = Supervisor([program], cwd=Path({str(tmp_path)!r}), warn=print)
supervisor.start()
supervisor.wait_until_ready(30)
print(supervisor.pids["sleeper"], flush=True)
supervisor.watch()
"""
    with subprocess.Popen([sys.executable, "-c", parent], cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        child = os.pidfd_open(int(process.stdout.readline()))

        process.send_signal(signal.SIGKILL)

        ended, _, _ = select.select([child], [], [], 20)
    os.close(child)
    assert ended
