"""Reads one row of a CSV of votes: the vote, and what the row says about its item."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.exchange.fields import MAX_TAG, clip, id_problem
from evaluation.exchange.labels import VoteWord, allowed_words, kind_of, parse_label, parse_vote
from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import Position, VerdictRecord
from evaluation.exchange.strict_json import JsonRefusedError, loads
from evaluation.exchange.votes_columns import ITEM_COLUMNS
from evaluation.schemas import LABELS, ClaimKind, Label, PresentationOrder, VerdictState

NUMBER = re.compile(r"(\d{1,20}\.?\d{0,30}|\.\d{1,30})([eE][-+]?\d{1,3})?", re.ASCII)
NO_REASON = "The file gives no reason."


@dataclass(frozen=True)
class Row:
    """One row, read: its item, the vote (None: the row only describes the item), and the cells about the item."""

    at: Position
    item: str
    kind: ClaimKind | None
    vote: VerdictRecord | None
    gold: Label | None
    tags: tuple[str, ...]
    cells: Mapping[str, str]


class RowReader:
    """Reads rows one by one; the first label decides which scheme the file uses, unless the row names its kind."""

    def __init__(self, log: ProblemLog, kind: ClaimKind | None = None) -> None:
        self.log = log
        self.kind = kind
        self.kind_since = Position()

    def read(self, cells: Mapping[str, str], at: Position) -> Row | None:
        """The row, or None with refusals."""
        before = len(self.log.refusals)
        item = self._name(cells, "item", at)
        stated = self._kind(cells, at)
        vote = self._vote(cells, item, stated, at)
        gold = self._gold(cells, stated, at)
        tags = self._tags(cells.get("tags", ""), at)
        for column in ("system", "second_system", "batch"):
            if cells.get(column):
                self._name(cells, column, at)
        about = {name: cells[name] for name in ITEM_COLUMNS if cells.get(name)}
        if vote is None and not about.get("text"):
            self.log.refuse(at, "label", "The row has neither a vote nor a text; it says nothing about its item.")
        if len(self.log.refusals) > before:
            return None
        return Row(at, item, stated, vote, gold, tags, about)

    def _name(self, cells: Mapping[str, str], column: str, at: Position) -> str:
        value = cells.get(column, "")
        if problem := id_problem(value):
            self.log.refuse(at, column, problem)
        return value

    def _kind(self, cells: Mapping[str, str], at: Position) -> ClaimKind | None:
        word = cells.get("kind", "").strip()
        if word and word not in list(ClaimKind):
            self.log.refuse(at, "kind", f"“{clip(word)}” is no kind of claim; write {' or '.join(ClaimKind)}.")
            return None
        return ClaimKind(word) if word else None

    def _vote(
        self, cells: Mapping[str, str], item: str, stated: ClaimKind | None, at: Position
    ) -> VerdictRecord | None:
        if not cells.get("judge") and not cells.get("label"):
            return None
        judge = self._name(cells, "judge", at)
        word = self._vote_word(cells.get("label", ""), at)
        if word.label:
            self._check_scheme(word.label, stated, "label", at)
        reason = cells.get("reason", "")
        return VerdictRecord(
            item,
            judge,
            word.state,
            word.label,
            self._order(cells, at),
            self._sample(cells, at),
            self._confidence(cells, at),
            cells.get("rationale", ""),
            reason or (NO_REASON if word.state is VerdictState.FAILED else ""),
            at,
        )

    def _vote_word(self, text: str, at: Position) -> VoteWord:
        if not text.strip():
            advice = "leave the row out if the judge was not asked, or write abstained or failed."
            self.log.refuse(at, "label", f"The label is empty; {advice}")
            return VoteWord(VerdictState.FAILED)
        if vote := parse_vote(text):
            return vote
        words = f"{allowed_words()}, or abstained or failed"
        self.log.refuse(at, "label", f"“{clip(text)}” is no label of ours; write {words}.")
        return VoteWord(VerdictState.FAILED)

    def _gold(self, cells: Mapping[str, str], stated: ClaimKind | None, at: Position) -> Label | None:
        text = cells.get("gold", "")
        if not text.strip():
            return None
        label = parse_label(text)
        if label is None:
            self.log.refuse(at, "gold", f"“{clip(text)}” is no label of ours; write {allowed_words()}.")
            return None
        self._check_scheme(label, stated, "gold", at)
        return label

    def _check_scheme(self, label: Label, stated: ClaimKind | None, field: str, at: Position) -> None:
        if stated is None and self.kind is None:
            self.kind, self.kind_since = kind_of(label), at
        kind = stated or self.kind
        if kind is None or label in LABELS[kind]:
            return
        since = "" if stated or self.kind_since.row is None else f", as row {self.kind_since.row} began it"
        reason = f"“{label}” is a label for a {kind_of(label)}, but this is a file of {kind}s{since}"
        self.log.refuse(at, field, f"{reason}; write {allowed_words(kind)}.")

    def _order(self, cells: Mapping[str, str], at: Position) -> PresentationOrder:
        word = cells.get("order", "").strip().casefold()
        if word and word not in list(PresentationOrder):
            reason = f"“{clip(word)}” is no presentation order; write {' or '.join(PresentationOrder)}."
            self.log.refuse(at, "order", reason)
            return PresentationOrder.AS_GIVEN
        return PresentationOrder(word) if word else PresentationOrder.AS_GIVEN

    def _sample(self, cells: Mapping[str, str], at: Position) -> int:
        text = cells.get("sample", "").strip()
        if text and not re.fullmatch(r"[0-9]{1,4}", text):
            self.log.refuse(at, "sample", "A whole number from 0 to 9,999 is expected here.")
            return 0
        return int(text or 0)

    def _confidence(self, cells: Mapping[str, str], at: Position) -> float | None:
        text = cells.get("confidence", "").strip()
        if not text:
            return None
        if not NUMBER.fullmatch(text) or float(text) > 1:
            advice = "a number from 0 to 1 with a decimal point is expected here."
            self.log.refuse(at, "confidence", f"“{clip(text)}” cannot be taken; {advice}")
            return None
        return float(text)

    def _tags(self, text: str, at: Position) -> tuple[str, ...]:
        """Tags parted by semicolons, or a JSON list where a tag itself holds a semicolon."""
        parts = [part.strip() for part in text.split(";") if part.strip()]
        if text.startswith("["):
            try:
                value = loads(text)
            except JsonRefusedError as error:
                self.log.refuse(at, "tags", error.reason)
                return ()
            listed = value if isinstance(value, list) else []
            parts = [part if isinstance(part, str) else "" for part in listed]
        if any(not part.strip() or len(part) > MAX_TAG for part in parts):
            self.log.refuse(at, "tags", f"A tag is a text of 1 to {MAX_TAG} characters; part tags by semicolons.")
        return tuple(dict.fromkeys(parts))
