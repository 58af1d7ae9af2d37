"""The limits of what a project may spend: in all, in a week on second looks, and in one run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db import transaction

from evaluation.errors import InvalidInputError
from evaluation.models import Judge, Project, Run
from evaluation.services import prices, projects, purses


def check_cap(cap_micros: int | None) -> None:
    """Refuse a cap below zero; None is no limit. Raises InvalidInputError."""
    if cap_micros is not None and cap_micros < 0:
        raise InvalidInputError("A cap cannot be below zero: leave it empty for no limit.")


def set_caps(*, project: Project, cap_micros: int | None, weekly_second_look_cap_micros: int | None) -> Project:
    """Set what the project may spend in all, and in a week on second looks; None is no limit.

    What is spent stays spent: under a cap below it nothing more is sent. Raises InvalidInputError below zero.
    """
    for cap in (cap_micros, weekly_second_look_cap_micros):
        check_cap(cap)
    with transaction.atomic():
        projects.hold(project)
        project.cap_micros = cap_micros
        project.weekly_second_look_cap_micros = weekly_second_look_cap_micros
        project.save(update_fields=["cap_micros", "weekly_second_look_cap_micros"])
        purses.set_cap(project=project, key=purses.PROJECT, cap_micros=cap_micros)
        for key in _weeks(project):
            purses.set_cap(project=project, key=key, cap_micros=weekly_second_look_cap_micros)
    return project


def _weeks(project: Project) -> set[str]:
    """The keys of this week's allowance and of the weeks of second looks that still go on."""
    going_on = project.runs.filter(kind=Run.Kind.SECOND_LOOK, state__in=Run.OPEN_STATES)
    return {purses.weekly_key(), *(purses.weekly_key(run.created_at) for run in going_on)}


def unpriced(judges: Iterable[Judge]) -> list[Judge]:
    """The judges of these that ask somebody at a price that is not known; one query."""
    listed = list(judges)
    cards = prices.cards(listed)
    return [judge for judge in listed if cards[judge.pk] is None]


def price_blockers(*, judges: Iterable[Judge], caps: Iterable[int | None]) -> Iterator[str]:
    """The sentence about judges that ask at an unknown price where a cap could not be kept; none otherwise."""
    if any(cap is not None for cap in caps) and (strange := unpriced(judges)):
        yield price_problem(strange)


def price_problem(unpriced_judges: Iterable[Judge]) -> str:
    """The sentence about judges without a price under a cap."""
    strange = list(unpriced_judges)
    named = ", ".join(f"{judge.name} ({judge.model})" for judge in strange)
    if any(prices.asks_for_more(judge) for judge in strange):
        todo = "take service_tier and speed out of their parameters, since no price here holds for a dearer tier"
    else:
        todo = "enter it on the page Prices (0 for a server of your own)"
    return f"No price is known for {named}, so a cap could not be kept: {todo}, or take the caps away."
