"""Two experts at once, and many who reserve money at once, on a real PostgreSQL and on an SQLite file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

POSTGRES = "postgres://postgres@127.0.0.1:5432"


def is_there() -> bool:
    try:
        psycopg.connect(f"{POSTGRES}/postgres", connect_timeout=3).close()
    except psycopg.OperationalError:
        return False
    return True


@pytest.mark.parametrize("database", ["postgres", "sqlite"])
def test_nothing_is_lost_when_several_work_at_once(root: Path, tmp_path: Path, database: str) -> None:
    if database == "postgres" and not is_there():
        pytest.skip("PostgreSQL does not answer on 127.0.0.1:5432, so both were only tried on SQLite")
    settings = {"DATABASE_URL": f"{POSTGRES}/juryflow_races_{os.getpid()}"}
    if database == "sqlite":
        file = str(tmp_path / "races.sqlite3")
        settings = {"DATABASE_URL": f"sqlite:///{file}", "JURYFLOW_TEST_DATABASE": file}
    files = ["tests/flows/races.py", "tests/flows/purse_races.py", "tests/flows/worker_races.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files]

    environment = {**os.environ, **settings, "JURYFLOW_DATA": str(tmp_path)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-4000:]
