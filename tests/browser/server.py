"""A real web server (gunicorn, as `up` runs it) on a database file that a test may put back as it was."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.browser.world import World

PATIENCE = 60


@dataclass(frozen=True)
class Server:
    """A running server with its address, its database and the file that the database is put back from."""

    process: subprocess.Popen[bytes]
    url: str
    database: Path
    original: Path

    def restore(self) -> None:
        """Put the database back as it was, under the running server."""
        with closing(sqlite3.connect(self.original)) as source, closing(sqlite3.connect(self.database)) as target:
            source.backup(target)

    def stop(self) -> None:
        """End the server."""
        self.process.terminate()
        self.process.wait(PATIENCE)


def environment(folder: Path, database: Path) -> dict[str, str]:
    """What a process needs to work on a database of its own, with the settings of the tests."""
    own = {"JURYFLOW_DATA": str(folder), "DATABASE_URL": f"sqlite:///{database}", "LOG_LEVEL": "WARNING"}
    return {**os.environ, **own, "DJANGO_SETTINGS_MODULE": "juryflow_app.settings_test"}


def make_world(root: Path, folder: Path) -> World:
    """Make the world in `world.sqlite3` of the folder."""
    command = [sys.executable, "-c", "import django; django.setup(); from tests.browser import world; world.tell()"]
    surroundings = environment(folder, folder / "world.sqlite3")
    made = subprocess.run(command, cwd=root, env=surroundings, stdout=subprocess.PIPE, check=True)
    return World(**json.loads(made.stdout))


def start(root: Path, folder: Path) -> Server:
    """Serve a copy of the world; tasks run in place, so what follows from a click is done when its page is there."""
    original, database = folder / "world.sqlite3", folder / "served.sqlite3"
    shutil.copy(original, database)
    surroundings = environment(folder, database)
    collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(collect, cwd=root, env=surroundings, check=True)
    with socket.socket() as listener, (folder / "web.log").open("wb") as log:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        fd = listener.fileno()
        command = [
            *(sys.executable, "-m", "gunicorn", "juryflow_app.wsgi:application", "--bind", f"fd://{fd}"),
            *("--workers", "1", "--threads", "4", "--timeout", "120", "--no-control-socket"),
        ]
        process = subprocess.Popen(command, cwd=root, env=surroundings, stdout=log, stderr=log, pass_fds=(fd,))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        urllib.request.urlopen(f"{url}/help/", timeout=PATIENCE).close()  # waits in the queue until a worker is up
    return Server(process, url, database, original)
