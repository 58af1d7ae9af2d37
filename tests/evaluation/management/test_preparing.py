"""Copies before migrations, tables of the broker, and static files only when they changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from pytest_django.fixtures import Settings

from evaluation.management import preparing


@pytest.fixture
def embedded(tmp_path: Path) -> Path:
    """A small embedded database in a file."""
    file = tmp_path / "juryflow.sqlite3"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("CREATE TABLE kept (value)")
        database.execute("INSERT INTO kept VALUES (42)")
    return file


@pytest.fixture
def statics(tmp_path: Path, settings: Settings) -> Path:
    source = tmp_path / "static"
    source.mkdir()
    (source / "app.css").write_text("body {}")
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    return source


def test_a_copy_holds_what_the_database_held(embedded: Path, tmp_path: Path) -> None:
    copy = preparing.copy_database(embedded, tmp_path / "backups")

    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT value FROM kept").fetchall() == [(42,)]


def test_only_the_newest_five_copies_are_kept(embedded: Path, tmp_path: Path) -> None:
    made = [preparing.copy_database(embedded, tmp_path / "backups") for _ in range(7)]

    assert sorted((tmp_path / "backups").iterdir()) == sorted(made[-5:])


@pytest.mark.django_db
def test_a_migrated_database_lacks_nothing() -> None:
    assert preparing.unapplied_migrations() == []
    assert not preparing.is_new_database()


@pytest.mark.django_db
def test_a_migration_that_is_not_recorded_is_named() -> None:
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes("evaluation")[0]
    MigrationRecorder(connection).record_unapplied(*newest)

    missing = preparing.unapplied_migrations()

    assert any(".".join(newest) in name for name in missing)


def test_the_embedded_broker_has_its_tables_before_anything_uses_it(tmp_path: Path, settings: Settings) -> None:
    settings.BROKER_FILE = tmp_path / "broker.sqlite3"
    settings.BROKER_URL = f"sqla+sqlite:///{settings.BROKER_FILE}"

    preparing.make_broker(settings.BROKER_URL)

    with closing(sqlite3.connect(settings.BROKER_FILE)) as broker:
        names = {name for (name,) in broker.execute("SELECT name FROM kombu_queue")}
    assert names == {"default", "vectors"}


def test_static_files_are_collected_once(statics: Path) -> None:
    first, again = preparing.collect_static(), preparing.collect_static()

    assert (first, again) == (True, False)


def test_a_changed_static_file_is_collected_again(statics: Path) -> None:
    preparing.collect_static()
    (statics / "app.css").write_text("body { color: black }")

    has_collected = preparing.collect_static()

    assert has_collected
