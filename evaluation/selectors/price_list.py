"""The prices of models as their page lists them: which holds today, which did, and which will."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from evaluation.models import ModelPrice


@dataclass(frozen=True)
class PriceRow:
    """One price; `standing` is now, later or past."""

    price: ModelPrice
    standing: str


def price_rows() -> list[PriceRow]:
    """All prices by provider, host and model, the newest of each first; one query."""
    today = timezone.now().date()
    held: set[tuple[str, str, str]] = set()
    prices = ModelPrice.objects.order_by("provider", "host", "model", "-valid_from")
    return [PriceRow(price, _standing(price, today, held)) for price in prices]


def _standing(price: ModelPrice, today: date, held: set[tuple[str, str, str]]) -> str:
    key = (price.provider, price.host, price.model)
    if price.valid_from > today:
        return "later"
    if key in held:
        return "past"
    held.add(key)
    return "now"
