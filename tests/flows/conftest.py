"""Sites that stories can make, and this process pointed at their databases."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connections
from pytest_django import DjangoDbBlocker

from tests.flows.sites import BROKERS, PORTS, POSTGRES, SECRET_KEY, Site, execute, forget_queue, needs, point_at


@pytest.fixture(scope="module")
def restored(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Lets tests point this process at databases of their own and brings the usual one back."""
    kept = connections.databases["default"], connections["default"]
    with django_db_blocker.unblock():
        yield
    connections["default"].close()
    connections.databases["default"] = kept[0]
    connections["default"] = kept[1]


@pytest.fixture(scope="module")
def template(restored: None) -> Iterator[str]:
    """A migrated database on PostgreSQL that others are copied from."""
    needs("postgres")
    name = f"juryflow_test_{uuid.uuid4().hex[:12]}"
    execute(f'CREATE DATABASE "{name}"')
    point_at(f"{POSTGRES}/{name}")
    call_command("migrate", verbosity=0)
    connections["default"].close()
    yield name
    execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="session")
def migrated(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file that others are copied from."""
    folder = tmp_path_factory.mktemp("migrated")
    file = folder / "db.sqlite3"
    settings = {"DATABASE_URL": f"sqlite:///{file}", "JURYFLOW_DATA": str(folder), "SECRET_KEY": SECRET_KEY}
    settings["DJANGO_SETTINGS_MODULE"] = "juryflow_app.settings"
    command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    subprocess.run(command, cwd=root, env={**os.environ, **settings}, check=True)
    return file


@pytest.fixture
def make_site(
    root: Path, tmp_path: Path, restored: None, request: pytest.FixtureRequest
) -> Iterator[Callable[[str, str], Site]]:
    """Builds a site and points this process at its database; everything of it is gone afterwards.

    A broker is rabbitmq, redis, embedded or an address.
    """
    sites: list[Site] = []

    def make(database: str, broker: str) -> Site:
        needs(*({database, broker} & set(PORTS)))
        name = f"juryflow_test_{uuid.uuid4().hex[:12]}"
        urls = f"sqlite:///{tmp_path / 'db.sqlite3'}", f"sqla+sqlite:///{tmp_path / 'broker.sqlite3'}"
        if database == "postgres":
            execute(f'CREATE DATABASE "{name}" TEMPLATE "{request.getfixturevalue("template")}"')
        site = Site(root, tmp_path, f"{POSTGRES}/{name}" if database == "postgres" else urls[0], "", name)
        site.broker = broker if "://" in broker else BROKERS.get(broker, urls[1])
        sites.append(site)
        site.write_settings()
        if database == "sqlite":
            shutil.copy(request.getfixturevalue("migrated"), tmp_path / "db.sqlite3")
        point_at(site.database)
        return site

    yield make
    for site in sites:
        site.end()
        connections["default"].close()
        forget_queue(site)
        if site.database.startswith("postgres"):
            execute(f'DROP DATABASE "{site.queue}" WITH (FORCE)')
