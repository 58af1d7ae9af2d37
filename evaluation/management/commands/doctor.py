"""Check Python, packages, database, broker, worker, model, browser, keys and disk, and say what to do."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict

from django.core.management.base import BaseCommand, CommandError

from evaluation.management import checks
from evaluation.management.answers import add_json

MARKS = {"ok": "ok", "warning": "--", "bad": "!!"}


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_json(parser)

    def handle(self, *_: object, as_json: bool, **__: object) -> None:
        found = [look() for look in checks.ALL]
        bad = [check.name for check in found if check.state == "bad"]
        if as_json:
            self.stdout.write(json.dumps({"ok": not bad, "checks": [asdict(check) for check in found]}, indent=2))
        else:
            for check in found:
                self._print(check)
        if bad:
            raise CommandError(f"Not in order: {', '.join(bad)}. What to do stands beside each.")

    def _print(self, check: checks.Check) -> None:
        self.stdout.write(f"  {MARKS[check.state]}  {check.name:<15} {check.found}")
        if check.advice:
            self.stdout.write(f"      {'':<15} {check.advice}")
