"""Imports files: a report first, then all or nothing; the same file twice is one import."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from evaluation.errors import ConflictError, InvalidInputError
from evaluation.exchange import compare, detect
from evaluation.exchange.detect import ReadOptions
from evaluation.exchange.llmbar import BOTH_ORDERS, DEFAULT_PROMPT
from evaluation.exchange.records import Bundle, ExistingIndex, Parsed, Refusal
from evaluation.models import Import, Project, Run
from evaluation.schemas import ClaimKind, Label, PresentationOrder
from evaluation.services import import_index, import_storing, projects, track_records

SHOWN_IN_REPORT = 200


@dataclass(frozen=True)
class Reading:
    """A file as read and compared with what the project holds."""

    parsed: Parsed
    report: compare.Report
    existing: ExistingIndex

    @property
    def bundle(self) -> Bundle:
        return self.parsed.bundle


def options_from(values: Mapping[str, str]) -> ReadOptions:
    """Reading options from plain values: prompt and orders (first or both) for LLMBar, kind for votes."""
    orders = (PresentationOrder.AS_GIVEN,) if values.get("orders") == "first" else BOTH_ORDERS
    return ReadOptions(
        name=values.get("name", ""),
        prompt=values.get("prompt") or DEFAULT_PROMPT,
        orders=orders,
        kind=ClaimKind(values["kind"]) if values.get("kind") else None,
    )


def read(*, project: Project, path: Path, fmt: str = "", options: Mapping[str, str] | None = None) -> Reading:
    """Read a file or tree and compare it with the project; stores nothing."""
    existing = import_index.index_of(project)
    parsed = detect.read(path, fmt or None, options_from(options or {}), existing)
    return Reading(parsed, compare.compare(parsed, existing), existing)


def prepare(
    *, project: Project, content: bytes, filename: str, by: User | None = None, options: Mapping[str, str] | None = None
) -> Import:
    """Keep an uploaded file with its report; nothing of it is in the project yet.

    `options` may name the format as `fmt`. A file that was committed before comes back as that import.
    """
    values = {**(options or {}), "name": filename}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upload"
        path.write_bytes(content)
        reading = read(project=project, path=path, fmt=values.get("fmt", ""), options=values)
    if known := _committed(project, reading.parsed.sha256):
        return known
    return _keep(project, reading, filename, values, by, content)


def prepare_path(
    *, project: Project, path: Path, fmt: str = "", by: User | None = None, options: Mapping[str, str] | None = None
) -> tuple[Import, Reading]:
    """Report on a file or tree on this machine; its content is not kept."""
    reading = read(project=project, path=path, fmt=fmt, options=options)
    record = _committed(project, reading.parsed.sha256)
    return record or _keep(project, reading, path.name, dict(options or {}), by, None), reading


def _committed(project: Project, sha256: str) -> Import | None:
    return project.imports.filter(sha256=sha256, state=Import.State.COMMITTED).first() if sha256 else None


def _keep(
    project: Project, reading: Reading, filename: str, options: dict[str, str], by: User | None, content: bytes | None
) -> Import:
    refused = [*reading.report.refused, *_outside_scheme(project, reading.bundle)]
    return Import.objects.create(
        project=project,
        filename=filename[:300],
        format=reading.parsed.format or "unknown",
        sha256=reading.parsed.sha256,
        options=options,
        content=content,
        state=Import.State.REFUSED if refused else Import.State.REPORTED,
        report=_as_json(reading, refused),
        created_by=by,
    )


def _outside_scheme(project: Project, bundle: Bundle) -> list[Refusal]:
    """Ties where the project has none; a project without claims takes the scheme of its first file."""
    is_new = not project.claims.exists()
    allows_tie = bundle.project_hints.allow_tie is not False if is_new else project.allow_tie
    if allows_tie:
        return []
    refusals = []
    for each in bundle.verdicts:
        if each.label is Label.TIE:
            reason = "This project has no ties (“equally good”): an owner can allow them."
            refusals.append(Refusal(each.at.file, each.at.row, "label", reason))
    return refusals


def _as_json(reading: Reading, refused: Sequence[Refusal]) -> dict[str, object]:
    report, bundle = reading.report, reading.bundle
    conflicts = [
        {"type": kind.value, "id": name, "message": f"The {kind} “{name}” is stored with other content."}
        for kind, names in report.conflicting.items()
        for name in names
    ]
    kind = bundle.project_hints.kind
    return {
        "new": {kind.value: len(names) for kind, names in report.new.items()},
        "unchanged": {kind.value: len(names) for kind, names in report.unchanged.items()},
        "conflicting": {kind.value: len(names) for kind, names in report.conflicting.items()},
        "conflicts": conflicts[:SHOWN_IN_REPORT],
        "refused": [_refusal(each) for each in refused[:SHOWN_IN_REPORT]],
        "n_refused": len(refused),
        "warnings": [str(each) for each in report.warnings[:SHOWN_IN_REPORT]],
        "n_warnings": len(report.warnings),
        "judges": list(dict.fromkeys(each.judge for each in bundle.verdicts)),
        "kind": kind.value if kind else "",
    }


def _refusal(refusal: Refusal) -> dict[str, object]:
    return {"file": refusal.file, "row": refusal.row, "field": refusal.field, "reason": refusal.reason}


def commit(*, record: Import, on_conflict: str = Import.OnConflict.STOP, by: User | None = None) -> Import:
    """Store an uploaded file as its report said, read again against what the project holds now."""
    if record.state == Import.State.COMMITTED:
        return record
    if record.content is None:
        raise InvalidInputError("The content of this import was not kept: import the file again.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upload"
        path.write_bytes(bytes(record.content))
        fmt = "" if record.format == "unknown" else record.format
        reading = read(project=record.project, path=path, fmt=fmt, options=record.options)
    return commit_reading(record=record, reading=reading, on_conflict=on_conflict, by=by)


def may_replace(reading: Reading, on_conflict: str) -> bool:
    """Whether a file that was imported before, keeping what was stored, is now to replace it."""
    return bool(reading.report.conflicting) and on_conflict == Import.OnConflict.REPLACE


def commit_reading(
    *, record: Import, reading: Reading, on_conflict: str = Import.OnConflict.STOP, by: User | None = None
) -> Import:
    """Store what was read: everything or nothing.

    Raises InvalidInputError where something is refused, ConflictError where ids are stored with other content and
    `on_conflict` is stop, or where another import brought some of them in the meantime.
    """
    refused = [*reading.report.refused, *_outside_scheme(record.project, reading.bundle)]
    if refused:
        raise InvalidInputError(f"Nothing was imported. {len(refused)} places were refused, first: {refused[0]}")
    conflicts = sum(len(names) for names in reading.report.conflicting.values())
    if conflicts and on_conflict == Import.OnConflict.STOP:
        raise ConflictError(
            f"Nothing was imported: {conflicts} records are stored with other content. Choose to keep what is stored "
            "or to replace it."
        )
    try:
        with transaction.atomic():
            projects.hold(record.project)
            known = _committed(record.project, reading.parsed.sha256)
            if known and not may_replace(reading, on_conflict):
                return known
            record = known or record
            _store(record, reading, replaces=on_conflict == Import.OnConflict.REPLACE, by=by)
    except IntegrityError as error:
        raise ConflictError(
            "Nothing was imported: something of this file came into the project while it was read. Import it again."
        ) from error
    return record


def _store(record: Import, reading: Reading, *, replaces: bool, by: User | None) -> None:
    project, now = record.project, timezone.now()
    project.refresh_from_db()
    _take_scheme(project, reading.bundle)
    run = Run.objects.create(
        project=project, kind=Run.Kind.IMPORT, state=Run.State.DONE, started_by=by, started_at=now, ended_at=now
    )
    storing = import_storing.Storing(project, record, reading.existing, replaces, run)
    import_storing.store(storing, reading.bundle)
    for kind in set(project.claims.values_list("kind", flat=True)):
        track_records.remake(project=project, kind=kind)
    record.state, record.run, record.committed_at = Import.State.COMMITTED, run, now
    record.report, record.content = _as_json(reading, []), None
    record.save()


def _take_scheme(project: Project, bundle: Bundle) -> None:
    """Let the first file of a project say which labels occur; a later one can only widen them."""
    labels = {each.label for each in bundle.verdicts} | {claim.gold for claim in bundle.claims}
    is_new = not project.claims.exists()
    if is_new and bundle.project_hints.allow_tie is not None:
        project.allow_tie = bundle.project_hints.allow_tie
    if is_new and bundle.verdicts:
        project.allow_uncertain = Label.UNCERTAIN in labels
    elif Label.UNCERTAIN in labels:
        project.allow_uncertain = True
    if any(claim.gold is Label.UNCERTAIN for claim in bundle.claims):
        project.parameters = {**project.parameters, "in_between": "uncertain"}
    project.save()
