"""Several people at the same work at once; run by test_races.py on a database that threads really share."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.urls import reverse

from evaluation.models import Claim, Decision, Outcome, Project, TrackRecord, VotePattern
from evaluation.services import settling, track_records
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)

Deed = Callable[[], int]
THREADS = 6


def at_once(deeds: Sequence[Deed]) -> list[int]:
    """Do all deeds from threads that start together; returns the status each page answered with."""
    barrier = threading.Barrier(THREADS)

    def go(numbered: tuple[int, Deed]) -> int:
        number, deed = numbered
        if number < THREADS:
            barrier.wait(10)
        try:
            return deed()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(go, enumerate(deeds)))


@pytest.fixture
def disputed() -> list[Claim]:
    project = factories.make_project(owner=factories.make_user())
    judges, chance = factories.make_judges(project, 4), random.Random(3)
    claims = [factories.make_claim(project) for _ in range(10)]
    for claim in claims:
        factories.vote(claim, {judge: chance.choice(["accept", "reject"]) for judge in judges})
    track_records.remake(project=project, kind="statement")
    return claims


def ruling(expert: User, claim: Claim, label: str, token: str) -> Deed:
    address = reverse("rule", kwargs={"slug": claim.project.slug, "claim_id": claim.pk})

    def deed() -> int:
        client = Client()
        client.force_login(expert)
        return client.post(address, {"token": token, "label": label, "saw_preview": "1"}).status_code

    return deed


def undoing(expert: User, project: Project, chance: random.Random) -> Deed:
    def deed() -> int:
        standing = list(Decision.objects.filter(project=project, undo=None))
        if not standing:
            return 302
        client = Client()
        client.force_login(expert)
        address = reverse("undo", kwargs={"slug": project.slug, "decision_id": chance.choice(standing).pk})
        return client.post(address).status_code

    return deed


def made_anew(project: Project) -> tuple[list[object], list[object]]:
    records = TrackRecord.objects.filter(project=project).order_by("judge_id", "order")
    rows = VotePattern.objects.filter(project=project).order_by("pk")
    return (
        list(records.values_list("judge_id", "order", "agreed", "decided", "weight")),
        list(rows.values_list("pk", "state", "label", "n_open")),
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_what_stands_is_what_the_surviving_rulings_say(disputed: list[Claim], seed: int) -> None:
    project, chance = disputed[0].project, random.Random(seed)
    owner = project.memberships.get().user
    experts = [owner, *(factories.make_member(project).user for _ in range(2))]
    deeds: list[Deed] = []
    for number in range(36):
        expert, claim = chance.choice(experts), chance.choice(disputed)
        deeds.append(ruling(expert, claim, chance.choice(["accept", "reject"]), f"t{number}"))
        if number % 4 == 0:
            deeds.append(deeds[-1])
        if number % 5 == 0:
            deeds.append(undoing(owner, project, chance))

    answered = at_once(deeds)

    assert set(answered) <= {200, 302, 422}
    for outcome in Outcome.objects.filter(project=project).select_related("claim", "pattern"):
        decision = settling.standing_decision(outcome.claim)
        assert outcome.source == ("expert" if decision else "panel")
        assert outcome.settled_label == (decision.label if decision else "")
    for row in VotePattern.objects.filter(project=project):
        assert row.n_open == Outcome.objects.filter(pattern=row, source="panel", claim__is_void=False).count()
    stored = made_anew(project)
    track_records.remake(project=project, kind="statement")
    assert made_anew(project) == stored


def test_one_form_sent_many_times_at_once_is_one_ruling(disputed: list[Claim]) -> None:
    expert = disputed[0].project.memberships.get().user

    answered = at_once([ruling(expert, disputed[0], "accept", "one-form")] * 12)

    assert set(answered) <= {200, 302}
    assert Decision.objects.count() == 1


def test_two_experts_on_one_claim_both_keep_their_ruling(disputed: list[Claim]) -> None:
    project = disputed[0].project
    experts = [factories.make_member(project).user for _ in range(THREADS)]

    answered = at_once([ruling(expert, disputed[0], "reject", f"t{expert.pk}") for expert in experts])

    assert set(answered) == {302}
    assert Decision.objects.filter(claim=disputed[0]).count() == THREADS
    assert Outcome.objects.get(claim=disputed[0]).settled_label == "reject"
