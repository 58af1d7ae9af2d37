"""Reserving and settling money: all purses of a call or none, and never above a cap."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation.models import Project, Purse, Run
from evaluation.services import purses
from tests.factories import make_project, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def capped(project: Project, cap_micros: int | None, *, run_cap: int | None = None) -> list[Purse]:
    """The purses of a new panel run under these caps."""
    Project.objects.filter(pk=project.pk).update(cap_micros=cap_micros)
    project.refresh_from_db()
    run = make_run(project, kind=Run.Kind.PANEL)
    if run_cap is not None:
        purses.set_cap(project=project, key=purses.run_key(run), cap_micros=run_cap)
    return purses.of_run(run)


def state_of(drawn_on: list[Purse]) -> list[tuple[int, int]]:
    rows = {purse.pk: purse for purse in Purse.objects.filter(pk__in=[purse.pk for purse in drawn_on])}
    return [(rows[purse.pk].reserved_micros, rows[purse.pk].spent_micros) for purse in drawn_on]


def test_it_reserves_in_the_purses_of_the_run_and_of_the_project(project: Project) -> None:
    drawn_on = capped(project, 1_000)

    assert purses.reserve(purses=drawn_on, micros=400) is None
    assert state_of(drawn_on) == [(400, 0), (400, 0)]


def test_settling_turns_what_was_reserved_into_what_was_spent(project: Project) -> None:
    drawn_on = capped(project, 1_000)
    purses.reserve(purses=drawn_on, micros=400)

    purses.settle(purses=drawn_on, reserved_micros=400, spent_micros=150)

    assert state_of(drawn_on) == [(0, 150), (0, 150)]


def test_the_last_micro_dollar_can_be_spent_and_not_one_more(project: Project) -> None:
    drawn_on = capped(project, 1_000)

    first = purses.reserve(purses=drawn_on, micros=1_000)
    second = purses.reserve(purses=drawn_on, micros=1)

    assert first is None
    assert second is not None
    assert (second.purse.key, second.wanted_micros, second.purse.left_micros) == (purses.PROJECT, 1, 0)


def test_where_one_purse_has_no_room_nothing_is_reserved_in_any(project: Project) -> None:
    drawn_on = capped(project, 1_000, run_cap=5_000)

    emptied = purses.reserve(purses=drawn_on, micros=1_001)

    assert emptied is not None
    assert emptied.purse.key == purses.PROJECT
    assert state_of(drawn_on) == [(0, 0), (0, 0)]


def test_a_run_has_a_cap_of_its_own(project: Project) -> None:
    drawn_on = capped(project, None, run_cap=300)

    emptied = purses.reserve(purses=drawn_on, micros=301)

    assert emptied is not None
    assert emptied.purse.key.startswith("run/")


def test_without_a_cap_everything_has_room(project: Project) -> None:
    assert purses.reserve(purses=capped(project, None), micros=10**15) is None


def test_a_cap_of_nothing_lets_only_free_calls_through(project: Project) -> None:
    drawn_on = capped(project, 0)

    assert purses.reserve(purses=drawn_on, micros=0) is None
    assert purses.reserve(purses=drawn_on, micros=1) is not None


def test_only_second_looks_draw_on_the_weekly_allowance(project: Project) -> None:
    project.weekly_second_look_cap_micros = 700
    looks = purses.of_run(make_run(project, kind=Run.Kind.SECOND_LOOK))
    panel = purses.of_run(make_run(project, kind=Run.Kind.PANEL))

    assert [purse.key.split("/")[0] for purse in looks] == ["run", purses.SECOND_LOOKS, purses.PROJECT]
    assert looks[1].cap_micros == 700
    assert [purse.key.split("/")[0] for purse in panel] == ["run", purses.PROJECT]


def test_runs_of_a_project_share_its_purse(project: Project) -> None:
    first, second = capped(project, 1_000), capped(project, 1_000)
    purses.reserve(purses=first, micros=600)

    emptied = purses.reserve(purses=second, micros=600)

    assert emptied is not None
    assert emptied.purse.left_micros == 400


def test_a_raised_cap_makes_room_and_forgets_nothing(project: Project) -> None:
    drawn_on = capped(project, 1_000)
    purses.reserve(purses=drawn_on, micros=900)
    purses.settle(purses=drawn_on, reserved_micros=900, spent_micros=900)

    purses.set_cap(project=project, key=purses.PROJECT, cap_micros=1_500)

    assert purses.reserve(purses=drawn_on, micros=600) is None
    assert purses.reserve(purses=drawn_on, micros=1) is not None


@pytest.mark.parametrize(("spent", "reserved", "is_for_good"), [(0, 900, False), (200, 700, False), (900, 0, True)])
def test_a_purse_is_empty_for_good_where_no_money_can_come_back(
    project: Project, spent: int, reserved: int, is_for_good: bool
) -> None:
    drawn_on = capped(project, 1_000)
    Purse.objects.filter(key=purses.PROJECT).update(spent_micros=spent, reserved_micros=reserved)

    emptied = purses.reserve(purses=drawn_on, micros=200)

    assert emptied is not None
    assert emptied.is_for_good == is_for_good


@dataclass
class Book:
    """What a purse should hold, kept by hand."""

    cap: int
    reserved: list[int] = field(default_factory=list)
    spent: int = 0

    def has_room(self, micros: int) -> bool:
        return self.spent + sum(self.reserved) + micros <= self.cap


deeds = st.lists(st.tuples(st.booleans(), st.integers(1, 60), st.integers(0, 100)), max_size=12)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(cap=st.integers(0, 150), run_cap=st.integers(0, 150), deeds=deeds)
def test_whatever_is_reserved_and_settled_no_cap_breaks(
    project: Project, cap: int, run_cap: int, deeds: list[tuple[bool, int, int]]
) -> None:
    Purse.objects.all().delete()
    drawn_on = capped(project, cap, run_cap=run_cap)
    books = [Book(run_cap), Book(cap)]

    for is_reserving, micros, percent in deeds:
        if is_reserving:
            is_taken = purses.reserve(purses=drawn_on, micros=micros) is None
            assert is_taken == all(book.has_room(micros) for book in books)
            for book in books:
                book.reserved += [micros] if is_taken else []
        elif books[0].reserved:
            reserved = books[0].reserved[0]
            spent = reserved * percent // 100
            purses.settle(purses=drawn_on, reserved_micros=reserved, spent_micros=spent)
            for book in books:
                book.reserved.pop(0)
                book.spent += spent
        assert state_of(drawn_on) == [(sum(book.reserved), book.spent) for book in books]
        assert all(book.spent + sum(book.reserved) <= book.cap for book in books)
