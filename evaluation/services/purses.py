"""Reserves money before a call is sent and settles it after: one conditional update a purse, so that no cap breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from evaluation.models import Project, Purse, Run

PROJECT = "project"
SECOND_LOOKS = "second_looks"


@dataclass(frozen=True)
class Emptied:
    """A purse that has no room for what was to be reserved."""

    purse: Purse
    wanted_micros: int

    @property
    def is_for_good(self) -> bool:
        """Whether there is no room even if every call that is out costs nothing."""
        return (self.purse.cap_micros or 0) < self.purse.spent_micros + self.wanted_micros


def of_run(run: Run) -> list[Purse]:
    """The purses a call of this run draws on, narrowest first; those that are missing are made."""
    project = run.project
    wanted: dict[str, int | None] = {}
    if run.kind == Run.Kind.SECOND_LOOK:
        wanted[weekly_key(run.created_at)] = project.weekly_second_look_cap_micros
    wanted[PROJECT] = project.cap_micros
    purses = [Purse.objects.get_or_create(project=project, key=run_key(run), defaults={"run": run})[0]]
    for key, cap in wanted.items():
        purses.append(Purse.objects.get_or_create(project=project, key=key, defaults={"cap_micros": cap})[0])
    return purses


def run_key(run: Run) -> str:
    return f"run/{run.pk}"


def weekly_key(moment: datetime | None = None) -> str:
    """The key of the allowance for second looks of this week, or of another moment's, by ISO week in UTC."""
    year, week, _ = (moment or timezone.now()).astimezone(UTC).isocalendar()
    return f"{SECOND_LOOKS}/{year}-W{week:02}"


def reserve(*, purses: Sequence[Purse], micros: int) -> Emptied | None:
    """Reserve this much in every purse, or in none; returns the first purse that has no room for it."""
    if micros == 0:
        return None
    with transaction.atomic():
        for done, purse in enumerate(purses):
            room = Purse.objects.filter(Purse.has_room(micros), pk=purse.pk)
            if not room.update(reserved_micros=F("reserved_micros") + micros):
                _give_back(purses[:done], micros)
                return Emptied(Purse.objects.get(pk=purse.pk), micros)
    return None


def settle(*, purses: Sequence[Purse], reserved_micros: int, spent_micros: int) -> None:
    """Turn what was reserved into what was spent; call it in the transaction that keeps the reply."""
    if not (reserved_micros or spent_micros):
        return
    for purse in purses:  # in the order of reserving, so that two workers never wait for each other
        Purse.objects.filter(pk=purse.pk).update(
            reserved_micros=F("reserved_micros") - reserved_micros, spent_micros=F("spent_micros") + spent_micros
        )


def _give_back(purses: Sequence[Purse], micros: int) -> None:
    for purse in purses:
        Purse.objects.filter(pk=purse.pk).update(reserved_micros=F("reserved_micros") - micros)


def set_cap(*, project: Project, key: str, cap_micros: int | None) -> None:
    """Set the cap of a purse, made where it is missing; what was spent stays spent."""
    Purse.objects.update_or_create(project=project, key=key, defaults={"cap_micros": cap_micros})
