"""Brings database, broker and static files up to date before anything is served."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from kombu import Exchange, Queue

COPIES_KEPT = 5
FINGERPRINT = "juryflow-fingerprint"


def unapplied_migrations() -> list[str]:
    """Return the names of the migrations that this code has and the database lacks."""
    executor = MigrationExecutor(connection)
    return [str(migration) for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def is_new_database() -> bool:
    """Return whether no migration was ever applied."""
    return not MigrationExecutor(connection).loader.applied_migrations


def copy_database(database: Path, folder: Path) -> Path:
    """Copy an embedded database into `folder`, keep the newest five copies, and return the new one."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"juryflow-{timezone.now():%Y%m%dT%H%M%S%f}.sqlite3"
    with (
        closing(sqlite3.connect(database)) as source,
        closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy)
    for old in sorted(folder.glob("juryflow-*.sqlite3"))[:-COPIES_KEPT]:
        old.unlink()
    return target


def migrate() -> None:
    """Apply every migration."""
    call_command("migrate", interactive=False, verbosity=0)


def make_broker(url: str) -> None:
    """Create the embedded broker's tables, so that programs started at once do not race to create them."""
    if not url.startswith("sqla+sqlite"):
        return
    with closing(sqlite3.connect(settings.BROKER_FILE)) as file:
        file.execute("PRAGMA journal_mode=WAL")
    with current_app.connection_for_write(url) as broker, broker.channel() as channel:
        for name in ("default", "vectors"):
            Queue(name, Exchange(name), routing_key=name).bind(channel).declare()


def collect_static() -> bool:
    """Collect the static files unless they are as they were; return whether it was done."""
    root = Path(settings.STATIC_ROOT)
    stamp = root / FINGERPRINT
    wanted = _fingerprint(_static_files())
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(wanted, encoding="utf-8")
    return True


def _static_files() -> Iterable[Path]:
    for finder in get_finders():
        for path, storage in finder.list(["CVS", ".*", "*~"]):
            yield Path(storage.path(path))


def _fingerprint(files: Iterable[Path]) -> str:
    parts = []
    for file in files:
        facts = file.stat()
        parts.append(f"{file}:{facts.st_size}:{facts.st_mtime_ns}")
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()
