"""Runs a command of JuryFlow beside a make-believe LLM in a folder of its own: the user's data is not touched."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

from evaluation.errors import MissingPieceError

GRACE_SECONDS = 10.0
SECRET = "only-for-a-scratch-database-that-is-gone-in-a-minute"  # noqa: S105  (the same always: faults are repeatable)


@dataclass(frozen=True)
class Scratch:
    """A folder for a database and a log, and the server that writes the log, in a process of its own."""

    folder: Path
    urls: Mapping[str, str]

    @property
    def log(self) -> Path:
        """The file with a line for each request that the server got."""
        return self.folder / "log.jsonl"

    def run(self, *words: str) -> dict[str, object]:
        """Run a command with --json on the scratch database and return what it prints; it may speak on stderr.

        Raises MissingPieceError with what it said last if it fails.
        """
        process = subprocess.Popen(_command(self.folder, *words, "--json"), stdout=subprocess.PIPE, text=True)  # noqa: S603
        try:
            printed, _ = process.communicate()
        finally:
            _end(process)
        if process.returncode:
            raise MissingPieceError(f"{' '.join(words[:2])} failed; what it said is above.")
        found: dict[str, object] = json.loads(printed.splitlines()[-1])
        return found


@contextmanager
def beside_a_server(options: Sequence[str]) -> Iterator[Scratch]:
    """Serve with these options of `fake_llm` until the end. Raises MissingPieceError where it does not start."""
    with TemporaryDirectory(prefix="juryflow-") as name:
        folder = Path(name)
        words = ("fake_llm", "--port", "0", "--json", "--log", str(folder / "log.jsonl"), *options)
        server = subprocess.Popen(_command(folder, *words), stdout=subprocess.PIPE, text=True)  # noqa: S603
        try:
            line = server.stdout.readline() if server.stdout else ""
            if not line:
                raise MissingPieceError("The make-believe LLM did not start; what it said is above.")
            yield Scratch(folder, json.loads(line)["base_urls"])
        finally:
            _end(server)


def _command(folder: Path, *words: str) -> list[str]:
    """Return a command line that inherits the environment but for what leads to the user's data."""
    changed = {
        "DATABASE_URL": f"sqlite:///{folder / 'scratch.sqlite3'}",
        "BROKER_URL": f"sqla+sqlite:///{folder / 'broker.sqlite3'}",
        "JURYFLOW_DATA": str(folder),
        "JURYFLOW_EMBEDDER": "hashing",
        "SECRET_KEY": SECRET,
        "LOG_LEVEL": "ERROR",
    }
    setting = [f"{name}={value}" for name, value in changed.items()]
    return ["env", *setting, sys.executable, str(settings.BASE_DIR / "manage.py"), *words]


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
