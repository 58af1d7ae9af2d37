"""Imports as their pages show them: what a file brings, before and after it is taken in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from evaluation.models import Import, Project

N_LISTED = 30
N_REFUSED_SHOWN = 200
NOUNS = {
    "document": "Source documents",
    "instance": "Questions or tasks",
    "response": "Answers",
    "claim": "Claims",
    "verdict": "Votes",
    "decision": "Rulings",
    "outcome": "Current answers",
}


@dataclass(frozen=True)
class CountRow:
    """How many things of one sort are new, unchanged and conflicting."""

    noun: str
    new: int
    unchanged: int
    conflicting: int


@dataclass(frozen=True)
class Conflict:
    """Something of the file that is in the project with other content."""

    noun: str
    id: str
    message: str


@dataclass(frozen=True)
class Refusal:
    """What is wrong, and where in which file."""

    file: str
    row: str
    field: str
    reason: str


@dataclass(frozen=True)
class ReportPage:
    """An import's report in rows; long lists are cut and say so."""

    record: Import
    counts: tuple[CountRow, ...]
    conflicts: tuple[Conflict, ...]
    refusals: tuple[Refusal, ...]
    n_refusals: int
    warnings: tuple[str, ...]
    judges: tuple[str, ...]
    kind: str

    @property
    def can_commit(self) -> bool:
        return self.record.state == Import.State.REPORTED


def import_records(*, project: Project) -> QuerySet[Import]:
    """The newest imports of a project without their bytes."""
    return project.imports.select_related("created_by").defer("content").order_by("-pk")[:N_LISTED]


def report_page(*, record: Import) -> ReportPage:
    """Turn the stored report into rows; sorts that do not occur are left out."""
    report = record.report
    refused = report.get("refused", [])
    return ReportPage(
        record=record,
        counts=_count_rows(report),
        conflicts=tuple(_conflict(row) for row in report.get("conflicts", [])[:N_REFUSED_SHOWN]),
        refusals=tuple(_refusal(row) for row in refused[:N_REFUSED_SHOWN]),
        n_refusals=int(report.get("n_refused", len(refused))),
        warnings=_texts(report.get("warnings", [])),
        judges=_texts(report.get("judges", [])),
        kind=str(report.get("kind", "")),
    )


def _count_rows(report: Mapping[str, Mapping[str, int]]) -> tuple[CountRow, ...]:
    sorts = [report.get(sort) or {} for sort in ("new", "unchanged", "conflicting")]
    names = [name for name in NOUNS if any(name in sort for sort in sorts)]
    names += sorted({name for sort in sorts for name in sort} - set(NOUNS))
    rows = [CountRow(noun_of(name), *(int(sort.get(name, 0)) for sort in sorts)) for name in names]
    return tuple(row for row in rows if row.new or row.unchanged or row.conflicting)


def noun_of(name: str) -> str:
    """The plural noun that pages use for a sort of record."""
    return NOUNS.get(name, name)


def _conflict(row: Mapping[str, object]) -> Conflict:
    return Conflict(noun_of(str(row.get("type", ""))), str(row.get("id", "")), str(row.get("message", "")))


def _refusal(row: Mapping[str, object]) -> Refusal:
    place = row.get("row")
    return Refusal(
        str(row.get("file", "")), "" if place is None else str(place), str(row.get("field") or ""), str(row["reason"])
    )


def _texts(rows: Sequence[object]) -> tuple[str, ...]:
    return tuple(str(row) for row in rows)
