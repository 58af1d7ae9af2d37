"""Runs in a process of its own: serves every page as the web process does, and says what that process has imported."""

from __future__ import annotations

import json
import sys

from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from juryflow_app.wsgi import application
from tests.browser.pages import PEOPLE, visits_of
from tests.browser.world import World

HEAVY = {"torch", "sentence_transformers", "transformers"}


def serve(world: World) -> None:
    """Visit every page for everybody, rule, undo and start a run; print statuses and heavy imports as JSON."""
    call_command("collectstatic", interactive=False, verbosity=0)
    clients = {person: Client(SERVER_NAME="127.0.0.1") for person in PEOPLE}
    for person, client in clients.items():
        if person:
            client.force_login(User.objects.get(username=person))
    pages = {
        f"{visit.title} {visit.path}": (clients[visit.person].get(visit.path).status_code, visit.status)
        for visit in visits_of(world)
    }
    actions = [_post(clients["owner"], world, name) for name in ("rule", "undo", "rubric-adopt", "run-start")]
    heavy = sorted(HEAVY & {name.split(".")[0] for name in sys.modules})
    json.dump({"pages": pages, "actions": actions, "heavy": heavy, "is_wsgi": callable(application)}, sys.stdout)


def _post(client: Client, world: World, name: str) -> int:
    rows = {"rule": ("claim_id", "claim"), "undo": ("decision_id", "decision"), "rubric-adopt": ("entry_id", "entry")}
    data = {
        "rule": {"label": "reject", "token": "once", "saw_preview": "1"},
        "rubric-adopt": {"without_example": "yes"},
        "run-start": {"again": "yes"},
    }
    argument, key = rows.get(name, ("", ""))
    arguments = {argument: world.ids[f"ruled-{key}"]} if argument else {}
    address = reverse(name, kwargs={"slug": world.slugs["ruled"], **arguments})
    return client.post(address, data.get(name, {})).status_code


def main() -> None:
    """Take the world as JSON from standard input."""
    serve(World(**json.load(sys.stdin)))
