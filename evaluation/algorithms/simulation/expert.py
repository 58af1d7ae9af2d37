"""A simulated expert who reveals the gold of one item after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from evaluation.algorithms.outcome import PanelOutcomes
from evaluation.algorithms.propagation import flip
from evaluation.algorithms.reliability import estimate, tally
from evaluation.algorithms.selection import PatternRow, audit_pick, is_audit_turn, rank_patterns
from evaluation.algorithms.simulation.recorded import RecordedPanel
from evaluation.schemas import SelectionPolicy, UpdateRule


@dataclass(frozen=True)
class ExpertPlan:
    """What the expert does: update rule, policy, how many rulings, audits, and the prior strength of judges."""

    update: UpdateRule
    policy: SelectionPolicy
    decisions: int
    audit_every: int
    strength: float


@dataclass(frozen=True, eq=False)
class Course:
    """One run: accuracy over all items and over those not ruled on, after 0, 1, ... rulings; NaN where none is left."""

    accuracy: NDArray[np.float64]
    undecided: NDArray[np.float64]


class Expert:
    """The state of one run; every ruling updates it."""

    def __init__(self, panel: RecordedPanel, plan: ExpertPlan, neighbours: Sequence[Sequence[int]], seed: int) -> None:
        self.panel, self.plan, self.neighbours, self.seed = panel, plan, neighbours, seed
        self.lots: NDArray[np.int64] = self._generator().permutation(len(panel))
        self.is_open = np.ones(len(panel), dtype=np.bool_)
        self.rulings_on = np.zeros(len(panel.patterns), dtype=np.int64)
        self.tally = dict.fromkeys(panel.table.voters, (0.0, 0.0))
        self.flipped: dict[int, str] = {}
        self.defended: frozenset[int] = frozenset()
        self.outcomes = self._weigh()

    def run(self) -> Course:
        """Rule until the plan is fulfilled or nothing is left to ask, and note the accuracies on the way."""
        everything, undecided = [], []
        for turn in range(self.plan.decisions + 1):
            if turn and (item := self._pick(turn - 1)) is not None:
                self._rule(item)
            credit = self._credit()
            everything.append(credit.mean())
            undecided.append(credit[self.is_open].mean() if self.is_open.any() else np.nan)
        return Course(np.array(everything), np.array(undecided))

    def _generator(self) -> Generator:
        return np.random.default_rng(self.seed)

    def _weigh(self) -> PanelOutcomes:
        weights = {
            voter: estimate(*counts, self.panel.n_labels, self.plan.strength).weight
            for voter, counts in self.tally.items()
        }
        return self.panel.table.outcomes(weights, self.panel.n_labels)

    def _pick(self, turn: int) -> int | None:
        if is_audit_turn(turn, self.plan.audit_every) and self.is_open.any():
            return audit_pick(np.flatnonzero(self.is_open).tolist(), seed=self.seed * 100_003 + turn).claim_id
        waiting = np.flatnonzero(self.is_open & self.panel.is_candidate[self.panel.pattern_of])
        if not len(waiting):
            return None
        n_open = np.bincount(self.panel.pattern_of[waiting], minlength=len(self.panel.patterns))
        ranked = rank_patterns(self._rows(n_open), int(self.rulings_on.sum()), self.plan.policy)
        best = {scored.key for scored in ranked if scored.rank == ranked[0].rank}
        level = np.array([pattern.key in best for pattern in self.panel.patterns])
        first = waiting[level[self.panel.pattern_of[waiting]]]
        return int(first[np.argmin(self.lots[first])])

    def _rows(self, n_open: NDArray[np.int64]) -> list[PatternRow]:
        panel = self.panel
        return [
            PatternRow(
                key=pattern.key,
                split=pattern.split,
                n_open=int(n_open[row]),
                panel_entropy=panel.panel_entropy[row],
                posterior_entropy=float(self.outcomes.entropy[row]),
                rulings=int(self.rulings_on[row]),
                is_full_panel=panel.is_full[row],
            )
            for row, pattern in enumerate(panel.patterns)
        ]

    def _rule(self, item: int) -> None:
        row, gold = int(self.panel.pattern_of[item]), self.panel.gold_labels[item]
        if self.plan.update is UpdateRule.FLIP:
            self._flip(item, gold)
        self.is_open[item] = False
        self.rulings_on[row] += 1
        if self.plan.update is UpdateRule.REWEIGHT:
            for voter, (agreed, decided) in tally([(self.panel.patterns[row].votes, gold)]).items():
                before = self.tally[voter]
                self.tally[voter] = (before[0] + agreed, before[1] + decided)
            self.outcomes = self._weigh()

    def _flip(self, item: int, gold: str) -> None:
        disputed = self.is_open & self.panel.is_candidate[self.panel.pattern_of]
        near = [other for other in self.neighbours[item] if disputed[other]]
        labels = {one: self._label(one) for one in (item, *near)}
        change = flip(labels, item, gold, near, self.defended)
        self.flipped.update(change.labels)
        self.defended = change.defended

    def _label(self, item: int) -> str | None:
        if item in self.flipped:
            return self.flipped[item]
        return self.outcomes.outcome(int(self.panel.pattern_of[item])).label

    def _credit(self) -> NDArray[np.float64]:
        credit = self.panel.credit(self.outcomes)
        for item, label in self.flipped.items():
            credit[item] = label == self.panel.gold_labels[item]
        credit[~self.is_open] = 1.0
        return credit
