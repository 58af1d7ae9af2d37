"""What is to be expected of a run before it starts: what it takes, what it costs, and what stands in its way."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING

from evaluation.models import Project
from evaluation.selectors.dollars import dollars
from evaluation.services import budgets, costing, estimating
from evaluation.services.costing import RunCost
from evaluation.services.counting import Wish
from evaluation.services.estimating import RunEstimate


@dataclass(frozen=True)
class Expected:
    """A run before it starts; `can_batch` says whether a judge could be asked through a batch API."""

    takes: RunEstimate
    costs: RunCost
    blockers: tuple[str, ...]
    can_batch: bool

    def facts(self) -> dict[str, object]:
        """What a run keeps of it, so that its page can say what was expected."""
        return self.costs.facts(n_calls_low=self.takes.n_calls_low, n_calls_high=self.takes.n_calls_high)


def expect(*, project: Project, wish: Wish, in_batches: bool = False, cap_micros: int | None = None) -> Expected:
    """Say what a run would take and cost; under a cap, a judge whose price is not known stands in its way."""
    takes, askings = estimating.with_askings(project=project, wish=wish)
    costs = costing.estimate_cost(project=project, askings=askings, in_batches=in_batches)
    blockers = list(takes.blockers)
    if costs.unpriced and (cap_micros is not None or project.cap_micros is not None):
        blockers.append(budgets.price_problem(costs.unpriced))
    return Expected(
        takes=takes,
        costs=costs,
        blockers=tuple(blockers),
        can_batch=any(costing.has_batches(asking.judge) for asking in askings),
    )


def cap_problems(*, project: Project, wish: Wish, in_batches: bool, cap_micros: int | None) -> list[str]:
    """A sentence on every judge that could not be asked at all under a cap, since one call may cost more."""
    if cap_micros is None:
        return []
    costs = expect(project=project, wish=wish, in_batches=in_batches).costs
    return [
        f"One call of {each.judge} may cost up to {dollars(each.call_micros, ROUND_CEILING)}: with this cap it cannot "
        "be asked. Raise the cap, or lower the judge's longest reply."
        for each in costs.judges
        if (each.call_micros or 0) > cap_micros
    ]
