"""Amounts and wishes as people type them."""

from __future__ import annotations

from datetime import date

import pytest
from django.http import QueryDict

from annotation.money_forms import CapsForm, PriceForm, RunOptionsForm, RunStartForm
from evaluation.services.panel import RunOptions


@pytest.mark.parametrize(
    ("typed", "micros"),
    [("", None), ("0", 0), ("20", 20_000_000), ("0.5", 500_000), ("0.000001", 1), (" 2.50 ", 2_500_000)],
)
def test_dollars_become_whole_micro_dollars(typed: str, micros: int | None) -> None:
    form = CapsForm({"cap": typed})

    assert form.is_valid()
    assert form.cleaned_data["cap"] == micros


@pytest.mark.parametrize("typed", ["-0.01", "1000001", "NaN", "Infinity", "two", "0.0000001"])
def test_what_is_no_amount_is_refused(typed: str) -> None:
    assert "cap" in CapsForm({"cap": typed}).errors


@pytest.mark.parametrize(
    ("micros", "shown"), [(20_000_000, "20"), (500_000, "0.5"), (1, "0.000001"), (0, "0"), (100_000_000, "100")]
)
def test_stored_amounts_are_shown_as_dollars(micros: int, shown: str) -> None:
    assert CapsForm(initial={"cap": micros})["cap"].value() == shown


def test_what_was_typed_stays_as_it_was() -> None:
    assert CapsForm({"cap": "0.50x"})["cap"].value() == "0.50x"


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("", RunOptions()),
        ("ask=missing", RunOptions()),
        ("ask=again&samples=3", RunOptions(again=True, samples=3)),
        ("ask=failed&in_batches=on", RunOptions(only_failed=True, in_batches=True)),
    ],
)
def test_an_address_says_what_a_run_is_to_ask(query: str, options: RunOptions) -> None:
    form = RunOptionsForm(QueryDict(query))

    assert form.is_valid()
    assert form.options() == options


def test_only_the_start_takes_a_cap() -> None:
    form = RunStartForm(QueryDict("cap=2.5"))

    assert form.is_valid()
    assert form.options() == RunOptions(cap_micros=2_500_000)


def test_a_price_says_who_entered_it() -> None:
    typed = {
        "provider": "openai_chat",
        "model": "m",
        "valid_from": "2026-12-01",
        "input_price": "0.4",
        "output_price": "1.6",
        "written_price": "0.5",
        "batch_percent": "50",
        "source": "s" * 250,
    }
    form = PriceForm(typed, providers=[("openai_chat", "OpenAI")])

    assert form.is_valid(), form.errors
    price = form.price("A" * 100)
    assert (price.input_micros, price.cached_micros, price.written_micros) == (400_000, None, 500_000)
    assert price.valid_from == date(2026, 12, 1)
    assert price.source.startswith("sss")
    assert "entered by AAA" in price.source
    assert len(price.source) <= 300
    assert (price.long_above, price.long_input_percent, price.long_output_percent) == (None, 100, 100)


def test_a_price_may_say_what_long_prompts_cost() -> None:
    typed = {
        "provider": "openai_chat",
        "model": "m",
        "valid_from": "2026-12-01",
        "input_price": "2.5",
        "output_price": "15",
        "batch_percent": "50",
        "long_above": "272000",
        "long_input_percent": "200",
        "long_output_percent": "150",
        "source": "the list",
    }
    form = PriceForm(typed, providers=[("openai_chat", "OpenAI")])

    assert form.is_valid(), form.errors
    price = form.price("Tom")
    assert (price.long_above, price.long_input_percent, price.long_output_percent) == (272_000, 200, 150)
