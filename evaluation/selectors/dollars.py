"""Amounts of money as people read and write them: whole micro-dollars in store, dollars on the page."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

PER_DOLLAR = 1_000_000
ALMOST_TEN_CENTS = 99_500
UNKNOWN = "price unknown"


def dollars(micros: int | None, rounding: str = ROUND_HALF_UP) -> str:
    """The amount in dollars: "$4.12", and below a dollar two figures that say something, such as "$0.0012"."""
    if micros is None:
        return UNKNOWN
    sign, size = ("-", -micros) if micros < 0 else ("", micros)
    if size == 0:
        return "$0"
    n_digits = 2 if size >= ALMOST_TEN_CENTS else min(6, 8 - len(str(size)))
    amount = (Decimal(size) / PER_DOLLAR).quantize(Decimal(10) ** -n_digits, rounding=rounding)
    text = f"{amount:,}"
    return f"{sign}${text.removesuffix('.00')}"


def exact_dollars(micros: int) -> str:
    """The amount with every figure it has, as price lists are written: "$0.275", "$1.10"."""
    text = f"{Decimal(micros) / PER_DOLLAR:,.6f}".rstrip("0")
    whole, _, cents = text.partition(".")
    return f"${whole}.{cents:0<2}" if cents else f"${whole}"


def dollar_range(low: int, high: int) -> str:
    """A range of amounts, rounded outwards: "$1.20 to $3.90"."""
    least, most = dollars(low, ROUND_FLOOR), dollars(high, ROUND_CEILING)
    return least if least == most else f"{least} to {most}"


def micros_of(amount: Decimal) -> int:
    """An amount in dollars as whole micro-dollars, parts of one rounded up."""
    return int((amount * PER_DOLLAR).to_integral_value(rounding=ROUND_CEILING))
