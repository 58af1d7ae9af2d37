"""What import_data prints: the report, and how good recorded votes are where gold is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from evaluation.errors import InvalidInputError
from evaluation.exchange.records import Bundle
from evaluation.management.tables import counted, decimals, percent, table
from evaluation.models import Import
from evaluation.schemas import ClaimKind
from evaluation.services import replaying
from evaluation.services.imports import Reading

SHOWN = 20
ENOUGH_FOR_FIGURES = 20
WORDS = {"verdict": "vote", "decision": "ruling"}


class Place(TypedDict):
    """Where something was refused, and why."""

    file: str
    row: int | None
    field: str
    reason: str


class Conflict(TypedDict):
    """A record that is stored with other content."""

    type: str
    id: str
    message: str


class JudgeFigures(TypedDict):
    """A judge against gold."""

    name: str
    accuracy: float
    kappa: float | None


class Figures(TypedDict):
    """How good recorded votes are before any ruling."""

    order: str
    n: int
    n_disagree: int
    majority: float
    oracle_any: float
    judges: list[JudgeFigures]


class Facts(TypedDict):
    """The report as plain values: counts by type of record, and what people have to look at."""

    project: str
    file: str
    format: str
    already_imported: bool
    pairs: int
    statements: int
    votes: int
    new: dict[str, int]
    unchanged: dict[str, int]
    conflicting: dict[str, int]
    conflicts: list[Conflict]
    refused: list[Place]
    n_refused: int
    warnings: list[str]
    n_warnings: int
    judges: list[str]
    kind: str
    figures: Figures | None


def facts_of(record: Import, reading: Reading) -> Facts:
    """Return the report as plain values; a file that was imported before has nothing new."""
    is_known, report = record.state == Import.State.COMMITTED, record.report
    kinds = [claim.kind for claim in reading.bundle.claims]
    return Facts(
        project=record.project.slug,
        file=record.filename,
        format=record.format,
        already_imported=is_known,
        pairs=kinds.count(ClaimKind.PREFERENCE),
        statements=kinds.count(ClaimKind.STATEMENT),
        votes=len(reading.bundle.verdicts),
        new={} if is_known else report["new"],
        unchanged=report["new"] if is_known else report["unchanged"],
        conflicting=report["conflicting"],
        conflicts=report["conflicts"],
        refused=report["refused"],
        n_refused=report["n_refused"],
        warnings=report["warnings"],
        n_warnings=report["n_warnings"],
        judges=report["judges"],
        kind=report["kind"],
        figures=figures_of(reading.bundle),
    )


def figures_of(bundle: Bundle) -> Figures | None:
    """Return how good the votes are in the order as given; None where gold or votes are missing."""
    try:
        found = replaying.summary(recording=replaying.recording(bundle=bundle))
    except InvalidInputError:
        return None
    return Figures(
        order="first",
        n=found.n,
        n_disagree=found.n_disagree,
        majority=found.majority,
        oracle_any=found.oracle_any,
        judges=[JudgeFigures(name=each.name, accuracy=each.accuracy, kappa=each.kappa) for each in found.judges],
    )


def lines_of(facts: Facts) -> Iterator[str]:
    """Yield the report for people."""
    judges = facts["judges"]
    claims = [counted(n, thing) for n, thing in ((facts["pairs"], "pair"), (facts["statements"], "statement")) if n]
    votes = f"{counted(facts['votes'], 'vote')} of {counted(len(judges), 'judge')}"
    named = f": {', '.join(judges)}" if judges else ""
    yield f"  {facts['file']} ({facts['format']}) holds {', '.join([*claims, votes])}{named}"
    for word, counts in (
        ("new", facts["new"]),
        ("unchanged", facts["unchanged"]),
        ("conflicting", facts["conflicting"]),
    ):
        yield f"  {word:<12} {', '.join(counted(n, WORDS.get(kind, kind)) for kind, n in counts.items()) or '-'}"
    yield f"  {'refused':<12} {facts['n_refused'] or '-'}"
    yield from _place_lines(facts["refused"])
    yield from (f"    conflict: {conflict['message']}" for conflict in facts["conflicts"][:SHOWN])
    if facts["warnings"]:
        yield f"  {'odd':<12} {facts['n_warnings']}"
        yield from (f"    {warning}" for warning in facts["warnings"][:SHOWN])
    if facts["figures"] is not None:
        yield from _figure_lines(facts["figures"])


def _place_lines(places: list[Place]) -> Iterator[str]:
    for place in places[:SHOWN]:
        parts = [place["file"], f"row {place['row']}" if place["row"] else "", place["field"]]
        yield f"    refused: {', '.join(part for part in parts if part)}: {place['reason']}"
    if len(places) > SHOWN:
        yield f"    … and {len(places) - SHOWN} more; --json lists up to 200."


def _figure_lines(figures: Figures) -> Iterator[str]:
    if figures["n"] < ENOUGH_FOR_FIGURES:
        known = f"Gold is known for {counted(figures['n'], 'claim')} with votes"
        yield f"  {known}: too few to say how good the judges are (from {ENOUGH_FOR_FIGURES} on)."
        return
    yield (
        f"  Against gold, answers in the order given: majority {percent(figures['majority'])}, "
        f"any judge right {percent(figures['oracle_any'])}, "
        f"judges disagree on {figures['n_disagree']} of {figures['n']}; a tie counts its share."
    )
    rows = [(judge["name"], percent(judge["accuracy"]), decimals(judge["kappa"])) for judge in figures["judges"]]
    yield from table(("judge", "right", "kappa"), rows)
