"""What a project holds already, as an import is compared with it."""

from __future__ import annotations

from evaluation.exchange.fingerprint import content_hash, near_key
from evaluation.exchange.records import ExistingIndex, Key, KnownResponse, record_key
from evaluation.models import Project
from evaluation.schemas import ClaimKind
from evaluation.services import records


def index_of(project: Project) -> ExistingIndex:
    """Hashes of every stored record, texts of responses, and near-duplicate keys."""
    hashes: dict[Key, str] = {}
    near: dict[str, str] = {}
    for record in records.everything(project):
        hashes[record_key(record)] = content_hash(record)
        if key := near_key(record):
            near[key] = record.external_id
    rows = project.responses.values_list("external_id", "instance__external_id", "text")
    known = {external_id: KnownResponse(instance, text) for external_id, instance, text in rows}
    kinds = {name: ClaimKind(kind) for name, kind in project.claims.values_list("external_id", "kind")}
    return ExistingIndex(hashes, near, known, kinds)
