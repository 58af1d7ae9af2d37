"""Records as plain JSON objects, their content hashes, and the keys by which near-duplicates are found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import UTC
from math import isfinite

from evaluation.exchange.records import (
    TYPE_OF,
    ClaimRecord,
    DecisionRecord,
    DocumentRecord,
    InstanceRecord,
    JsonObject,
    JsonValue,
    OutcomeRecord,
    Record,
    RecordType,
    ResponseRecord,
    VerdictRecord,
)
from evaluation.schemas import PresentationOrder


def payload(record: Record) -> JsonObject:
    """The record as a line of our JSONL: `type` first, fields that say nothing left out."""
    kind = TYPE_OF[type(record)]
    fields = _PAYLOADS[kind](record)
    return {"type": kind.value, **{name: value for name, value in fields.items() if value not in (None, "", [], {})}}


def content_hash(record: Record) -> str:
    """Equal for equal content, whatever file, place or order of fields it came from."""
    return _digest(payload(record))


def near_key(record: Record) -> str | None:
    """Equal for records that are one thing twice but for white space; None where that cannot be told."""
    match record:
        case ResponseRecord():
            place, text = [record.instance_id, record.system, record.batch], record.text
        case ClaimRecord():
            place, text = [*record.response_ids, record.kind.value], record.text
        case InstanceRecord():
            place, text = [record.context, *record.document_ids], record.prompt
        case _:
            return None
    squeezed = " ".join(text.split())
    return _digest([TYPE_OF[type(record)].value, *place, squeezed]) if squeezed else None


def short_hash(*parts: str) -> str:
    """Twelve hex digits that stand for texts, for ids of things that a file does not name."""
    return _digest(list(parts))[:12]


def question_id(prompt: str, context: str, gold: str, document_ids: tuple[str, ...]) -> str:
    """The id of an instance that a file does not name: equal questions on equal sources are one instance."""
    return f"question-{short_hash(prompt, context, gold, *document_ids)}"


def _digest(value: JsonValue | list[str]) -> str:
    canonical = json.dumps(value, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _finite(number: float | None) -> float | None:
    """A figure that is not defined is left out; JSON has no word for it."""
    return number if number is not None and isfinite(number) else None


def _document(record: DocumentRecord) -> JsonObject:
    return {"id": record.external_id, "title": record.title, "text": record.text}


def _instance(record: InstanceRecord) -> JsonObject:
    return {
        "id": record.external_id,
        "prompt": record.prompt,
        "context": record.context,
        "sources": list(record.document_ids),
        "gold": record.gold,
        "metadata": dict(record.metadata),
    }


def _response(record: ResponseRecord) -> JsonObject:
    return {
        "id": record.external_id,
        "instance": record.instance_id,
        "system": record.system,
        "batch": record.batch,
        "text": record.text,
        "metadata": dict(record.metadata),
    }


def _claim(record: ClaimRecord) -> JsonObject:
    return {
        "id": record.external_id,
        "instance": record.instance_id,
        "responses": list(record.response_ids),
        "kind": record.kind.value,
        "text": record.text,
        "span": list(record.span) if record.span else None,
        "tags": list(record.tags),
        "gold": record.gold.value if record.gold else None,
        "metadata": dict(record.metadata),
    }


def _verdict(record: VerdictRecord) -> JsonObject:
    swapped = record.order is PresentationOrder.SWAPPED
    return {
        "claim": record.claim_id,
        "judge": record.judge,
        "state": record.state.value,
        "label": record.label.value if record.label else None,
        "order": record.order.value if swapped else None,
        "sample": record.sample or None,
        "confidence": _finite(record.confidence),
        "rationale": record.rationale,
        "reason": record.reason,
    }


def _decision(record: DecisionRecord) -> JsonObject:
    return {
        "id": record.external_id,
        "claim": record.claim_id,
        "label": record.label.value if record.label else None,
        "void": True if record.label is None else None,
        "expert": record.expert,
        "at": record.decided_at.astimezone(UTC).isoformat(),
        "reason": record.reason,
        "serious": record.is_serious or None,
        "undone": record.is_undone or None,
        "draw": dict(record.draw),
    }


def _outcome(record: OutcomeRecord) -> JsonObject:
    return {
        "claim": record.claim_id,
        "state": record.state.value,
        "label": record.label.value if record.label else None,
        "source": record.source.value,
        "support": _finite(record.support),
    }


_PAYLOADS: Mapping[RecordType, Callable[..., JsonObject]] = {
    RecordType.DOCUMENT: _document,
    RecordType.INSTANCE: _instance,
    RecordType.RESPONSE: _response,
    RecordType.CLAIM: _claim,
    RecordType.VERDICT: _verdict,
    RecordType.DECISION: _decision,
    RecordType.OUTCOME: _outcome,
}
