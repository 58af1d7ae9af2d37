"""Commits what came of calls, as it came, before any of it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.db import DataError, IntegrityError

from evaluation.llm.errors import LLMError
from evaluation.llm.pricing import PriceCard
from evaluation.llm.protocol import ChatReply
from evaluation.models import Purse
from evaluation.services import job_steps, ledger
from evaluation.services.callers import Heard
from evaluation.services.ledger import Came

UNKEEPABLE = (IntegrityError, DataError, ArithmeticError, ValueError)


def keep(*, heard: Sequence[tuple[Heard, PriceCard | None]], drawn_on: Sequence[Purse]) -> list[Heard]:
    """Keep what came of calls, each at its price, and return it: with an error in place of what no database takes."""
    came = [Came(each.call, _as_kept(each.outcome), card) for each, card in heard]
    try:
        ledger.keep(came=came, drawn_on=drawn_on)
    except UNKEEPABLE:  # one reply that cannot be kept takes no other with it
        return [_kept_alone(each, one, drawn_on) for (each, _), one in zip(heard, came, strict=True)]
    return [each for each, _ in heard]


def _kept_alone(heard: Heard, came: Came, drawn_on: Sequence[Purse]) -> Heard:
    try:
        ledger.keep(came=[came], drawn_on=drawn_on)
    except UNKEEPABLE as error:
        unkept = LLMError(f"The reply could not be stored: {error}", reason="server", may_be_billed=True)
        ledger.keep(came=[replace(came, outcome=unkept)], drawn_on=drawn_on)
        return replace(heard, outcome=unkept)
    return heard


def _as_kept(outcome: ChatReply | Exception) -> ChatReply | LLMError:
    if isinstance(outcome, ChatReply | LLMError):
        return outcome
    return LLMError(job_steps.sentence_of(outcome), reason="server", may_be_billed=True)
