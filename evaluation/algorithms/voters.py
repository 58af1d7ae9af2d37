"""The text of a voter, by which votes and patterns name a judge in one presentation order."""

from __future__ import annotations

from evaluation.schemas import PresentationOrder

_BETWEEN = "/"


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
