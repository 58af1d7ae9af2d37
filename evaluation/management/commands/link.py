"""Print another sign-in link: works once, for a day."""

from __future__ import annotations

import json
from argparse import ArgumentParser

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from evaluation.management import running
from evaluation.management.answers import add_json, sentences
from evaluation.services import signin


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", default="", help="who signs in with it (default: the owner)")
        parser.add_argument("--base-url", default="", help="address of the installation, if `up` does not run here")
        add_json(parser)

    def handle(self, *_: object, user: str, base_url: str, as_json: bool, **__: object) -> None:
        with sentences(self.stdout):
            person = _person(user)
            link = signin.link_for(person, base_url or _running_url())
        if as_json:
            self.stdout.write(json.dumps({"link": link, "user": person.username, "is_one_time": True, "hours": 24}))
        else:
            self.stdout.write(f"{link}\nSigns {person.username} in; works once, 24 h.")


def _person(name: str) -> User:
    if not name:
        return signin.owner()
    found = User.objects.filter(username=name, is_active=True).first()
    if found is None:
        raise CommandError(f"There is no active user named {name!r}. The admin page lists them under Users.")
    return found


def _running_url() -> str:
    if notes := running.all_running(settings.DATA_DIR):
        return notes[0].url
    raise CommandError(
        f"JuryFlow is not running with the data in {settings.DATA_DIR}. Start it with: make run "
        "(it prints a link). If it runs elsewhere, name its address with --base-url."
    )
