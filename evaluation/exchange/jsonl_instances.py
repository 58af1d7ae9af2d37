"""Builds documents, instances and responses from the objects of our JSONL."""

from __future__ import annotations

from dataclasses import replace

from evaluation.exchange.fields import MAX_ID, Fields
from evaluation.exchange.fingerprint import question_id, short_hash
from evaluation.exchange.harvest import Harvest
from evaluation.exchange.jsonl_claims import add_nested_claims
from evaluation.exchange.records import DocumentRecord, InstanceRecord, ResponseRecord


def add_document(harvest: Harvest, fields: Fields) -> None:
    """A source document on a line of its own."""
    _add_document(harvest, fields, fields.required_name("id"))


def add_instance(harvest: Harvest, fields: Fields) -> None:
    """A prompt with everything that belongs to it nested inside."""
    record = _instance(harvest, fields, fields.required_name("id"))
    record = replace(record, metadata=fields.mapping("metadata"))
    harvest.instances.append(record)
    taken: set[str] = set()
    for number, child in enumerate(fields.children("responses"), start=1):
        system = child.name("system")
        named = f"{record.external_id}/{system}"
        if not system or named in taken or len(named) > MAX_ID:
            named = f"{record.external_id}/response-{number}"
        taken.add(named)
        _add_response(harvest, child, record.external_id, child.name("id") or named)
        child.finish()
    add_nested_claims(harvest, fields, record.external_id, ())


def add_short_row(harvest: Harvest, fields: Fields) -> None:
    """One answer with its question (`id`, `question`, `response`): equal questions become one instance."""
    response_id = fields.required_name("id")
    record = _instance(harvest, fields, fields.name("instance"))
    if not record.external_id:
        key = question_id(record.prompt, record.context, record.gold, record.document_ids)
        record = replace(record, external_id=key)
    first = harvest.share_instance(record)
    if first != record:
        fields.refuse("instance", f"Row {first.at.row} gives this instance another question, context, gold or sources.")
    response = _response(fields, record.external_id, response_id, fields.required_text("response"))
    harvest.responses.append(response)
    add_nested_claims(harvest, fields, record.external_id, (response_id,))


def add_response(harvest: Harvest, fields: Fields) -> None:
    """A response on a line of its own."""
    _add_response(harvest, fields, fields.required_name("instance"), fields.required_name("id"))


def _instance(harvest: Harvest, fields: Fields, instance_id: str) -> InstanceRecord:
    """The instance; only a line that says its type may come without a prompt, as exports of bare votes do."""
    word = "question" if fields.has("question") else "prompt"
    if fields.has("question") and fields.has("prompt"):
        fields.refuse("question", "“prompt” and “question” mean the same; keep one.")
    return InstanceRecord(
        instance_id,
        fields.text(word) if fields.has("type") else fields.required_text(word),
        fields.text("context"),
        _sources(harvest, fields, instance_id),
        fields.text("gold"),
        at=fields.at,
    )


def _sources(harvest: Harvest, fields: Fields, instance_id: str) -> tuple[str, ...]:
    ids: list[str] = []
    for number, item in enumerate(fields.items("sources"), start=1):
        child = Fields(
            item if isinstance(item, dict) else {"id": item},
            fields.log,
            fields.at,
            fields.path_of(f"sources[{number}]"),
        )
        if isinstance(item, dict):
            source_id = child.name("id") or _derived_source_id(child, instance_id, number)
            _add_document(harvest, child, source_id)
            child.finish()
        else:
            source_id = child.required_name("id")
        if source_id in ids:
            child.refuse("", f"The document “{source_id}” is named twice.")
        ids.append(source_id)
    return tuple(ids)


def _derived_source_id(fields: Fields, instance_id: str, number: int) -> str:
    if instance_id:
        return f"{instance_id}/source-{number}"
    return f"source-{short_hash(str(fields.values.get('title')), str(fields.values.get('text')))}"


def _add_document(harvest: Harvest, fields: Fields, document_id: str) -> None:
    text = fields.required_text("text")
    harvest.documents.append(DocumentRecord(document_id, fields.text("title"), text, fields.at))


def _add_response(harvest: Harvest, fields: Fields, instance_id: str, response_id: str) -> None:
    harvest.responses.append(_response(fields, instance_id, response_id, fields.text("text")))
    add_nested_claims(harvest, fields, instance_id, (response_id,))


def _response(fields: Fields, instance_id: str, response_id: str, text: str) -> ResponseRecord:
    metadata = fields.mapping("metadata")
    return ResponseRecord(
        response_id, instance_id, text, fields.name("system"), fields.name("batch"), metadata, fields.at
    )
