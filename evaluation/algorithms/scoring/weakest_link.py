"""The weakest-link score of a response, and the winner of a pair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.schemas import Label, OutcomeState

SERIOUS_CAP = 0.5
NOT_ASSESSED = (OutcomeState.UNJUDGED, OutcomeState.VOID)


@dataclass(frozen=True)
class ClaimReading:
    """What holds true of one statement now; `is_serious` marks a serious error."""

    claim_id: int
    state: OutcomeState
    label: Label | None
    is_serious: bool = False


@dataclass(frozen=True)
class ResponseScore:
    """A response's score in [0, 1], None if not assessed, with what it rests on.

    `n_assessed` of `n_claims` entered; `errors` are the claims that cost something, serious ones first, then
    rejected, then uncertain ones; `serious` are those that cap the score.
    """

    value: float | None
    n_assessed: int
    n_claims: int
    errors: tuple[int, ...]
    serious: tuple[int, ...]


def score(readings: Iterable[ClaimReading], serious_cap: float = SERIOUS_CAP) -> ResponseScore:
    """Score a response by its claims, ``1 - (rejected + 0.5 uncertain) / assessed``.

    Parameters
    ----------
    readings
        The current outcome of each claim. A void claim is no claim; an unjudged one is counted but not assessed; a
        split one, or one without a label, is uncertain.
    serious_cap
        Highest score of a response with a serious error.

    Returns
    -------
    ResponseScore
        `value` is None (not assessed) without an assessed claim.

    Raises
    ------
    ValueError
        If a label is not accept, reject or uncertain, or the cap is outside [0, 1].

    Notes
    -----
    A mark on a claim that holds now (accept) is no error and caps nothing.

    Examples
    --------
    >>> outcomes = [Label.ACCEPT, Label.ACCEPT, Label.REJECT, Label.UNCERTAIN]
    >>> score(ClaimReading(i, OutcomeState.OPEN, label) for i, label in enumerate(outcomes)).value
    0.625
    """
    if not 0 <= serious_cap <= 1:
        raise ValueError(f"the cap of a serious error must be between 0 and 1, not {serious_cap}")
    claims = [reading for reading in readings if reading.state is not OutcomeState.VOID]
    assessed = [reading for reading in claims if reading.state not in NOT_ASSESSED]
    costs = {reading.claim_id: _cost(reading) for reading in assessed}
    wrong = [reading for reading in assessed if costs[reading.claim_id] > 0]
    wrong.sort(key=lambda reading: (not reading.is_serious, -costs[reading.claim_id], reading.claim_id))
    serious = tuple(reading.claim_id for reading in wrong if reading.is_serious)
    value = None
    if assessed:
        value = 1 - sum(costs.values()) / len(assessed)
        value = min(value, serious_cap) if serious else value
    return ResponseScore(value, len(assessed), len(claims), tuple(reading.claim_id for reading in wrong), serious)


def compare(first: ResponseScore, second: ResponseScore, preference: Label | None = None) -> Label | None:
    """Decide a pair: the higher score, else the direct preference vote, else nobody.

    Parameters
    ----------
    first, second
        Scores of the two responses.
    preference
        Label of the preference claim on the pair, None if there is none or it is split.

    Returns
    -------
    Label or None
        `first`, `second`, or `tie` if the vote says so; None is undecided.

    Notes
    -----
    If either response is not assessed, scores cannot be compared and the preference vote decides.
    """
    if first.value is not None and second.value is not None and abs(first.value - second.value) > 1e-9:
        return Label.FIRST if first.value > second.value else Label.SECOND
    return preference


def _cost(reading: ClaimReading) -> float:
    if reading.state is OutcomeState.SPLIT or reading.label is None:
        return 0.5
    match reading.label:
        case Label.ACCEPT:
            return 0.0
        case Label.REJECT:
            return 1.0
        case Label.UNCERTAIN:
            return 0.5
        case _:
            raise ValueError(f"claim {reading.claim_id} has the label {reading.label}, which a statement cannot have")
