"""What the weighted panel holds true of a claim, for one claim or for all vote patterns at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.algorithms.patterns import Pattern
from evaluation.schemas import OutcomeState, Vote

EQUAL_SUPPORT = 1e-9


@dataclass(frozen=True)
class PanelOutcome:
    """The panel's label (None if split or unjudged), the support of each cast label, and how unsure that leaves us.

    `entropy` is that of the support, normalised like a vote's: 0 sure, 1 as unsure as so many votes can be.
    """

    state: OutcomeState
    label: str | None
    support: Mapping[str, float]
    entropy: float


@dataclass(frozen=True, eq=False)
class PanelOutcomes:
    """Outcomes of P patterns over L labels as arrays; `outcome` gives one of them as an object."""

    labels: tuple[str, ...]
    n_voters: NDArray[np.int64]  # (P,)
    is_cast: NDArray[np.bool_]  # (P, L)
    support: NDArray[np.float64]  # (P, L), rows sum to 1, zero where nobody cast the label
    is_top: NDArray[np.bool_]  # (P, L), the labels of greatest support, more than one if split
    entropy: NDArray[np.float64]  # (P,)

    def outcome(self, row: int) -> PanelOutcome:
        """Outcome of one pattern."""
        return self._outcomes(slice(row, row + 1))[0]

    def all(self) -> list[PanelOutcome]:
        """Outcomes of all patterns, in their order."""
        return self._outcomes(slice(None))

    def _outcomes(self, rows: slice) -> list[PanelOutcome]:
        columns = (self.n_voters, self.is_cast, self.support, self.is_top, self.entropy)
        return [self._one(*values) for values in zip(*(column[rows].tolist() for column in columns), strict=True)]

    def _one(
        self, n_voters: int, is_cast: list[bool], support: list[float], is_top: list[bool], entropy: float
    ) -> PanelOutcome:
        supports = {label: share for label, cast, share in zip(self.labels, is_cast, support, strict=True) if cast}
        label = self.labels[is_top.index(True)] if sum(is_top) == 1 else None
        if n_voters < 2:
            state = OutcomeState.THIN if n_voters else OutcomeState.UNJUDGED
        else:
            state = OutcomeState.OPEN if label is not None else OutcomeState.SPLIT
        return PanelOutcome(state, label, supports, entropy)


@dataclass(frozen=True, eq=False)
class VoteTable:
    """The votes of P patterns as flat arrays, one entry per vote, so that a re-weighting is a few array sums."""

    voters: tuple[str, ...]
    labels: tuple[str, ...]
    cell: NDArray[np.int64]  # (votes,), pattern * L + label
    voter: NDArray[np.int64]  # (votes,)
    share: NDArray[np.float64]  # (votes,)
    n_voters: NDArray[np.int64]  # (P,)

    def outcomes(self, weights: Mapping[str, float], n_labels: int) -> PanelOutcomes:
        """Softmax of summed weights over the labels that were cast, for all patterns.

        Parameters
        ----------
        weights
            Voter to weight, which may be negative.
        n_labels
            K, the labels that votes and gold can take for this kind of claim.

        Returns
        -------
        PanelOutcomes
            In the order of the patterns.

        Raises
        ------
        KeyError
            If a voter has no weight.
        ValueError
            If a pattern has more labels than `n_labels`.

        Notes
        -----
        A label without a vote has no support, so re-weighting can neither invent a label nor overturn a unanimous
        claim, however negative the weights are. Labels whose summed weights differ by less than 1e-9 are level.
        Cost: O(votes + P L).
        """
        by_voter = np.array([weights[voter] for voter in self.voters], dtype=np.float64)
        mass = self._per_cell(self.share)
        is_cast = mass > 0
        if is_cast.sum(axis=1).max(initial=0) > n_labels:
            raise ValueError(f"a claim has votes for more than the {n_labels} labels that exist")
        score = np.where(is_cast, self._per_cell(self.share * by_voter[self.voter]), -np.inf)
        best = np.where(self.n_voters > 0, score.max(axis=1, initial=-np.inf), 0.0)[:, None]
        support = np.exp(score - best)
        support /= np.maximum(support.sum(axis=1, keepdims=True), 1.0)
        is_top = is_cast & (score >= best - EQUAL_SUPPORT)
        n_cast = np.maximum(mass.sum(axis=1), is_cast.sum(axis=1))  # samples may divide two votes over three labels
        entropy = _normalised_entropy(support, n_cast, n_labels)
        entropy[self.n_voters < 2] = 0.0
        return PanelOutcomes(self.labels, self.n_voters, is_cast, support, is_top, entropy)

    def _per_cell(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        shape = (len(self.n_voters), len(self.labels))
        sums = np.bincount(self.cell, values, minlength=shape[0] * shape[1])
        return sums.astype(np.float64, copy=False).reshape(shape)


def vote_table(ballots: Sequence[Sequence[Vote]]) -> VoteTable:
    """Lay out the votes of many patterns as arrays.

    Parameters
    ----------
    ballots
        For each pattern its cast votes; an empty sequence is an unjudged pattern.

    Returns
    -------
    VoteTable
        Rows in the order of `ballots`.

    Notes
    -----
    Cost: O(votes). Build it once where several weightings of the same patterns are compared.
    """
    sizes = [len(votes) for votes in ballots]
    flat = [vote for votes in ballots for vote in votes]
    voter_index = {name: column for column, name in enumerate(sorted({vote.voter for vote in flat}))}
    label_index = {name: column for column, name in enumerate(sorted({vote.label for vote in flat}))}
    row = np.repeat(np.arange(len(ballots)), np.array(sizes, dtype=np.int64))
    voter = np.array([voter_index[vote.voter] for vote in flat], dtype=np.int64)
    label = np.array([label_index[vote.label] for vote in flat], dtype=np.int64)
    share = np.array([vote.share for vote in flat], dtype=np.float64)
    ballot_box = np.bincount(row * len(voter_index) + voter, minlength=len(ballots) * len(voter_index))
    n_voters = (ballot_box.reshape(len(ballots), len(voter_index)) > 0).sum(axis=1)
    return VoteTable(tuple(voter_index), tuple(label_index), row * len(label_index) + label, voter, share, n_voters)


def panel_outcome(votes: Sequence[Vote], weights: Mapping[str, float], n_labels: int) -> PanelOutcome:
    """Outcome of one claim: softmax of summed weights over the labels that were cast.

    Parameters
    ----------
    votes
        Cast votes on the claim.
    weights
        Voter to weight, which may be negative.
    n_labels
        K, the labels that votes and gold can take for this kind of claim.

    Returns
    -------
    PanelOutcome
        `unjudged` without a vote, `thin` with one voter, `split` if the top labels are level, else `open`.

    Raises
    ------
    KeyError
        If a voter has no weight.
    ValueError
        If more labels were cast than `n_labels`.

    Notes
    -----
    One voter whose samples are level is `thin` without a label. Support is how the panel leans, not a probability
    that the label is right: on recorded panels its calibration error is 6 to 13 points.

    Examples
    --------
    >>> panel_outcome([Vote("a", "accept"), Vote("b", "reject")], {"a": 1.0, "b": 1.0}, 3).state.value
    'split'
    """
    return vote_table([votes]).outcomes(weights, n_labels).outcome(0)


def panel_outcomes(
    patterns: Mapping[str, Pattern], weights: Mapping[str, float], n_labels: int
) -> dict[str, PanelOutcome]:
    """Outcome of every pattern under one weighting; see `panel_outcome` for the rule and what it raises."""
    found = vote_table([pattern.votes for pattern in patterns.values()]).outcomes(weights, n_labels)
    return dict(zip(patterns, found.all(), strict=True))


def _normalised_entropy(
    support: NDArray[np.float64], n_cast: NDArray[np.float64], n_labels: int
) -> NDArray[np.float64]:
    logs = np.log(support, out=np.zeros_like(support), where=support > 0)
    most = np.log(np.maximum(2.0, np.minimum(float(n_labels), n_cast)))
    entropy: NDArray[np.float64] = np.clip(-(support * logs).sum(axis=1) / most, 0.0, 1.0)
    return entropy
