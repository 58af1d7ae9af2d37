"""Vote patterns: claims on which the same voters said the same share one outcome."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from evaluation.schemas import Vote


@dataclass(frozen=True)
class Pattern:
    """Who voted what on claims of one kind under one panel version.

    Build it with `pattern_of`, which puts the votes in order; two claims have the same pattern exactly when
    their keys are equal.
    """

    kind: str
    panel: int
    votes: tuple[Vote, ...]

    @cached_property
    def key(self) -> str:
        """Text of the pattern, `kind|panel|voter:label[:share]...`; separators inside names are escaped."""
        ballots = (f"{_escape(v.voter)}:{_escape(v.label)}{_share_text(v.share)}" for v in self.votes)
        return "|".join([_escape(self.kind), str(self.panel), *ballots])

    @cached_property
    def split(self) -> str:
        """Who sides with whom, whatever they said: a pattern and its mirror are the same split."""
        sides: dict[str, list[str]] = {}
        for vote in self.votes:
            sides.setdefault(vote.label, []).append(_escape(vote.voter) + _share_text(vote.share))
        return "|".join([_escape(self.kind), *sorted(",".join(side) for side in sides.values())])

    @cached_property
    def n_cast(self) -> int:
        """How many voters cast a vote; several samples of one voter count once."""
        return len({vote.voter for vote in self.votes})

    def counts(self) -> dict[str, float]:
        """Votes per label; a sample counts its share."""
        counts: dict[str, float] = {}
        for vote in self.votes:
            counts[vote.label] = counts.get(vote.label, 0.0) + vote.share
        return counts


def pattern_of(kind: str, panel: int, votes: Iterable[Vote]) -> Pattern:
    """Put cast votes into their pattern.

    Parameters
    ----------
    kind
        Kind of claim; reliability is measured per kind, so patterns never cross kinds.
    panel
        Version of the panel that voted.
    votes
        Cast votes in any order; samples of one voter with the same label are added up.

    Returns
    -------
    Pattern
        Votes sorted by voter, then label. No votes make the empty pattern of unjudged claims.

    Raises
    ------
    ValueError
        If a share is not above zero.

    Examples
    --------
    >>> pattern_of("statement", 1, [Vote("b", "reject"), Vote("a", "accept")]).key
    'statement|1|a:accept|b:reject'
    """
    shares: dict[tuple[str, str], float] = {}
    for vote in votes:
        if vote.share <= 0:
            raise ValueError(f"voter {vote.voter!r} has a vote with share {vote.share}; a share is above zero")
        shares[vote.voter, vote.label] = shares.get((vote.voter, vote.label), 0.0) + vote.share
    ordered = tuple(Vote(voter, label, share) for (voter, label), share in sorted(shares.items()))
    return Pattern(kind, panel, ordered)


def _escape(name: str) -> str:
    for mark, code in (("%", "%25"), ("|", "%7C"), (":", "%3A"), (",", "%2C")):
        name = name.replace(mark, code)
    return name


def _share_text(share: float) -> str:
    return "" if abs(share - 1.0) < 1e-9 else f":{share:.6g}"
