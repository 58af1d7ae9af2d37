"""Replay recorded votes: what does each ruling of an expert buy?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np
from numpy.typing import NDArray

from evaluation.algorithms.claim_graph import ClaimGraph, neighbour_lists
from evaluation.algorithms.reliability import PRIOR_STRENGTH
from evaluation.algorithms.simulation.expert import Expert, ExpertPlan
from evaluation.algorithms.simulation.recorded import RecordedItem, RecordedJudge, judges, lay_out
from evaluation.schemas import SelectionPolicy, UpdateRule

CHECKPOINTS = (0, 5, 10, 20, 50)


@dataclass(frozen=True)
class ReplaySettings:
    """What is simulated: rule and policy, number of rulings and of tie-break seeds, audits, candidate threshold."""

    update: UpdateRule = UpdateRule.REWEIGHT
    policy: SelectionPolicy = SelectionPolicy.POSTERIOR_ENTROPY
    decisions: int = 50
    seeds: int = 16
    audit_every: int = 0
    tau: float = 0.4
    strength: float = PRIOR_STRENGTH


@dataclass(frozen=True)
class Spread:
    """Mean, smallest and largest value over the seeds; None where no seed has a value."""

    mean: float | None
    min: float | None
    max: float | None


@dataclass(frozen=True)
class ReplayResult:
    """Figures of a replay, as shares; `curve` holds the accuracy after 0, 1, ... rulings for a picture."""

    n: int
    n_disagree: int
    majority: float
    oracle_any: float
    judges: tuple[RecordedJudge, ...]
    accuracy: Mapping[str, Spread]
    undecided_accuracy: Mapping[str, Spread]
    auc: Spread
    curve: tuple[Spread, ...] = field(repr=False)

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON, without the curve."""
        figures = asdict(self)
        del figures["curve"]
        return figures


def replay(
    items: Sequence[RecordedItem],
    settings: ReplaySettings,
    judge_of: Mapping[str, str] | None = None,
    graph: ClaimGraph | None = None,
) -> ReplayResult:
    """Let a simulated expert reveal gold, item by item, and follow the accuracy over all items.

    Parameters
    ----------
    items
        Recorded votes with gold.
    settings
        Update rule, policy, number of rulings, seeds.
    judge_of
        Voter to judge, where a judge has several voters (both orders of a pair); its figures are pooled.
    graph
        Claim graph over the items, in their order; needed for the update rule `flip` only.

    Returns
    -------
    ReplayResult
        Accuracies count ruled items as right and level labels in shares (a tie of two as one half); an item without
        any vote counts 1/K. Checkpoints beyond `settings.decisions` are left out.

    Raises
    ------
    ValueError
        If there is no item, no ruling or no seed to simulate, or `flip` has no graph over the items.

    Notes
    -----
    Seeds 0, 1, ... break what ties the ranking leaves. When no candidate is left, the course stays as it is.
    Cost: seeds x decisions x O(patterns log patterns).
    """
    if settings.decisions < 1 or settings.seeds < 1:
        raise ValueError("a replay needs at least one decision and one seed")
    panel = lay_out(items, settings.tau)
    neighbours = _neighbours(settings.update, graph, len(panel))
    plan = ExpertPlan(settings.update, settings.policy, settings.decisions, settings.audit_every, settings.strength)
    courses = [Expert(panel, plan, neighbours, seed).run() for seed in range(settings.seeds)]
    everything = np.array([course.accuracy for course in courses])
    undecided = np.array([course.undecided for course in courses])
    shown = [point for point in CHECKPOINTS if point <= settings.decisions]
    return ReplayResult(
        n=len(panel),
        n_disagree=sum(len({vote.label for vote in item.votes}) > 1 for item in items),
        majority=float(everything[0, 0]),
        oracle_any=float(np.mean([any(vote.label == item.gold for vote in item.votes) for item in items])),
        judges=tuple(judges(items, judge_of or {}, panel.n_labels)),
        accuracy={str(point): _spread(everything[:, point]) for point in shown},
        undecided_accuracy={str(point): _spread(undecided[:, point]) for point in shown},
        auc=_spread(everything[:, 1:].mean(axis=1)),
        curve=tuple(_spread(column) for column in everything.T),
    )


def _neighbours(update: UpdateRule, graph: ClaimGraph | None, n_items: int) -> list[list[int]]:
    if update is not UpdateRule.FLIP:
        return []
    if graph is None or graph.n_claims != n_items:
        raise ValueError(f"the update rule `flip` needs a claim graph over all {n_items} items")
    return [[other for other, _ in neighbours] for neighbours in neighbour_lists(graph)]


def _spread(values: NDArray[np.float64]) -> Spread:
    values = values[~np.isnan(values)]
    if not len(values):
        return Spread(None, None, None)
    return Spread(float(values.mean()), float(values.min()), float(values.max()))
