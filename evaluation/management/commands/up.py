"""Start JuryFlow on this machine: database, demo at the first start, web, workers and clock."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import timezone

from evaluation.management import ports, preparing, running, startup
from evaluation.management.announcing import Announcer, short
from evaluation.management.answers import add_json, sentences
from evaluation.management.supervisor import Supervisor
from evaluation.services import signin

READY_SECONDS = 60.0
NEXT = "your own votes:   .venv/bin/python manage.py import_data votes.csv --dry-run"


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="first port to try (default 8000)")
        parser.add_argument("--no-demo", dest="is_bare", action="store_true", help="do not load the demo")
        add_json(parser)

    def handle(self, *_: object, port: int, is_bare: bool, as_json: bool, **__: object) -> None:
        self.as_json = as_json
        self.say = Announcer(self.stdout, is_quiet=as_json)
        with sentences(self.stdout), ports.listening(port) as listener:
            self._prepare(is_bare=is_bare)
            self._serve(listener)

    def _prepare(self, *, is_bare: bool) -> None:
        self.is_first = startup.bring_database_up_to_date(self.say)
        self.owner: User = signin.owner()
        if not is_bare:
            startup.load_demo(self.say)
        preparing.make_broker(settings.BROKER_URL)
        preparing.collect_static()
        connection.close()

    def _serve(self, listener: ports.Listener) -> None:
        logs = settings.DATA_DIR / "logs"
        supervisor = Supervisor(startup.programs(listener, logs), cwd=settings.BASE_DIR, warn=self._warn)
        note = running.Running(listener.url, os.getpid(), timezone.now().isoformat())
        self._say_taken(listener)
        supervisor.heed_signals()
        with running.noted(settings.DATA_DIR, note):
            try:
                supervisor.start()
                late = supervisor.wait_until_ready(READY_SECONDS)
                if not supervisor.is_stopping:
                    self._say_ready(listener, supervisor.pids, late)
                    supervisor.watch()
                self.say.line("Stopping …")
            finally:
                supervisor.end()
        self.say.line("Stopped: web, workers and clock have ended.")

    def _say_taken(self, listener: ports.Listener) -> None:
        ours = {note.url for note in running.all_running(settings.DATA_DIR)}
        for port in listener.taken[:3]:
            is_ours = f"http://{ports.HOST}:{port}" in ours
            likeness = "JuryFlow with the same data" if is_ours else ports.answers_like(port)
            answer = f" (it answers like {likeness})" if likeness else ""
            self._warn(f"Port {port} is taken{answer}. Using {listener.port}.")

    def _say_ready(self, listener: ports.Listener, pids: dict[str, int], late: list[str]) -> None:
        if late:
            self._warn(f"Not ready after {READY_SECONDS:.0f} seconds: {', '.join(late)}. See the logs.")
        link = signin.link_for(self.owner, listener.url)
        logs = settings.DATA_DIR / "logs"
        connection.close()
        if self.as_json:
            facts = {"url": listener.url, "link": link, "pid": os.getpid(), "programs": pids, "logs": str(logs)}
            self.stdout.write(json.dumps({**facts, "late": late}))
            self.stdout.flush()
            return
        if self.is_first:
            self.say.done(f"5/{startup.N_STEPS} Web and worker", "ok" if not late else "not ready yet")
            self.say.line()
        self.say.line(f"  Open   {link}      signs you in as owner; works once, 24 h; `make link` prints another")
        self.say.line(f"  Keys   {_keys()} · nothing is sent before you say so")
        if self.is_first:
            self.say.line(f"  Next   {NEXT}")
        self.say.line(f"  Stop   Ctrl-C (web and worker; nothing is lost) · logs in {short(logs)}")

    def _warn(self, text: str) -> None:
        out = self.stderr if self.as_json else self.stdout
        out.write(f"! {text}")
        out.flush()


def _keys() -> str:
    found = " · ".join(f"{name} found" for name in sorted(settings.PROVIDER_KEYS))
    return found or "no API key in the environment, and the offline judges need none"
