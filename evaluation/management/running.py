"""Notes about each running `up`, kept in the data folder while it lives."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Running:
    """An `up` that is running now."""

    url: str
    pid: int
    started_at: str


@contextmanager
def noted(folder: Path, running: Running) -> Iterator[Path]:
    """Keep a locked note while the block runs; the lock ends with this process, however it ends."""
    file = folder / f"up-{running.pid}.json"
    with file.open("w", encoding="utf-8") as note:
        fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
        note.write(json.dumps(asdict(running)))
        note.flush()
        try:
            yield file
        finally:
            file.unlink(missing_ok=True)


def all_running(folder: Path) -> list[Running]:
    """Return every `up` that uses this data folder now, the newest first; notes left by a crash are removed."""
    found = [running for file in sorted(folder.glob("up-*.json")) if (running := _read(file))]
    return sorted(found, key=lambda running: running.started_at, reverse=True)


def _read(file: Path) -> Running | None:
    with file.open(encoding="utf-8") as note:
        try:
            fcntl.flock(note, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return Running(**json.loads(note.read()))
        file.unlink(missing_ok=True)
    return None
