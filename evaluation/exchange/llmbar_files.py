"""Reads the two kinds of file of an LLMBar subset: the pairs with gold, and one judge's recorded votes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import JsonObject, JsonValue, Position, VerdictRecord
from evaluation.exchange.source_file import SourceFile
from evaluation.exchange.strict_json import JsonRefusedError, loads
from evaluation.schemas import Label, PresentationOrder, VerdictState

ORDER_KEYS: Mapping[PresentationOrder, str] = {
    PresentationOrder.AS_GIVEN: "swap = False",
    PresentationOrder.SWAPPED: "swap = True",
}
WINNERS: Mapping[str, Label] = {"1": Label.FIRST, "2": Label.SECOND}
GOLD: Mapping[int, Label] = {1: Label.FIRST, 2: Label.SECOND}
BARE_CHOICE = re.compile(r"\s*Output \([ab]\)[.\s]*")
UNREADABLE = "The recorded reply names no winner that could be read."


@dataclass(frozen=True)
class Pair:
    """A request with two answers and the label of the better one."""

    prompt: str
    first: str
    second: str
    gold: Label


@dataclass(frozen=True)
class PairList:
    """The pairs of one subset and the name of their file."""

    file: str
    pairs: tuple[Pair, ...]


def read_pairs(source: SourceFile, log: ProblemLog) -> PairList | None:
    """The pairs of dataset.json; None with refusals if any entry is not as published."""
    entries = _entries(source, log)
    pairs = [_pair(entry, Position(source.name, row), log) for row, entry in enumerate(entries, start=1)]
    kept = tuple(pair for pair in pairs if pair is not None)
    return PairList(source.name, kept) if entries and len(kept) == len(pairs) else None


def read_votes(
    source: SourceFile,
    pairs: PairList,
    ids: list[str],
    judge: str,
    log: ProblemLog,
    orders: tuple[PresentationOrder, ...],
) -> list[VerdictRecord]:
    """One judge's votes: the last stage counts, the winner is mapped back already, null is a failed vote."""
    entries = _entries(source, log)
    if entries and len(entries) != len(pairs.pairs):
        reason = f"The file has {len(entries):,} entries, but {pairs.file} has {len(pairs.pairs):,}."
        log.refuse(source.whole, "", reason)
        return []
    votes = []
    for row, (entry, pair, item) in enumerate(zip(entries, pairs.pairs, ids, strict=False), start=1):
        at = Position(source.name, row)
        if (entry.get("input"), entry.get("output_1"), entry.get("output_2")) != (pair.prompt, pair.first, pair.second):
            log.refuse(at, "input", f"The entry is not the same pair as in {pairs.file}; the files do not fit.")
            continue
        stage = _last_stage(entry, at, log)
        votes += [_vote(stage, order, item, judge, at, log) for order in orders if stage is not None]
    return [vote for vote in votes if vote is not None]


def _entries(source: SourceFile, log: ProblemLog) -> list[JsonObject]:
    if not source.check(log) or (text := source.text(log)) is None:
        return []
    try:
        value = loads(text)
    except JsonRefusedError as error:
        log.refuse(source.whole, error.field[:60], error.reason)
        return []
    if not isinstance(value, list) or not value:
        log.refuse(source.whole, "", "A JSON list with at least one entry is expected here.")
        return []
    entries = [entry for entry in value if isinstance(entry, dict)]
    if len(entries) != len(value):
        log.refuse(source.whole, "", "Every entry of the list must be an object in curly brackets.")
        return []
    return entries


def _pair(entry: JsonObject, at: Position, log: ProblemLog) -> Pair | None:
    texts = []
    for field in ("input", "output_1", "output_2"):
        value = entry.get(field)
        if not isinstance(value, str):
            log.refuse(at, field, "The field is missing or is no text.")
            return None
        texts.append(value)
    label = entry.get("label")
    if isinstance(label, bool) or not isinstance(label, int) or label not in GOLD:
        log.refuse(at, "label", "The label must be 1 or 2, the number of the better output.")
        return None
    prompt, first, second = texts
    return Pair(prompt, first, second, GOLD[label])


def _last_stage(entry: JsonObject, at: Position, log: ProblemLog) -> JsonObject | None:
    stages = entry.get("results")
    if not isinstance(stages, list) or not stages or not isinstance(stages[-1], dict):
        log.refuse(at, "results", "The field must be a list whose last entry, the last stage, is an object.")
        return None
    return stages[-1]


def _vote(
    stage: JsonObject, order: PresentationOrder, item: str, judge: str, at: Position, log: ProblemLog
) -> VerdictRecord | None:
    key = ORDER_KEYS[order]
    cell = stage.get(key)
    if not isinstance(cell, dict) or "winner" not in cell:
        log.refuse(at, f"results.{key}", "The field must be an object with a “winner”.")
        return None
    winner = cell["winner"]
    rationale = _rationale(cell.get("completion"))
    if winner is None:
        failed = VerdictState.FAILED
        return VerdictRecord(item, judge, failed, order=order, rationale=rationale, reason=UNREADABLE, at=at)
    if not isinstance(winner, str) or winner not in WINNERS:
        log.refuse(at, f"results.{key}.winner", "The winner must be “1”, “2” or null.")
        return None
    return VerdictRecord(item, judge, VerdictState.CAST, WINNERS[winner], order, rationale=rationale, at=at)


def _rationale(completion: JsonValue) -> str:
    """What the judge wrote, unless it is the bare choice, which says nothing more than the label.

    In a vote that was shown swapped, "Output (a)" in this text means the second answer.
    """
    if isinstance(completion, list) and completion and isinstance(completion[0], str):
        return "" if BARE_CHOICE.fullmatch(completion[0]) else completion[0]
    return ""
