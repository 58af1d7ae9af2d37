"""The text of a voter, by which votes and patterns name a judge in one presentation order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaluation.schemas import PresentationOrder

_BETWEEN = "/"
_LEVEL = 1e-9


def voter_of(judge_id: int, order: str) -> str:
    """Name the voter of a judge in an order; the order is left out where answers were shown as given.

    Examples
    --------
    >>> voter_of(7, PresentationOrder.AS_GIVEN), voter_of(7, PresentationOrder.SWAPPED)
    ('j7', 'j7/swapped')
    """
    return f"j{judge_id}" if order == PresentationOrder.AS_GIVEN else f"j{judge_id}{_BETWEEN}{order}"


def judge_of(voter: str) -> int:
    """Read the id of a voter's judge; raises ValueError for a text that names no voter.

    Examples
    --------
    >>> judge_of("j7/swapped")
    7
    """
    return int(voter.partition(_BETWEEN)[0].removeprefix("j"))


def order_of(voter: str) -> PresentationOrder:
    """Read the order in which a voter saw the answers; raises ValueError for an order that does not exist.

    Examples
    --------
    >>> order_of("j7").value, order_of("j7/swapped").value
    ('as_given', 'swapped')
    """
    return PresentationOrder(voter.partition(_BETWEEN)[2] or PresentationOrder.AS_GIVEN)


def leading_labels(votes: Iterable[Sequence[object]]) -> dict[str, str]:
    """Voter to the label that most of its samples gave, from stored votes.

    Parameters
    ----------
    votes
        Voter, label and share of each vote, as patterns keep them.

    Returns
    -------
    dict
        One entry a voter, in the order of the votes; empty text where its samples are level.

    Notes
    -----
    Without samples this is what each voter said.

    Examples
    --------
    >>> leading_labels([("j1", "accept", 2 / 3), ("j1", "reject", 1 / 3), ("j2", "accept", 0.5), ("j2", "reject", 0.5)])
    {'j1': 'accept', 'j2': ''}
    """
    shares: dict[str, dict[str, float]] = {}
    for voter, label, share in votes:
        of_voter = shares.setdefault(str(voter), {})
        of_voter[str(label)] = of_voter.get(str(label), 0.0) + float(str(share))
    return {voter: _leading(of_voter) for voter, of_voter in shares.items()}


def _leading(shares: dict[str, float]) -> str:
    most = max(shares.values())
    leading = [label for label, share in shares.items() if share > most - _LEVEL]
    return leading[0] if len(leading) == 1 else ""
