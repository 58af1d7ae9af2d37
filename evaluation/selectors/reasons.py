"""Why a vote pattern moved: which side of it gained or lost standing by a ruling, in plain words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log
from typing import TypedDict

from evaluation.algorithms.outcome import EQUAL_SUPPORT
from evaluation.algorithms.reliability import PRIOR_STRENGTH, estimate
from evaluation.algorithms.voters import judge_of, order_of
from evaluation.models import Judge, PatternMove
from evaluation.schemas import OutcomeState, PresentationOrder
from evaluation.selectors.answers import Shown

LEAST_SUPPORT = 1e-300
_UNKNOWN = "The track records of its judges changed."


class Shift(TypedDict):
    """A voter as a propagation keeps it: [agreed, decided] before and after the ruling."""

    voter: str
    judge: int
    sided: bool
    before: list[float]
    after: list[float]


class Balance(StrEnum):
    """What brought the side that leads now forward."""

    GAINED = "it gained"
    GAINED_MORE = "both gained, it more"
    LOST = "the other side lost"
    LOST_MORE = "both lost, the other side more"
    BOTH = "it gained and the other side lost"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Reason:
    """Why one pattern moved."""

    balance: Balance
    sentence: str


@dataclass(frozen=True)
class _Course:
    """The labels that came forward and those that fell back, and what each gained in summed weight."""

    forward: tuple[str, ...]
    behind: tuple[str, ...]
    gains: Mapping[str, float]

    @property
    def balance(self) -> Balance:
        rise = min(self.gains[label] for label in self.forward)
        fall = max(self.gains[label] for label in self.behind)
        if rise - fall <= EQUAL_SUPPORT:
            return Balance.UNKNOWN
        if rise > EQUAL_SUPPORT:
            if fall < -EQUAL_SUPPORT:
                return Balance.BOTH
            return Balance.GAINED_MORE if fall > EQUAL_SUPPORT else Balance.GAINED
        return Balance.LOST_MORE if rise < -EQUAL_SUPPORT else Balance.LOST


def joined(words: Sequence[str]) -> str:
    """Words as English joins them: "A", "A and B", "A, B and C"."""
    return " and ".join([*([", ".join(words[:-1])] if words[:-1] else []), *words[-1:]])


def voter_name(voter: str, judges: Mapping[int, Judge]) -> str:
    """The judge of a voter, saying so where it saw the sides swapped."""
    judge = judges.get(judge_of(voter))
    name = judge.name if judge else "a judge that is gone"
    return f"{name} (sides swapped)" if order_of(voter) is PresentationOrder.SWAPPED else name


def named(voters: Sequence[str]) -> str:
    """Names of voters joined; one that holds an "and" or a comma is set in quotes, so that it stays one name."""
    return joined([f"‘{name}’" if " and " in name or "," in name else name for name in voters])


def gains_of(shifts: Sequence[Shift], judges: Mapping[int, Judge], n_labels: int) -> dict[str, float]:
    """By how much each voter's vote weighs more, or less, since the ruling."""
    gains = {}
    for shift in shifts:
        judge = judges.get(shift["judge"])
        strength = judge.prior_strength if judge else PRIOR_STRENGTH
        before, after = (_weight(record, n_labels, strength) for record in (shift["before"], shift["after"]))
        gains[shift["voter"]] = after - before
    return gains


def _weight(record: Sequence[float], n_labels: int, strength: float) -> float:
    agreed, decided = record
    return estimate(agreed, decided, n_labels, strength).weight


def reason_of(
    move: PatternMove, gains: Mapping[str, float], judges: Mapping[int, Judge], words: Mapping[str, Shown]
) -> Reason:
    """Name the voters of a pattern that gained or lost by the ruling, side by side, and what came of it."""
    course = _course(move, gains)
    if course is None or course.balance is Balance.UNKNOWN:
        return Reason(Balance.UNKNOWN, _UNKNOWN)
    sides = [_side(move, label, gains, judges, words) for label in (*course.forward, *course.behind)]
    balance = course.balance
    more = ""
    if balance is Balance.LOST_MORE:
        more = f"; {_quoted(course.behind, words)} lost more"
    elif balance is Balance.GAINED_MORE:
        more = f"; {_quoted(course.forward, words)} gained more"
    return Reason(balance, f"{_capital(', '.join(sides))}{more}. {_result(move, words)}")


def in_sum(reasons: Sequence[Reason]) -> str:
    """What all moves have in common, as a sentence; empty where there is none or nothing is known."""
    found = {reason.balance for reason in reasons}
    if not found or Balance.UNKNOWN in found:
        return ""
    where = "There" if len(reasons) == 1 else "In each"
    if found == {Balance.BOTH}:
        return f"{where} the winning side gained and the losing side lost."
    if found <= {Balance.LOST, Balance.LOST_MORE, Balance.BOTH}:
        return f"{where} the judges on the losing side lost more."
    if found <= {Balance.GAINED, Balance.GAINED_MORE, Balance.BOTH}:
        return f"{where} the judges on the winning side gained more."
    return f"{where} the winning side came forward by what judges gained or lost."


def _course(move: PatternMove, gains: Mapping[str, float]) -> _Course | None:
    """Which labels passed which; None where the stored shifts do not account for what happened."""
    before = {label: log(max(share, LEAST_SUPPORT)) for label, share in move.before_support.items()}
    by_label = dict.fromkeys(before, 0.0)
    for voter, label, share in move.pattern.votes:
        by_label[label] = by_label.get(label, 0.0) + share * gains.get(voter, 0.0)
    if set(by_label) != set(before) or not before:
        return None
    was, now = _tops(before), _tops({label: before[label] + by_label[label] for label in before})
    is_split = move.after_state == OutcomeState.SPLIT
    if (len(now) < 2) if is_split else (now != {move.after_label}):
        return None
    forward = (now - was) or now
    return _Course(tuple(sorted(forward)), tuple(sorted(was - forward)), by_label) if was - forward else None


def _tops(scores: Mapping[str, float]) -> set[str]:
    best = max(scores.values())
    return {label for label, score in scores.items() if score >= best - EQUAL_SUPPORT}


def _side(
    move: PatternMove,
    label: str,
    gains: Mapping[str, float],
    judges: Mapping[int, Judge],
    words: Mapping[str, Shown],
) -> str:
    voters = [voter for voter, voted, _ in move.pattern.votes if voted == label]
    up = [voter_name(voter, judges) for voter in voters if gains.get(voter, 0.0) > EQUAL_SUPPORT]
    down = [voter_name(voter, judges) for voter in voters if gains.get(voter, 0.0) < -EQUAL_SUPPORT]
    happened = [f"{named(sorted(names))} {verb}" for names, verb in ((up, "gained"), (down, "lost")) if names]
    return f"for {_quoted([label], words)} {' and '.join(happened) or 'nobody gained or lost'}"


def _result(move: PatternMove, words: Mapping[str, Shown]) -> str:
    if move.after_state == OutcomeState.SPLIT:
        return "So the sides are level now."
    return f"So {_quoted([move.after_label], words)} is ahead now."


def _quoted(labels: Collection[str], words: Mapping[str, Shown]) -> str:
    return joined([f"“{words[label].words}”" if label in words else label for label in labels])


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
