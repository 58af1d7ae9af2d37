"""What a project spent of its limits, in a few words for the overview and in figures for its page of money."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Sum

from evaluation.models import Call, Project, Purse, Run
from evaluation.selectors.run_words import why_not_done


@dataclass(frozen=True)
class Spent:
    """What was spent of a limit (None: there is none), and what is reserved for calls on their way."""

    spent_micros: int
    reserved_micros: int
    cap_micros: int | None

    @property
    def is_used_up(self) -> bool:
        return self.cap_micros is not None and self.spent_micros + self.reserved_micros >= self.cap_micros


@dataclass(frozen=True)
class Spending:
    """The project's purse, this week's allowance for second looks, and the last run that did not end as wanted."""

    project: Spent
    second_looks: Spent
    last_run: Run | None
    last_run_words: str


def spending(*, project: Project, week: str) -> Spending:
    """What a project spent; `week` is the key of this week's allowance. Two queries."""
    purses = {purse.key: purse for purse in Purse.objects.filter(project=project, key__in=["project", week])}
    last = project.runs.filter(kind=Run.Kind.PANEL).order_by("-pk").first()
    words = why_not_done(last) if last else ""
    return Spending(
        project=_spent(purses.get("project"), project.cap_micros),
        second_looks=_spent(purses.get(week), project.weekly_second_look_cap_micros),
        last_run=last if words else None,
        last_run_words=words,
    )


@dataclass(frozen=True)
class Unbalanced:
    """A project whose purse and ledger tell differently what was spent."""

    project: Project
    purse_micros: int
    ledger_micros: int


def unbalanced() -> list[Unbalanced]:
    """The projects whose purse does not hold what their calls cost; two queries."""
    purses = Purse.objects.filter(key="project").select_related("project").order_by("pk")
    rows = Call.objects.order_by().values_list("job__run__project").annotate(cost=Sum("cost_micros", default=0))
    cost: dict[int, int] = dict(rows)
    found = [Unbalanced(each.project, each.spent_micros, cost.get(each.project_id, 0)) for each in purses]
    return [each for each in found if each.purse_micros != each.ledger_micros]


def _spent(purse: Purse | None, cap_micros: int | None) -> Spent:
    if purse is None:
        return Spent(0, 0, cap_micros)
    return Spent(purse.spent_micros, purse.reserved_micros, purse.cap_micros)
