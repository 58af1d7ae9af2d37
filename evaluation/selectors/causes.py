"""Why current answers moved, as sentences; with word-matching judges no learning is claimed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from evaluation.models import Decision, Judge, PatternMove
from evaluation.schemas import OutcomeState
from evaluation.selectors.answers import Shown, judge_id_of

_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


class Shift(TypedDict):
    """A voter as a propagation keeps it: [agreed, decided] before and after the ruling."""

    voter: str
    judge: int
    sided: bool
    before: list[float]
    after: list[float]


@dataclass(frozen=True)
class Sided:
    """A voter's track record after the ruling."""

    judge: str
    is_with: bool
    agreed: str
    decided: str


@dataclass(frozen=True)
class Cause:
    """The sentence over the page, and the judges behind it."""

    sentence: str
    judges: tuple[Sided, ...]


def cause_of(
    decision: Decision,
    moves: Sequence[PatternMove],
    judges: Mapping[int, Judge],
    words: Mapping[str, Shown],
    who: str,
) -> Cause:
    """Say who sided with the expert and what moved because of it."""
    propagation = getattr(decision, "propagation", None)
    voters: list[Shift] = list(propagation.judges) if propagation else []
    sided = tuple(_sided(voter, judges) for voter in voters)
    moved = _moved_in_groups(moves, words)
    if voters and not _is_offline(voters, judges):
        first = [_who_sided(sided, who)]
        with_them = {voter["voter"] for voter in voters if voter["sided"]}
        moved = first + ([*_main_move(moves, with_them, judges, words)] or moved)
    return Cause(" ".join(moved), sided)


def joined(words: Sequence[str]) -> str:
    """Words as English joins them: "A", "A and B", "A, B and C"."""
    return " and ".join([*([", ".join(words[:-1])] if words[:-1] else []), *words[-1:]])


def voter_name(voter: str, judges: Mapping[int, Judge]) -> str:
    """The judge of a voter, saying so where it saw the sides swapped."""
    judge = judges.get(judge_id_of(voter))
    name = judge.name if judge else "a judge that is gone"
    return f"{name} (sides swapped)" if "/" in voter else name


def _sided(voter: Shift, judges: Mapping[int, Judge]) -> Sided:
    agreed, decided = voter["after"]
    return Sided(voter_name(voter["voter"], judges), voter["sided"], f"{agreed:g}", f"{decided:g}")


def _is_offline(voters: Sequence[Shift], judges: Mapping[int, Judge]) -> bool:
    behind = [judges.get(judge_id_of(voter["voter"])) for voter in voters]
    return all(judge is not None and judge.provider == "offline" for judge in behind)


def _who_sided(sided: Sequence[Sided], who: str) -> str:
    having = [one for one in sided if one.is_with]
    if not having:
        return f"No judge sided with {who}."
    records = joined([f"{one.agreed} of {one.decided}" for one in having])
    noun = "Judge" if len(having) == 1 else "Judges"
    return f"{noun} {joined([one.judge for one in having])} sided with {who} (now {records})."


def _main_move(
    moves: Sequence[PatternMove], sided: set[str], judges: Mapping[int, Judge], words: Mapping[str, Shown]
) -> list[str]:
    """The largest move with who stood against how many, then the rest as a number."""
    if not moves or moves[0].after_label not in words:
        return []
    top, rest = moves[0], sum(move.n_claims for move in moves[1:])
    winners = {str(voter) for voter, label, _ in top.pattern.votes if label == top.after_label}
    others = {str(voter) for voter, _, _ in top.pattern.votes} - winners
    if winners == sided:
        names = f"exactly {'this judge' if len(winners) == 1 else f'these {_small(len(winners))}'}"
    else:
        names = joined(sorted(voter_name(voter, judges) for voter in winners))
    subject = f"{_claims(top.n_claims)} on which {names} stood against {_small(len(others))}"
    said = [f"{subject} now {_lean(top.n_claims)} “{words[top.after_label].words}”."]
    return [*said, f"{_claims(rest)} more moved."] if rest else said


def _moved_in_groups(moves: Sequence[PatternMove], words: Mapping[str, Shown]) -> list[str]:
    groups: Counter[tuple[str, str]] = Counter()
    for move in moves:
        groups[_was(move, words), _is(move, words)] += move.n_claims
    if not groups:
        return ["No other current answer moved."]
    return [
        f"{n} {'answer' if n == 1 else 'answers'} {_plural(was, n)} and now {_plural(now, n)}."
        for (was, now), n in groups.most_common()
    ]


def _was(move: PatternMove, words: Mapping[str, Shown]) -> str:
    if move.before_state == OutcomeState.SPLIT or move.before_label not in words:
        return "was a tie"
    return f"leaned “{words[move.before_label].words}”"


def _is(move: PatternMove, words: Mapping[str, Shown]) -> str:
    if move.after_state == OutcomeState.SPLIT or move.after_label not in words:
        return "is a tie"
    return f"leans “{words[move.after_label].words}”"


def _plural(phrase: str, n: int) -> str:
    """The verb of a phrase for one or for several."""
    if n == 1:
        return phrase
    verb, _, rest = phrase.partition(" ")
    plural = {"was": "were", "is": "are", "leans": "lean"}.get(verb, verb)
    return f"{plural} ties" if rest == "a tie" and verb == "is" else f"{plural} {rest}"


def _lean(n: int) -> str:
    return "leans" if n == 1 else "lean"


def _claims(n: int) -> str:
    number = _NUMBERS[n] if n < len(_NUMBERS) else str(n)
    return f"{number} {'claim' if n == 1 else 'claims'}"


def _small(n: int) -> str:
    return _NUMBERS[n].lower() if 0 < n < len(_NUMBERS) else str(n)
