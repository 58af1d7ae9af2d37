"""Many who reserve money at once; run by test_races.py on a database that threads really share."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections, transaction

from evaluation.models import Project, Purse, Run
from evaluation.services import purses
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 6
N_EACH = 25
CAP = 40_000


def busy_worker(drawn_on: Sequence[Purse], seed: int, barrier: threading.Barrier) -> list[tuple[int, int]]:
    """Reserve, call and settle again and again; returns what was reserved and spent for each call that had room."""
    chance, done = random.Random(seed), []
    barrier.wait(10)
    try:
        for _ in range(N_EACH):
            most = chance.randint(100, 900)
            if purses.reserve(purses=drawn_on, micros=most) is None:
                spent = chance.randint(0, most)
                with transaction.atomic():
                    purses.settle(purses=drawn_on, reserved_micros=most, spent_micros=spent)
                done.append((most, spent))
    finally:
        connections.close_all()
    return done


def work_at_once(runs: Sequence[Run]) -> list[list[tuple[int, int]]]:
    barrier = threading.Barrier(THREADS)
    drawn = [purses.of_run(run) for run in runs]
    with ThreadPoolExecutor(THREADS) as pool:
        futures = [pool.submit(busy_worker, drawn[n % len(drawn)], n, barrier) for n in range(THREADS)]
        return [future.result() for future in futures]


def project_with(cap_micros: int) -> Project:
    project = factories.make_project()
    project.cap_micros = project.weekly_second_look_cap_micros = cap_micros
    project.save()
    return project


def runs_of(project: Project) -> list[Run]:
    return [factories.make_run(project, kind=kind) for kind in (Run.Kind.SECOND_LOOK, Run.Kind.TEST, Run.Kind.PANEL)]


def test_what_is_spent_is_what_was_settled_and_never_above_the_cap() -> None:
    project = project_with(CAP)

    done = work_at_once(runs_of(project))

    spent = sum(spent for worker in done for _, spent in worker)
    purse = Purse.objects.get(key=purses.PROJECT)
    assert purse.reserved_micros == 0
    assert purse.spent_micros == spent <= CAP
    own = Purse.objects.filter(key__startswith="run/").values_list("spent_micros", flat=True)
    assert sum(own) == spent


def test_reservations_that_are_never_settled_stay_within_the_cap() -> None:
    project = project_with(CAP)
    drawn = [purses.of_run(run) for run in runs_of(project)]
    barrier = threading.Barrier(THREADS)

    def reserve_all(number: int) -> int:
        barrier.wait(10)
        try:
            chance = random.Random(number)
            wanted = [chance.randint(100, 900) for _ in range(N_EACH)]
            taken = [m for m in wanted if purses.reserve(purses=drawn[number % 3], micros=m) is None]
            return sum(taken)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        taken = sum(pool.map(reserve_all, range(THREADS)))

    purse = Purse.objects.get(key=purses.PROJECT)
    assert purse.reserved_micros == taken <= CAP
    assert purse.reserved_micros > CAP - 900
    assert sum(Purse.objects.filter(key__startswith="run/").values_list("reserved_micros", flat=True)) == taken


def test_an_allowance_and_a_cap_hold_both() -> None:
    project = project_with(CAP)
    purses.set_cap(project=project, key=purses.weekly_key(), cap_micros=5_000)

    work_at_once(runs_of(project))

    weekly = Purse.objects.get(key=purses.weekly_key())
    assert weekly.reserved_micros == 0
    assert weekly.spent_micros <= 5_000
