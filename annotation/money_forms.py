"""Forms about runs and money: what a run is to do, caps, and prices; amounts are typed in dollars."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import cast

from django import forms
from django.utils import timezone

from annotation.forms import PlainForm
from evaluation.selectors.dollars import PER_DOLLAR, micros_of
from evaluation.services.panel import RunOptions
from evaluation.services.prices import NewPrice

MOST_DOLLARS = 1_000_000
MOST_SAMPLES = 9
MISSING, FAILED, AGAIN = "missing", "failed", "again"
ASK = [
    (MISSING, "What has no vote yet"),
    (FAILED, "Only what judges were asked for in vain"),
    (AGAIN, "Everything again; a question that did not change costs nothing"),
]


class Dollars(forms.DecimalField):
    """An amount in dollars that becomes whole micro-dollars; empty is None."""

    def __init__(self, *, label: str, help_text: str = "", required: bool = True) -> None:
        super().__init__(
            min_value=0, max_value=MOST_DOLLARS, decimal_places=6, label=label, help_text=help_text, required=required
        )
        self.widget.attrs["step"] = "any"

    def clean(self, value: object) -> int | None:
        amount: Decimal | None = super().clean(value)
        return None if amount is None else micros_of(amount)

    def prepare_value(self, value: object) -> object:
        """Show stored micro-dollars as dollars; what a person typed stays as it is."""
        if not isinstance(value, int):
            return value
        text = f"{Decimal(value) / PER_DOLLAR:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text


class RunOptionsForm(PlainForm):
    """What a run is to ask; what the address leaves out takes its default."""

    ask = forms.ChoiceField(choices=ASK, required=False, widget=forms.RadioSelect, label="What to ask")
    samples = forms.IntegerField(
        min_value=1,
        max_value=MOST_SAMPLES,
        required=False,
        label="Votes of each judge on each claim",
        help_text="More than one shows how steady a judge is, and costs as many times as much.",
    )
    in_batches = forms.BooleanField(
        required=False,
        label="In batches overnight: about half the price, answers within a day",
    )

    def options(self) -> RunOptions:
        """The options as the service takes them."""
        data = self.cleaned_data
        return RunOptions(
            again=data["ask"] == AGAIN,
            only_failed=data["ask"] == FAILED,
            samples=data["samples"] or 0,
            in_batches=data["in_batches"],
            cap_micros=data.get("cap"),
        )


class RunStartForm(RunOptionsForm):
    """The same with a cap, as the start of a run sends it."""

    cap = Dollars(
        required=False,
        label="Cap of this run, in dollars (optional)",
        help_text="It pauses before the cap would be passed, and can go on with a higher one.",
    )


class RunCapForm(PlainForm):
    """A new cap for a run that goes on; empty keeps the one it has."""

    cap = Dollars(required=False, label="New cap, in dollars")


class CapsForm(PlainForm):
    """What a project may spend."""

    cap = Dollars(
        required=False,
        label="Cap of the project, in dollars",
        help_text="All runs together never spend more. Empty: no limit.",
    )
    weekly = Dollars(
        required=False,
        label="Allowance for second looks, in dollars a week",
        help_text="Second looks that follow from rulings spend this at most, from Monday to Sunday (UTC). "
        "Empty: no limit of their own.",
    )


class PriceForm(PlainForm):
    """The price of a model from a day on, in dollars per million tokens."""

    provider = forms.ChoiceField(label="Provider")
    host = forms.CharField(
        max_length=255,
        required=False,
        label="Host (for a server of your own)",
        help_text="As in the judge's address, such as 127.0.0.1:8001. Empty: the provider's own address.",
    )
    model = forms.CharField(
        max_length=200, label="Model", help_text="As the judge names it. “*” at the end stands for any rest."
    )
    valid_from = forms.DateField(
        label="Valid from",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        initial=timezone.localdate,
    )
    input_price = Dollars(label="Input, dollars per million tokens")
    output_price = Dollars(label="Output, dollars per million tokens")
    cached_price = Dollars(required=False, label="Input read from the provider's cache (empty: like other input)")
    written_price = Dollars(required=False, label="Input written to the cache (empty: like other input)")
    batch_percent = forms.IntegerField(
        min_value=0, max_value=100, initial=50, label="A call in a batch costs, in per cent"
    )
    long_above = forms.IntegerField(
        min_value=1, required=False, label="Prompts of more tokens than this cost more (empty: all cost the same)"
    )
    long_input_percent = forms.IntegerField(
        min_value=100, max_value=1_000, required=False, label="Input of such a prompt costs, in per cent"
    )
    long_output_percent = forms.IntegerField(
        min_value=100, max_value=1_000, required=False, label="The reply to it costs, in per cent"
    )
    source = forms.CharField(
        max_length=250, label="Where the price stands", help_text="Such as the address of the provider's price list."
    )

    def __init__(self, *args: object, providers: Sequence[tuple[str, str]], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["provider"]).choices = list(providers)

    def price(self, by: str) -> NewPrice:
        """The price as the service takes it; its source says who entered it."""
        data = self.cleaned_data
        return NewPrice(
            provider=data["provider"],
            host=data["host"],
            model=data["model"],
            valid_from=data["valid_from"],
            input_micros=data["input_price"],
            output_micros=data["output_price"],
            cached_micros=data["cached_price"],
            written_micros=data["written_price"],
            batch_percent=data["batch_percent"],
            long_above=data["long_above"],
            long_input_percent=data["long_input_percent"] or 100,
            long_output_percent=data["long_output_percent"] or 100,
            source=f"{data['source']}, entered by {by}"[:300],
        )
