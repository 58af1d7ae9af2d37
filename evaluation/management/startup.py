"""The steps of a start, told as they are done, and the programs that run afterwards."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User

from evaluation.errors import MissingPieceError
from evaluation.management import preparing
from evaluation.management.announcing import Announcer, short
from evaluation.management.ports import Listener, does_answer
from evaluation.management.supervisor import Program
from evaluation.models import Claim, Judge, Project, Response, VotePattern
from evaluation.services import prices

N_STEPS = 5


def database_name() -> str:
    """Return where the database is, without user or password."""
    name = str(settings.DATABASES["default"]["NAME"])
    return (
        short(Path(name))
        if settings.IS_EMBEDDED
        else f"{name} on {settings.DATABASES['default']['HOST'] or 'this machine'}"
    )


def bring_database_up_to_date(say: Announcer) -> bool:
    """Migrate, after a copy where there is something to lose, add new prices; return whether the database is new."""
    is_new = preparing.is_new_database()
    missing = preparing.unapplied_migrations()
    if missing and not is_new:
        say.line(f"  {len(missing)} changes to the database came with this version.")
        if settings.IS_EMBEDDED:
            copy = preparing.copy_database(Path(settings.DATABASES["default"]["NAME"]), settings.DATA_DIR / "backups")
            say.line(f"  The database as it was is kept in {short(copy)} (the newest five copies stay).")
        else:
            say.line("  No copy was made: use the database server's own backup.")
    if missing:
        preparing.migrate()
    prices.seed()
    if is_new:
        where = "(survives a new clone; move it with DATABASE_URL)"
        say.done(f"3/{N_STEPS} Database  {database_name()}", f"ok   {where}")
    return is_new


def load_demo(say: Announcer) -> None:
    """Load the demo where there is no other project, nobody has ever signed in, and it has no votes yet.

    A process of its own does it, since joining like claims needs torch and this one lives as long as JuryFlow.
    Raises MissingPieceError with the last lines of that process where it fails.
    """
    has_other = Project.objects.filter(is_demo=False).exists() or User.objects.filter(last_login__isnull=False).exists()
    if has_other or VotePattern.objects.filter(project__is_demo=True, n_cast__gt=0).exists():
        return
    started = time.monotonic()
    step = f"4/{N_STEPS} Demo"
    lines = []
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "load_demo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as loading:  # noqa: S603
        for line in loading.stdout or ():
            lines.append(line)
            say.passing(step, line.strip())
    if loading.returncode:
        raise MissingPieceError(f"The demo could not be loaded; start without it: up --no-demo\n{''.join(lines[-8:])}")
    say.done(f"{step}: {_demo_counts()}", f"ok   {time.monotonic() - started:.0f} s")


def _demo_counts() -> str:
    n_memos = Response.objects.filter(project__is_demo=True).count()
    n_claims = Claim.objects.filter(project__is_demo=True).count()
    n_judges = Judge.objects.filter(project__is_demo=True).count()
    return f"{n_memos} memos, {n_claims} claims, {n_judges} offline judges"


def programs(listener: Listener, logs: Path) -> Sequence[Program]:
    """Return what `up` keeps running: the web server, a worker for each queue, and the clock."""
    celery = [sys.executable, "-m", "celery", "-A", "juryflow_app.celery"]
    alone = ["--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "INFO"]
    fd = listener.socket.fileno()
    web = [
        *(sys.executable, "-m", "gunicorn", "juryflow_app.wsgi:application", "--bind", f"fd://{fd}"),
        *("--workers", "2", "--threads", "4", "--timeout", "120", "--graceful-timeout", "5", "--no-control-socket"),
        *("--config", "python:juryflow_app.web_server"),
    ]
    default = [*celery, "worker", "-Q", "default", "-P", "threads", "-c", "4", "-n", "default@%h", *alone]
    vectors = [*celery, "worker", "-Q", "vectors", "-P", "solo", "-n", "vectors@%h", *alone]
    clock = [*celery, "beat", "-l", "INFO", "--pidfile=", "-s", str(settings.DATA_DIR / f"clock-{listener.port}")]
    return [
        Program("web", web, logs / "web.log", "Booting worker", (fd,), lambda: does_answer(listener.port)),
        Program("worker", default, logs / "worker.log", "ready."),
        Program("vectors", vectors, logs / "vectors.log", "ready."),
        Program("clock", clock, logs / "clock.log", "beat: Starting"),
    ]
