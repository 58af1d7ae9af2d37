"""Says before anything is stored what an import would do: new, unchanged, conflicting, refused, odd."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.exchange.fingerprint import content_hash, near_key
from evaluation.exchange.records import (
    TYPE_OF,
    Bundle,
    ExistingIndex,
    Notice,
    OutcomeRecord,
    Parsed,
    Record,
    RecordType,
    Refusal,
    record_key,
)


@dataclass(frozen=True)
class Report:
    """What an import would do: ids per type of record (types without any are left out), refusals and warnings.

    `conflicting` ids are stored with other content: the owner chooses to keep, to replace as a new version, or to stop.
    """

    new: Mapping[RecordType, tuple[str, ...]]
    unchanged: Mapping[RecordType, tuple[str, ...]]
    conflicting: Mapping[RecordType, tuple[str, ...]]
    refused: tuple[Refusal, ...]
    warnings: tuple[Notice, ...]


def compare(parsed: Parsed, existing: ExistingIndex) -> Report:
    """Compare what was read with what is stored; outcomes are not compared because they are not stored."""
    groups: dict[str, dict[RecordType, list[str]]] = {
        name: defaultdict(list) for name in ("new", "unchanged", "conflicting")
    }
    for record in parsed.bundle.records():
        if not isinstance(record, OutcomeRecord):
            groups[_group(record, existing)][TYPE_OF[type(record)]].append(record.external_id)
    new, unchanged, conflicting = ({kind: tuple(ids) for kind, ids in group.items()} for group in groups.values())
    twins = near_duplicates(parsed.bundle, existing)
    return Report(new, unchanged, conflicting, parsed.refusals, (*parsed.warnings, *twins))


def near_duplicates(bundle: Bundle, existing: ExistingIndex) -> tuple[Notice, ...]:
    """Warn of new records whose text another one has already, but for white space."""
    seen: dict[str, str] = {}
    notices = []
    for record in bundle.records():
        key = near_key(record)
        if key is None:
            continue
        twin = existing.near.get(key) or seen.setdefault(key, record.external_id)
        if twin != record.external_id and record_key(record) not in existing.hashes:
            kind = TYPE_OF[type(record)]
            reason = f"The {kind} “{record.external_id}” has the same text as “{twin}”, but for white space at most."
            notices.append(Notice(record.at.file, record.at.row, "text", reason))
    return tuple(notices)


def _group(record: Record, existing: ExistingIndex) -> str:
    stored = existing.hashes.get(record_key(record))
    if stored is None:
        return "new"
    return "unchanged" if stored == content_hash(record) else "conflicting"
