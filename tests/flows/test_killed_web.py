"""A web process that is killed again and again while a person pauses and resumes a run and rules on claims."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import httpx
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from evaluation.models import Claim, Decision, Outcome, Project, Run
from evaluation.services import bench_material, panel, settling
from tests.flows import endurance
from tests.flows.endurance import Kill, has_ended
from tests.flows.sites import Site, free_port

pytestmark = pytest.mark.slow

CALLS_PER_KILL = 60
CSRF = "x" * 32


@dataclass
class Person:
    """Does one thing after the other in a thread; a form without an answer is sent again, as people do."""

    client: httpx.Client
    project: Project
    rng: random.Random
    is_over: threading.Event = field(default_factory=threading.Event)
    rulings: dict[str, int] = field(default_factory=dict)
    statuses: list[int] = field(default_factory=list)
    n_unanswered: int = 0

    def work(self, claims: list[Claim], run: Run) -> None:
        while not self.is_over.is_set():
            for name in ("run-pause", "run-resume"):
                self.post(name, {}, run_id=run.pk)
            token, label, claim = f"form-{len(self.rulings)}", self.rng.choice(["accept", "reject"]), claims[0]
            claims.append(claims.pop(0))
            self.rulings[token] = claim.pk
            self.post("rule", {"token": token, "label": label, "saw_preview": "1"}, claim_id=claim.pk)
            self.post("run-start", {})

    def post(self, name: str, data: dict[str, str], **where: int) -> None:
        address = reverse(name, kwargs={"slug": self.project.slug, **where})
        while not self.is_over.is_set():
            try:
                self.statuses.append(self.client.post(address, data=data).status_code)
            except httpx.TransportError:
                self.n_unanswered += 1
                self.is_over.wait(0.05)
            else:
                return

    def has_done(self, n: int) -> bool:
        return len(self.statuses) >= n


@contextmanager
def at_work(person: Person, claims: list[Claim], run: Run) -> Iterator[None]:
    thread = threading.Thread(target=person.work, args=(claims, run))
    thread.start()
    try:
        yield
    finally:
        person.is_over.set()
        thread.join()
        person.client.close()


def signed_in(user: User, url: str) -> httpx.Client:
    browser = Client()
    browser.force_login(user)
    cookies = {"sessionid": browser.cookies["sessionid"].value, "csrftoken": CSRF}
    return httpx.Client(base_url=url, cookies=cookies, headers={"X-CSRFToken": CSRF}, timeout=20)


def assert_each_form_counts_once(person: Person) -> None:
    rulings = dict(Decision.objects.filter(project=person.project).values_list("token", "claim_id"))
    assert all(person.rulings[token] == claim_id for token, claim_id in rulings.items())
    assert len(person.rulings) - len(rulings) <= 1, "only the last form can be without an answer"
    for outcome in Outcome.objects.filter(project=person.project).select_related("claim", "pattern"):
        decision = settling.standing_decision(outcome.claim)
        assert outcome.settled_label == (decision.label if decision else "")


def test_a_web_process_killed_at_random_moments_does_everything_once_or_not_at_all(
    make_site: Callable[[str, str], Site],
    is_full: bool,
    record_property: Callable[[str, object], None],
) -> None:
    n_kills, rng, kills = 30 if is_full else 3, random.Random(7), []
    site, port = make_site("sqlite", "embedded"), free_port()
    web, workers = site.web(port), site.workers()
    with endurance.faulty_server() as server:
        project = endurance.make_project(endurance.urls_of(server), CALLS_PER_KILL * n_kills)
        web.start()
        workers.start()
        person = Person(signed_in(project.memberships.get().user, f"http://127.0.0.1:{port}"), project, rng)
        person.post("run-start", {})
        run = project.runs.get(kind=Run.Kind.PANEL)
        with at_work(person, list(project.claims.order_by("pk")[:8]), run):
            for _ in range(n_kills):
                site.wake_until(partial(person.has_done, len(person.statuses) + rng.randint(0, 12)))
                threading.Event().wait(rng.uniform(0, 0.1))
                web.kill()
                kills.append(Kill.now())
                web.start()
            site.wake_until(partial(person.has_done, len(person.statuses) + 4))
        panel.resume(run=run)
        site.wake_until(partial(has_ended, run), 60 + 3 * n_kills)

        whole = bench_material.CLAIMS_PER_RESPONSE  # what follows rulings asks about fewer claims
        log = [entry for entry in endurance.log_of(server) if len(entry.about) == whole]
        figures = endurance.check(run, log, kills)

    forms = {"forms": len(person.statuses), "unanswered": person.n_unanswered, "rulings": len(person.rulings)}
    for name, value in (figures | forms).items():
        record_property(name, value)
    assert set(person.statuses) == {302}
    assert figures["repeats"] == 0
    assert_each_form_counts_once(person)
