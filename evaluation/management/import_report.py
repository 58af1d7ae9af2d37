"""What import_data prints: the report, and how good recorded votes are where gold is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import cast

from evaluation.algorithms.simulation.replay import ReplayResult
from evaluation.errors import InvalidInputError
from evaluation.exchange.records import Bundle
from evaluation.management.tables import counted, decimals, percent, table
from evaluation.models import Import
from evaluation.schemas import ClaimKind
from evaluation.services import replaying
from evaluation.services.imports import Reading

SHOWN = 20


def facts_of(record: Import, reading: Reading) -> dict[str, object]:
    """Return the report as plain values; a file that was imported before has nothing new."""
    is_known = record.state == Import.State.COMMITTED
    report = {**record.report, "new": {}, "unchanged": record.report["new"]} if is_known else record.report
    kinds = [claim.kind for claim in reading.bundle.claims]
    return {
        "project": record.project.slug,
        "file": record.filename,
        "format": record.format,
        "already_imported": is_known,
        "pairs": kinds.count(ClaimKind.PREFERENCE),
        "statements": kinds.count(ClaimKind.STATEMENT),
        "votes": len(reading.bundle.verdicts),
        **report,
        "figures": figures_of(reading.bundle),
    }


def figures_of(bundle: Bundle) -> dict[str, object] | None:
    """Return how good the votes are in the order as given; None where gold or votes are missing."""
    try:
        found = replaying.summary(recording=replaying.recording(bundle=bundle))
    except InvalidInputError:
        return None
    return {"order": "first", **_before_any_ruling(found)}


def _before_any_ruling(found: ReplayResult) -> dict[str, object]:
    return {
        "n": found.n,
        "n_disagree": found.n_disagree,
        "majority": found.majority,
        "oracle_any": found.oracle_any,
        "judges": [asdict(judge) for judge in found.judges],
    }


def lines_of(facts: Mapping[str, object]) -> Iterator[str]:
    """Yield the report for people."""
    judges = cast(list[str], facts["judges"])
    claims = [
        counted(cast(int, n), thing) for n, thing in ((facts["pairs"], "pair"), (facts["statements"], "statement")) if n
    ]
    votes = f"{counted(cast(int, facts['votes']), 'vote')} of {counted(len(judges), 'judge')}"
    named = f": {', '.join(judges)}" if judges else ""
    yield f"  {facts['file']} ({facts['format']}) holds {', '.join([*claims, votes])}{named}"
    for word in ("new", "unchanged", "conflicting"):
        counts = cast(Mapping[str, int], facts[word])
        yield f"  {word:<12} {', '.join(f'{n:,} {kind}' for kind, n in counts.items()) or '-'}"
    yield f"  {'refused':<12} {facts['n_refused'] or '-'}"
    yield from _places("refused", cast(list[Mapping[str, object]], facts["refused"]))
    for conflict in cast(list[Mapping[str, str]], facts["conflicts"])[:SHOWN]:
        yield f"    conflict: {conflict['message']}"
    warnings = cast(list[str], facts["warnings"])
    if warnings:
        yield f"  {'odd':<12} {facts['n_warnings']}"
        yield from (f"    {warning}" for warning in warnings[:SHOWN])
    yield from _figure_lines(cast(Mapping[str, object] | None, facts["figures"]))


def _places(word: str, places: list[Mapping[str, object]]) -> Iterator[str]:
    for place in places[:SHOWN]:
        parts = [place["file"], f"row {place['row']}" if place["row"] else "", place["field"]]
        yield f"    {word}: {', '.join(str(part) for part in parts if part)}: {place['reason']}"
    if len(places) > SHOWN:
        yield f"    … and {len(places) - SHOWN} more; --json lists up to 200."


def _figure_lines(figures: Mapping[str, object] | None) -> Iterator[str]:
    if figures is None:
        return
    share = cast(Mapping[str, float], figures)
    yield (
        f"  Against gold, answers in the order given: majority {percent(share['majority'])}, "
        f"any judge right {percent(share['oracle_any'])}, judges disagree on {figures['n_disagree']} of {figures['n']}."
    )
    judges = cast(list[Mapping[str, object]], figures["judges"])
    rows = [
        (str(judge["name"]), percent(cast(float, judge["accuracy"])), decimals(cast(float | None, judge["kappa"])))
        for judge in judges
    ]
    yield from table(("judge", "right", "kappa"), rows)
