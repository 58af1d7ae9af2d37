"""The projects and people that the browser tests look at; a process of its own makes them in a database of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from evaluation.models import Call, Claim, Invitation, Membership, Project
from evaluation.services import decisions, demo, draws, foreground, imports, projects, trials
from tests import factories
from tests.browser.hostile import PERSON, make_hostile
from tests.browser.paused import make_paused
from tests.browser.tested import make_tested

RULED = "Memos that were ruled on"
PAIRS = "Pairs of answers"
EMPTY = "Nothing yet"
INCLUDED = "Installation is included in the price."
PAIRS_ASKED = (
    ("Write a haiku.", "Snow on the fridge\nis melting slowly", "A poem", ("first", "second", "first")),
    ("Name a colour.", "Teal.", "I cannot.", ("second", "second", "first")),
    ("Count to three.", "1, 2, 3", "1, 3", ("first", "first", "second")),
)


@dataclass(frozen=True)
class World:
    """Where things are: slugs of the projects, keys of rows, tokens of invitations, session keys of people."""

    slugs: Mapping[str, str]
    ids: Mapping[str, int]
    tokens: Mapping[str, str]
    sessions: Mapping[str, str]
    n_disputed: int


def tell() -> None:
    """Make the world in an empty database and print where things are, as JSON."""
    call_command("migrate", interactive=False, verbosity=0)
    json.dump(asdict(make_world()), sys.stdout)


def make_world() -> World:
    """Make every project, what happened in it, and its people."""
    people = {name: factories.make_user(name) for name in ("owner", "expert", "newcomer")}
    User.objects.filter(pk=people["owner"].pk).update(is_superuser=True, is_staff=True, first_name="Tom")
    User.objects.filter(pk=people["expert"].pk).update(first_name=PERSON)
    made = {
        "ruled": _ruled(people["owner"]),
        "demo": demo.load(owner=people["newcomer"]),
        "pairs": _pairs(people["owner"]),
        "empty": projects.create(name=EMPTY, owner=people["owner"]),
        "hostile": make_hostile(people["owner"], people["expert"]),
    }
    for name in ("ruled", "pairs", "empty"):
        factories.make_member(made[name], people["expert"])
    factories.make_member(made["demo"], people["owner"], role=Membership.Role.OWNER)
    invitation = projects.invite(project=made["ruled"], role=Membership.Role.EXPERT, by=people["owner"])
    sessions = {name: _sign_in(person) for name, person in people.items()}
    return World(
        slugs={name: project.slug for name, project in made.items()},
        ids=_ids(made),
        tokens={"open": invitation.token, "hostile": Invitation.objects.get(project=made["hostile"]).token},
        sessions=sessions,
        n_disputed=made["demo"].outcomes.filter(pattern__is_candidate=True).count(),
    )


def _ruled(owner: User) -> Project:
    """The demo's memos as a project of their own, with three rulings and what follows from them."""
    project = demo.load(owner=owner)
    project.is_demo = False
    project.name, project.slug = RULED, "ruled"
    project.save()
    make_tested(project, owner)
    for ref in ("q2-aster-3", "q1-aster-3", "q2-cedar-2"):
        claim = Claim.objects.select_related("project", "outcome__pattern", "instance").get(
            project=project, external_id=ref
        )
        draw = draws.by_hand(claim=claim, expert=owner)
        decision = decisions.record(draw=draw, ruling=decisions.Ruling(label="reject", reason="The offer says so."))
        foreground.follow_up(decision=decision)
    if draft := project.rubric_entries.filter(status="draft").first():
        foreground.finish(run=trials.request(entry=draft, by=owner))
    return project


def _pairs(owner: User) -> Project:
    project = projects.create(name=PAIRS, owner=owner, kind="preference")
    record = imports.prepare(project=project, content=_pair_lines().encode(), filename="pairs.jsonl", by=owner)
    imports.commit(record=record, on_conflict="stop", by=owner)
    factories.rule(project.claims.get(external_id="p3"), owner, "first")
    make_paused(project, owner)
    return project


def _pair_lines() -> str:
    lines = []
    for number, (asked, first, second, votes) in enumerate(PAIRS_ASKED, start=1):
        ids = (f"p{number}-a", f"p{number}-b")
        responses = [
            {"id": name, "text": text, "system": system}
            for name, text, system in zip(ids, (first, second), ("Aster", "Birch"), strict=True)
        ]
        verdicts = dict(zip(("gpt", "claude", "palm"), votes, strict=True))
        claim = {"id": f"p{number}", "text": "Which is better?", "responses": ids, "verdicts": verdicts}
        instance = {"id": f"p{number}", "prompt": asked, "context": "For a card."}
        lines.append(json.dumps({**instance, "responses": responses, "claims": [claim]}))
    return "\n".join(lines)


def _sign_in(person: User) -> str:
    client = Client()
    client.force_login(person)
    return client.cookies["sessionid"].value


def _ids(made: Mapping[str, Project]) -> dict[str, int]:
    """Keys of rows that have pages of their own, such as `ruled-claim` and `hostile-entry`."""
    ids = {}
    for name, project in made.items():
        rows = {
            "claim": project.claims.filter(outcome__source="panel", outcome__pattern__is_candidate=True).first(),
            "ruled-claim": project.claims.filter(outcome__source="expert").first(),
            "decision": project.decisions.first(),
            "move": project.decisions.filter(propagation__moves__isnull=False).first(),
            "entry": project.rubric_entries.filter(status="draft").first(),
            "run": project.runs.exclude(kind__in=["trial", "test"]).exclude(state="paused").first(),
            "paused": project.runs.filter(state="paused").first(),
            "call": Call.objects.filter(job__run__project=project, job__judge__isnull=False).order_by("pk").first(),
            "test": project.runs.filter(kind="test").first(),
            "judge": project.judges.order_by("provider", "pk").first(),
            "trial": project.runs.filter(kind="trial").first(),
            "import": project.imports.first(),
        }
        ids.update({f"{name}-{key}": row.pk for key, row in rows.items() if row is not None})
    return ids
