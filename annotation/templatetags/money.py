"""Amounts of money and the words of the ledger on pages."""

from __future__ import annotations

from decimal import ROUND_CEILING

from django import template

from evaluation.selectors import dollars as amounts
from evaluation.selectors.failures import in_words
from evaluation.selectors.run_words import asked_words

register = template.Library()


@register.filter
def dollars(micros: int | None) -> str:
    """Whole micro-dollars as "$4.12" or "$0.0012"; None as "price unknown"."""
    return amounts.dollars(micros)


@register.filter
def most_dollars(micros: int | None) -> str:
    """The same for what something costs at most: rounded up, so that it is never less than what may be paid."""
    return amounts.dollars(micros, ROUND_CEILING)


@register.filter
def exact_dollars(micros: int) -> str:
    """A price with every figure it has, such as "$0.275"."""
    return amounts.exact_dollars(micros)


@register.filter
def reason_in_words(reason: str) -> str:
    """Why a call failed, as people read it."""
    return in_words(reason)


@register.filter
def task_in_words(task: str) -> str:
    """What a call asked its judge to do."""
    return asked_words(task)
