"""What a rule changes when judges vote on ruled claims with and without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluation.algorithms.outcome import vote_table
from evaluation.schemas import Vote

Ballots = Mapping[int, Mapping[str, str]]
"""Claim to voter to label; an empty label is an answer without a vote."""


class Change(StrEnum):
    """What became of the panel's answer on a claim, held against the ruling."""

    SAME = "same"
    BETTER = "better"
    WORSE = "worse"
    OTHER = "other"


@dataclass(frozen=True)
class Compared:
    """The panel's answer on one claim without and with the rule; None is a tie or no vote."""

    claim: int
    ruling: str
    before: str | None
    after: str | None

    @property
    def change(self) -> Change:
        """Better and worse are towards and away from the ruling."""
        if self.before == self.after:
            return Change.SAME
        if self.after == self.ruling:
            return Change.BETTER
        return Change.WORSE if self.before == self.ruling else Change.OTHER


@dataclass(frozen=True)
class VoterCompared:
    """How often one voter agreed with the rulings, on the `n` claims it answered both times."""

    voter: str
    n: int
    before: int
    after: int


@dataclass(frozen=True)
class Trial:
    """Claims that were answered both times, and the voters that answered them."""

    claims: tuple[Compared, ...]
    voters: tuple[VoterCompared, ...]


def compare(
    rulings: Mapping[int, str], before: Ballots, after: Ballots, weights: Mapping[str, float], n_labels: int
) -> Trial:
    """Hold the answers of a panel without and with a rule against experts' rulings.

    Parameters
    ----------
    rulings
        Claim to the label an expert ruled.
    before, after
        Answers without and with the rule, per claim and voter.
    weights
        Voter to weight, as the panel is weighted now; the same for both.
    n_labels
        K, the labels that votes and rulings can take for this kind of claim.

    Returns
    -------
    Trial
        Claims in the order of `rulings`, voters by name.

    Raises
    ------
    KeyError
        If a voter that cast a vote has no weight.

    Notes
    -----
    Only pairs count: an answer of a voter on a claim is used where it came both times, so that a failed call makes no
    difference between the two. A claim without any pair is left out. An answer without a vote is a pair, and agrees
    with no ruling. The panel's answer is that of `outcome.panel_outcome`; a tie agrees with no ruling.

    Examples
    --------
    >>> trial = compare({7: "reject"}, {7: {"a": "accept"}}, {7: {"a": "reject"}}, {"a": 1.0}, 3)
    >>> trial.claims[0].change.value, trial.voters
    ('better', (VoterCompared(voter='a', n=1, before=0, after=1),))
    """
    pairs = {claim: sorted(set(before.get(claim, {})) & set(after.get(claim, {}))) for claim in rulings}
    told = [claim for claim in rulings if pairs[claim]]
    answers = [_answers(each, told, pairs, weights, n_labels) for each in (before, after)]
    claims = tuple(
        Compared(claim, rulings[claim], first, second)
        for claim, first, second in zip(told, answers[0], answers[1], strict=True)
    )
    voters = sorted({voter for claim in told for voter in pairs[claim]})
    return Trial(claims, tuple(_voter(voter, rulings, pairs, before, after) for voter in voters))


def _answers(
    ballots: Ballots,
    claims: Sequence[int],
    pairs: Mapping[int, Sequence[str]],
    weights: Mapping[str, float],
    n_labels: int,
) -> list[str | None]:
    cast = [[Vote(voter, ballots[claim][voter]) for voter in pairs[claim] if ballots[claim][voter]] for claim in claims]
    return [outcome.label for outcome in vote_table(cast).outcomes(weights, n_labels).all()]


def _voter(
    voter: str, rulings: Mapping[int, str], pairs: Mapping[int, Sequence[str]], before: Ballots, after: Ballots
) -> VoterCompared:
    asked = [claim for claim, voters in pairs.items() if voter in voters]
    agreed = [sum(ballots[claim][voter] == rulings[claim] for claim in asked) for ballots in (before, after)]
    return VoterCompared(voter, len(asked), *agreed)
