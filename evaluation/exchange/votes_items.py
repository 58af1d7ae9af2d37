"""Turns the rows of a CSV of votes into one claim per item with its instance, responses and sources."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.exchange.fingerprint import question_id, short_hash
from evaluation.exchange.harvest import Harvest
from evaluation.exchange.labels import kind_of
from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import ClaimRecord, DocumentRecord, InstanceRecord, Position, ResponseRecord
from evaluation.exchange.votes_rows import Row
from evaluation.schemas import ClaimKind, Label


@dataclass
class Item:
    """What all rows of one item say together; every cell stands once, sources add up."""

    item: str
    at: Position
    kind: ClaimKind | None
    gold: Label | None
    tags: tuple[str, ...]
    cells: dict[str, str]
    sources: dict[str, None]

    def cell(self, name: str) -> str:
        return self.cells.get(name, "")


def add_items(rows: list[Row], harvest: Harvest, log: ProblemLog) -> None:
    """Add every item once, in the order of the file, and its votes."""
    items: dict[str, Item] = {}
    for row in rows:
        item = items.setdefault(row.item, Item(row.item, row.at, row.kind, row.gold, row.tags, {}, {}))
        _merge(item, row, log)
        if row.vote is not None:
            harvest.verdicts.append(row.vote)
    voted = {row.item: kind_of(row.vote.label) for row in reversed(rows) if row.vote and row.vote.label}
    usual = next(iter(voted.values()), ClaimKind.STATEMENT)
    seen: set[str] = set()
    for item in items.values():
        kind = item.kind or voted.get(item.item) or (kind_of(item.gold) if item.gold else usual)
        _add_item(item, kind, harvest, seen)


def _merge(item: Item, row: Row, log: ProblemLog) -> None:
    for name, value in row.cells.items():
        if name == "source":
            if value.strip():
                item.sources[value] = None
        elif name not in ("gold", "tags", "kind") and item.cells.setdefault(name, value) != value:
            log.refuse(row.at, name, f"An earlier row gives item “{item.item}” another {name}; they must agree.")
    stated = {"gold": (item.gold, row.gold), "tags": (item.tags, row.tags), "kind": (item.kind, row.kind)}
    for name, (before, now) in stated.items():
        if before and now and before != now:
            log.refuse(row.at, name, f"An earlier row gives item “{item.item}” another {name}; they must agree.")
    item.gold = item.gold or row.gold
    item.tags = item.tags or row.tags
    item.kind = item.kind or row.kind


def _add_item(item: Item, kind: ClaimKind, harvest: Harvest, seen: set[str]) -> None:
    document_ids = tuple(f"source-{short_hash(text)}" for text in item.sources)
    harvest.documents += [
        DocumentRecord(document_id, "", text, item.at)
        for document_id, text in zip(document_ids, item.sources, strict=True)
        if document_id not in seen
    ]
    seen.update(document_ids)
    prompt, context = item.cell("prompt"), item.cell("context")
    known = prompt or context or document_ids
    instance_id = question_id(prompt, context, "", document_ids) if known else item.item
    harvest.share_instance(InstanceRecord(instance_id, prompt, context, document_ids, at=item.at))
    responses = _responses(item, kind, instance_id)
    harvest.responses += [response for response in responses if response.external_id not in seen]
    seen.update(response.external_id for response in responses)
    ids = tuple(response.external_id for response in responses)
    harvest.claims.append(
        ClaimRecord(item.item, instance_id, ids, kind, item.cell("text"), tags=item.tags, gold=item.gold, at=item.at)
    )


def _responses(item: Item, kind: ClaimKind, instance_id: str) -> list[ResponseRecord]:
    """One response of a statement, two of a pair; where the file brings no text, an empty one keeps the place."""
    text, system, batch = item.cell("response"), item.cell("system"), item.cell("batch")
    if kind is ClaimKind.PREFERENCE:
        second, second_system = item.cell("second_response"), item.cell("second_system")
        return [
            ResponseRecord(f"{item.item}/first", instance_id, text, system, batch, at=item.at),
            ResponseRecord(f"{item.item}/second", instance_id, second, second_system, batch, at=item.at),
        ]
    response_id = f"response-{short_hash(instance_id, system, batch, text)}" if text else item.item
    return [ResponseRecord(response_id, instance_id, text, system, batch, at=item.at)]
