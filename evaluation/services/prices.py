"""What models cost by date: the defaults that come along, the rows owners add, and the one that holds for a judge."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import resources
from typing import Any

from django.utils import timezone

from evaluation.errors import InvalidInputError
from evaluation.llm import registry
from evaluation.llm.pricing import FREE, PriceCard
from evaluation.models import Judge, ModelPrice, Project
from evaluation.services import field_checks, receivers
from evaluation.services.judges import is_remote

ANY_MODEL = "*"
DEFAULTS = "prices.json"
CHEAPEST_TIERS = ("", "auto", "default", "standard", "standard_only", "flex")
PLAIN_SPEEDS = ("", "standard")


@dataclass(frozen=True)
class NewPrice:
    """A price from a day on, in micro-dollars per million tokens; `host` is empty for the provider's own address."""

    provider: str
    model: str
    valid_from: date
    input_micros: int
    output_micros: int
    host: str = ""
    cached_micros: int | None = None
    written_micros: int | None = None
    batch_percent: int = 50
    long_above: int | None = None
    long_input_percent: int = 100
    long_output_percent: int = 100
    source: str = ""


def card(judge: Judge, on: date | None = None) -> PriceCard | None:
    """What this judge costs on a day (today), None where no price is known; a judge that asks nobody costs nothing."""
    return cards([judge], on)[judge.pk]


def cards(judges: Iterable[Judge], on: date | None = None) -> dict[int, PriceCard | None]:
    """What each of these judges costs on a day (today), by id; one query."""
    listed = list(judges)
    known = rows(listed, on)
    found: dict[int, PriceCard | None] = {}
    for judge in listed:
        row = known.get(judge.pk)
        found[judge.pk] = card_of(row) if row else None if judge.pk in known else FREE
    return found


def rows(judges: Iterable[Judge], on: date | None = None) -> dict[int, ModelPrice | None]:
    """The row that holds on a day for each of these judges that asks somebody, by id; one query."""
    known = list(ModelPrice.objects.filter(valid_from__lte=on or timezone.now().date()))
    return {judge.pk: _row(judge, known) for judge in judges if is_remote(judge)}


@dataclass(frozen=True)
class JudgePrice:
    """The price of one judge that is asked over the network; `row` is None where none is known."""

    judge: Judge
    host: str
    row: ModelPrice | None


def of_judges(project: Project) -> list[JudgePrice]:
    """What the judges of a project that ask somebody cost today, those in use first; two queries."""
    judges = list(project.judges.filter(retired_at=None).order_by("-is_active", "pk"))
    found = rows(judges)
    return [JudgePrice(judge, host_of(judge), found[judge.pk]) for judge in judges if judge.pk in found]


def card_of(row: ModelPrice) -> PriceCard:
    return PriceCard(
        input_micros=row.input_micros,
        output_micros=row.output_micros,
        cached_micros=row.cached_micros,
        written_micros=row.written_micros,
        batch_percent=row.batch_percent,
        long_above=row.long_above,
        long_input_percent=row.long_input_percent,
        long_output_percent=row.long_output_percent,
    )


def host_of(judge: Judge) -> str:
    """Where this judge's server is: its host with port, empty for the provider's own address."""
    host = receivers.receiver_of(judge)
    return "" if host == registry.provider(judge.provider).host else host


def asks_for_more(judge: Judge) -> bool:
    """Whether its parameters ask for a tier that costs more than the table says: no row holds for it then."""
    tier, speed = (str(judge.parameters.get(name, "")) for name in ("service_tier", "speed"))
    return tier not in CHEAPEST_TIERS or speed not in PLAIN_SPEEDS


def _row(judge: Judge, known: Sequence[ModelPrice]) -> ModelPrice | None:
    """The narrowest row that fits: its host, then its exact name or longest prefix, then its provider, then newest."""
    if asks_for_more(judge):
        return None
    host = host_of(judge)
    fitting = [row for row in known if _fits_host(row, judge, host) and _fits_model(row.model, judge.model)]
    return max(fitting, key=lambda row: _narrowness(row, judge), default=None)


def _narrowness(row: ModelPrice, judge: Judge) -> tuple[int, bool, int, bool, date]:
    is_exact = row.model == judge.model
    return len(row.host), is_exact, len(row.model), row.provider == judge.provider, row.valid_from


def _fits_host(row: ModelPrice, judge: Judge, host: str) -> bool:
    """One's own server costs the same in every protocol; at a provider's own address its protocols share the prices."""
    if host:
        return row.host in (host, host.partition(":")[0])
    own = registry.provider(judge.provider).host
    listed = registry.PROVIDERS.get(row.provider)
    return not row.host and listed is not None and listed.host == own


def _fits_model(pattern: str, model: str) -> bool:
    return model.startswith(pattern[:-1]) if pattern.endswith(ANY_MODEL) else model == pattern


def set_price(*, new: NewPrice) -> ModelPrice:
    """Add a price from a day on, or correct the one of the same day; calls keep what they cost when they were made.

    Raises InvalidInputError naming what is wrong.
    """
    provider = registry.provider(new.provider)
    if not provider.is_remote:
        raise InvalidInputError(f"{provider.title} costs nothing: choose a provider that is asked over the network.")
    host = new.host.strip().lower()
    key: dict[str, Any] = {
        "provider": provider.name,
        "host": "" if host == provider.host else host,
        "model": new.model.strip(),
        "valid_from": new.valid_from,
    }
    figures = {
        "input_micros": new.input_micros,
        "output_micros": new.output_micros,
        "cached_micros": new.cached_micros,
        "written_micros": new.written_micros,
        "batch_percent": new.batch_percent,
        "long_above": new.long_above,
        "long_input_percent": new.long_input_percent,
        "long_output_percent": new.long_output_percent,
        "source": new.source.strip(),
    }
    _check(ModelPrice(**key, **figures))
    return ModelPrice.objects.update_or_create(**key, defaults=figures)[0]


def _check(row: ModelPrice) -> None:
    field_checks.check(row, texts=("host", "model", "source"), refusal="This price cannot be taken")
    if "/" in row.host or " " in row.host:
        raise InvalidInputError(f"“{row.host}” is no host: write it as in an address, without https:// and path.")
    if row.batch_percent > 100:
        raise InvalidInputError("A batched call costs at most 100 per cent of a single one.")
    if min(row.long_input_percent, row.long_output_percent) < 100:
        raise InvalidInputError("A long prompt costs at least 100 per cent of a short one.")


def seed() -> int:
    """Add the default prices that are not there yet and return how many; rows that are there stay as they are."""
    before = ModelPrice.objects.count()
    ModelPrice.objects.bulk_create(
        (ModelPrice(model=model, **figures) for models, figures in _defaults() for model in models),
        ignore_conflicts=True,
    )
    return ModelPrice.objects.count() - before


def _defaults() -> list[tuple[list[str], Mapping[str, object]]]:
    listed = json.loads(resources.files("evaluation.llm").joinpath(DEFAULTS).read_text(encoding="utf-8"))
    return [(entry.pop("models"), entry) for entry in listed]
