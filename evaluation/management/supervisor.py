"""Starts a few programs, keeps them alive, and ends all of them together."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.errors import MissingPieceError

GRACE_SECONDS = 10.0
POLL_SECONDS = 0.25
MAX_STARTS = 4
CRASH_WINDOW = 120.0
MAX_LOG_BYTES = 5_000_000
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux's prctl


@dataclass(frozen=True)
class Program:
    """A command to keep alive; it works once `ready_word` is in its log and `probe` says so."""

    name: str
    command: Sequence[str]
    log: Path
    ready_word: str
    pass_fds: tuple[int, ...] = ()
    probe: Callable[[], bool] = lambda: True


@dataclass
class _Child:
    program: Program
    process: subprocess.Popen[bytes]
    log_start: int
    starts: list[float] = field(default_factory=list)


class Supervisor:
    """The programs of one `up`: in its process group, and gone with it."""

    def __init__(self, programs: Sequence[Program], *, cwd: Path, warn: Callable[[str], None]) -> None:
        self._programs = programs
        self._cwd = cwd
        self._warn = warn
        self._children: list[_Child] = []
        self._stop = threading.Event()
        self._n_signals = 0

    @property
    def pids(self) -> dict[str, int]:
        """The process ids of the programs by their names."""
        return {child.program.name: child.process.pid for child in self._children}

    @property
    def is_stopping(self) -> bool:
        """Whether a signal has asked for the end."""
        return self._stop.is_set()

    def heed_signals(self) -> None:
        """Let Ctrl-C, a polite kill and a closed terminal end the programs; a second signal does so at once."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, *_: object) -> None:
        self._n_signals += 1
        self._stop.set()

    def start(self) -> None:
        """Start every program."""
        for program in self._programs:
            if not self._stop.is_set():
                process, log_start = self._launch(program)
                self._children.append(_Child(program, process, log_start, [time.monotonic()]))

    def _launch(self, program: Program) -> tuple[subprocess.Popen[bytes], int]:
        program.log.parent.mkdir(parents=True, exist_ok=True)
        if program.log.exists() and program.log.stat().st_size > MAX_LOG_BYTES:
            program.log.replace(program.log.with_suffix(".old.log"))
        with program.log.open("ab") as log:
            log_start = log.tell()
            process = subprocess.Popen(  # noqa: S603
                program.command,
                cwd=self._cwd,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=program.pass_fds,
                preexec_fn=_dying_with_parent(),
            )
        return process, log_start

    def wait_until_ready(self, seconds: float) -> list[str]:
        """Wait until each program works; return the names of those that did not in time.

        Raises MissingPieceError where one keeps crashing.
        """
        deadline = time.monotonic() + seconds
        while waiting := [child.program.name for child in self._children if not _is_ready(child)]:
            if time.monotonic() > deadline or self._stop.wait(POLL_SECONDS):
                return waiting
            self._revive()
        return []

    def watch(self) -> None:
        """Start crashed programs again until a signal comes.

        Raises MissingPieceError where one keeps crashing.
        """
        while not self._stop.wait(POLL_SECONDS):
            self._revive()

    def _revive(self) -> None:
        for child in self._children:
            code = child.process.poll()
            if code is None or self._stop.is_set():
                continue
            now = time.monotonic()
            child.starts = [start for start in child.starts if now - start < CRASH_WINDOW]
            if len(child.starts) >= MAX_STARTS:
                raise MissingPieceError(
                    f"The {child.program.name} stopped {MAX_STARTS} times within {CRASH_WINDOW:.0f} seconds "
                    f"(last exit code {code}), so everything was ended. The cause is at the end of {child.program.log}."
                )
            self._warn(f"The {child.program.name} stopped (exit code {code}) and is started again: {child.program.log}")
            child.process, child.log_start = self._launch(child.program)
            child.starts.append(now)

    def end(self) -> None:
        """End every program: politely first, by force after ten seconds or a second signal."""
        self._stop.set()
        n_signals = self._n_signals
        for child in self._children:
            child.process.terminate()
        deadline = time.monotonic() + GRACE_SECONDS
        while any(child.process.poll() is None for child in self._children):
            if time.monotonic() > deadline or self._n_signals > n_signals:
                for child in self._children:
                    child.process.kill()
            time.sleep(POLL_SECONDS / 5)


def _is_ready(child: _Child) -> bool:
    with child.program.log.open("rb") as log:
        log.seek(child.log_start)
        has_said_so = child.program.ready_word.encode() in log.read()
    return has_said_so and child.program.probe()


def _dying_with_parent() -> Callable[[], object] | None:
    """Return what makes a Linux child end when this process is killed; elsewhere None."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(DIE_WITH_PARENT, signal.SIGTERM)
