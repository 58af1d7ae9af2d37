"""Recorded votes with gold, laid out by vote pattern for a simulated expert."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.algorithms.agreement import cohen_kappa
from evaluation.algorithms.entropy import is_candidate, vote_entropy
from evaluation.algorithms.outcome import PanelOutcomes, VoteTable, vote_table
from evaluation.algorithms.patterns import Pattern, pattern_of
from evaluation.schemas import Vote


@dataclass(frozen=True)
class RecordedItem:
    """An item with its gold label, its cast votes, and the voters that were asked in vain."""

    item: str
    gold: str
    votes: tuple[Vote, ...]
    failed: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecordedJudge:
    """A judge against gold: accuracy (a failed answer counts 1/K) and kappa over its cast votes (None: undefined)."""

    name: str
    accuracy: float
    kappa: float | None


@dataclass(frozen=True, eq=False)
class RecordedPanel:
    """All items by pattern: everything about a replay that does not depend on the seed."""

    patterns: tuple[Pattern, ...]
    table: VoteTable
    pattern_of: NDArray[np.int64]  # (n,), row of patterns
    gold: NDArray[np.int64]  # (n,), column of labels; L for a gold that nobody ever cast
    gold_labels: tuple[str, ...]  # gold of each item
    n_labels: int
    panel_entropy: tuple[float, ...]  # per pattern
    is_candidate: NDArray[np.bool_]  # (P,)
    is_full: tuple[bool, ...]  # per pattern, whether all voters of the set cast a vote

    def __len__(self) -> int:
        return len(self.pattern_of)

    def credit(self, outcomes: PanelOutcomes) -> NDArray[np.float64]:
        """Give each item 1 if its outcome is gold; level labels share the credit, and an unjudged item gets 1/K."""
        top = np.hstack([outcomes.is_top, np.zeros((len(self.patterns), 1), dtype=np.bool_)])
        n_top = top.sum(axis=1, keepdims=True)
        shares = np.where(n_top > 0, top / np.maximum(n_top, 1), 1.0 / self.n_labels)
        found: NDArray[np.float64] = shares[self.pattern_of, self.gold]
        return found


def lay_out(items: Sequence[RecordedItem], tau: float) -> RecordedPanel:
    """Group items by vote pattern.

    Parameters
    ----------
    items
        At least one item.
    tau
        Candidate threshold on normalised entropy.

    Returns
    -------
    RecordedPanel
        Patterns in the order of first appearance.

    Raises
    ------
    ValueError
        If there is no item.
    """
    if not items:
        raise ValueError("there is no item with gold to replay")
    of_item = [pattern_of("recorded", 1, item.votes) for item in items]
    by_key = {pattern.key: pattern for pattern in of_item}
    row = {key: number for number, key in enumerate(by_key)}
    patterns = tuple(by_key.values())
    table = vote_table([pattern.votes for pattern in patterns])
    column = {label: number for number, label in enumerate(table.labels)}
    n_labels = max(2, len({*table.labels, *(item.gold for item in items)}))
    counts = [pattern.counts() for pattern in patterns]
    return RecordedPanel(
        patterns=patterns,
        table=table,
        pattern_of=np.array([row[pattern.key] for pattern in of_item]),
        gold=np.array([column.get(item.gold, len(column)) for item in items]),
        gold_labels=tuple(item.gold for item in items),
        n_labels=n_labels,
        panel_entropy=tuple(vote_entropy(count, n_labels) if count else 0.0 for count in counts),
        is_candidate=np.array([is_candidate(count, n_labels, tau) for count in counts]),
        is_full=tuple(pattern.n_cast == len(table.voters) for pattern in patterns),
    )


def judges(items: Sequence[RecordedItem], judge_of: Mapping[str, str], n_labels: int) -> list[RecordedJudge]:
    """Compare each judge with gold, pooling its voters.

    Parameters
    ----------
    items
        Items with gold.
    judge_of
        Voter to name of its judge; a voter that is missing is its own judge.
    n_labels
        K; a failed answer counts as right by the chance of a guess, 1/K, like a tie.

    Returns
    -------
    list of RecordedJudge
        Most accurate first, then by name.
    """
    said: dict[str, list[tuple[str, str]]] = {}
    failed: dict[str, int] = {}
    for item in items:
        for vote in item.votes:
            said.setdefault(judge_of.get(vote.voter, vote.voter), []).append((vote.label, item.gold))
        for voter in item.failed:
            name = judge_of.get(voter, voter)
            failed[name] = failed.get(name, 0) + 1
    found = [_judge(name, said.get(name, []), failed.get(name, 0), n_labels) for name in {*said, *failed}]
    return sorted(found, key=lambda judge: (-judge.accuracy, judge.name))


def _judge(name: str, said: Sequence[tuple[str, str]], n_failed: int, n_labels: int) -> RecordedJudge:
    right = sum(label == gold for label, gold in said) + n_failed / n_labels
    kappa = cohen_kappa([label for label, _ in said], [gold for _, gold in said]).value
    return RecordedJudge(name, right / (len(said) + n_failed), kappa)
