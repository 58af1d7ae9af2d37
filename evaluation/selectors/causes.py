"""What a ruling did, as sentences: who sided with the expert, what moved, and why; no learning is claimed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.algorithms.voters import judge_of
from evaluation.models import Decision, Judge, PatternMove, Propagation
from evaluation.schemas import OutcomeState
from evaluation.selectors.answers import Shown
from evaluation.selectors.reasons import Reason, Shift, gains_of, in_sum, joined, named, reason_of, voter_name

_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


@dataclass(frozen=True)
class Sided:
    """A voter's track record after the ruling."""

    judge: str
    is_with: bool
    agreed: str
    decided: str


@dataclass(frozen=True)
class Cause:
    """The sentence over the page, the judges behind it, and why each pattern moved, in the order of the moves."""

    sentence: str
    judges: tuple[Sided, ...]
    reasons: tuple[Reason, ...]


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
    sided = sided_of(propagation, judges) if propagation else ()
    gains = gains_of(voters, judges, len(decision.project.labels(decision.claim.kind)))
    reasons = tuple(reason_of(move, gains, judges, words) for move in moves)
    moved = _moved_in_groups(moves, words)
    if voters and not _is_offline(voters, judges):
        with_them = {voter["voter"] for voter in voters if voter["sided"]}
        moved = [*_main_move(moves, with_them, judges, words)] or moved
    sentences = [_who_sided(sided, who) if voters else "", *moved, in_sum(reasons)]
    if propagation and (firmer := firmness(propagation)):
        sentences.append(f"{firmer}.")
    return Cause(" ".join(filter(None, sentences)), sided, reasons)


def sided_of(propagation: Propagation, judges: Mapping[int, Judge]) -> tuple[Sided, ...]:
    """Each voter on the claim with its side and its track record after the ruling."""
    return tuple(_sided(voter, judges) for voter in propagation.judges)


def firmness(propagation: Propagation) -> str:
    """How many open answers that stayed as they are gained or lost support; empty where none did."""
    firmer, weaker = propagation.n_firmer, propagation.n_weaker
    if not firmer:
        return f"{weaker} open {'answer' if weaker == 1 else 'answers'} got less firm" if weaker else ""
    said = f"{firmer} open {'answer' if firmer == 1 else 'answers'} got firmer"
    return f"{said}, {weaker} less firm" if weaker else said


def records_of(side: Sequence[Sided]) -> str:
    """The track records of voters as words: "6 of 8 and 5 of 8", or "0 of 1 each"."""
    records = [f"{one.agreed} of {one.decided}" for one in side]
    return f"{records[0]} each" if len(side) > 1 and len(set(records)) == 1 else joined(records)


def _sided(voter: Shift, judges: Mapping[int, Judge]) -> Sided:
    agreed, decided = voter["after"]
    return Sided(voter_name(voter["voter"], judges), voter["sided"], f"{round(agreed, 2):g}", f"{round(decided, 2):g}")


def _is_offline(voters: Sequence[Shift], judges: Mapping[int, Judge]) -> bool:
    behind = [judges.get(judge_of(voter["voter"])) for voter in voters]
    return all(judge is not None and judge.is_offline for judge in behind)


def _who_sided(sided: Sequence[Sided], who: str) -> str:
    having = [one for one in sided if one.is_with]
    against = [one for one in sided if not one.is_with]
    sides = [f"No judge sided with {who}" if not having else _camp(having, f"sided with {who}")]
    if against:
        sides.append(_camp(against, f"sided against {who}"))
    sentence = "; ".join(sides)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _camp(side: Sequence[Sided], verb: str) -> str:
    noun = "judge" if len(side) == 1 else "judges"
    return f"{noun} {named([one.judge for one in side])} {verb} (now {records_of(side)})"


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
        names = named(sorted(voter_name(voter, judges) for voter in winners))
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
