"""Forms of a judge: what an owner sets, its parameters as fields, and a key that is never shown again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import cast

from django import forms
from django.views.decorators.debug import sensitive_variables

from annotation.forms import PlainForm
from evaluation.models import Judge
from evaluation.services.judge_parameters import may_hold_a_key
from evaluation.services.judges import NewJudge, ProviderOffer

KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")
WHOLE, BROKEN = forms.IntegerField, forms.FloatField
WAYS = {
    "json_schema": "by a JSON schema that the server enforces",
    "json_object": "by asking for any JSON object",
    "tool": "by a forced tool call",
    "off": "by the prompt alone, for plain servers",
}
ADDRESS_ENDS = {"anthropic_messages": ", without /v1"}  # what follows a host, where it is not /v1


class KeyNameInput(forms.TextInput):
    """Shows what was typed only where it is the name of a variable: a key typed here by mistake is not repeated."""

    def format_value(self, value: object) -> str | None:
        return super().format_value(value) if KEY_NAME.fullmatch(str(value or "").strip()) else None


class AddressInput(forms.URLInput):
    """Does not repeat an address that holds a password or a key."""

    def format_value(self, value: object) -> str | None:
        return None if may_hold_a_key(str(value or "")) else super().format_value(value)


class ParametersInput(forms.Textarea):
    """Does not repeat parameters that name a key."""

    def format_value(self, value: object) -> str | None:
        return None if may_hold_a_key(str(value or "")) else super().format_value(value)


class JudgeForm(PlainForm):
    """A judge of a remote provider."""

    name = forms.CharField(max_length=100, label="Name", help_text="As experts will see it, such as “GPT, skeptic”.")
    model = forms.CharField(
        max_length=200,
        label="Model",
        widget=forms.TextInput(attrs={"list": "models", "autocomplete": "off", "spellcheck": "false"}),
    )
    persona = forms.ChoiceField(required=False, label="Persona")
    base_url = forms.URLField(
        required=False,
        assume_scheme="https",
        widget=AddressInput,
        label="Address (optional)",
    )
    key = forms.CharField(
        required=False,
        max_length=500,
        label="Key (optional)",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "spellcheck": "false"}),
        help_text="Kept sealed and never shown again. Leave it empty to use the variable below.",
    )
    key_name = forms.RegexField(
        KEY_NAME,
        strip=True,
        required=False,
        label="Key variable (optional)",
        widget=KeyNameInput,
        help_text="Name of the environment variable that holds the key; it ends in _API_KEY. Never the key itself.",
        error_messages={"invalid": "Give the name of an environment variable that ends in _API_KEY, not a key."},
    )
    temperature = BROKEN(
        required=False, min_value=0, max_value=2, label="Temperature", help_text="0 to 2. Empty: the server's own."
    )
    max_tokens = WHOLE(
        required=False, min_value=1, max_value=1_000_000, label="Longest reply, in tokens", help_text="Empty: 8192."
    )
    timeout = BROKEN(
        required=False, min_value=1, max_value=3600, label="Time-out, in seconds", help_text="Of a call. Empty: 120."
    )
    structured = forms.ChoiceField(required=False, label="Form of the reply")
    max_concurrency = WHOLE(
        required=False, min_value=1, max_value=256, label="Questions at a time, at most", help_text="Empty: 8."
    )
    requests_per_minute = WHOLE(
        required=False, min_value=1, label="Questions a minute, at most", help_text="Empty: as the server says."
    )
    tokens_per_minute = WHOLE(
        required=False, min_value=1, label="Tokens a minute, at most", help_text="Empty: as the server says."
    )
    extra = forms.CharField(
        required=False,
        max_length=5_000,
        label="More parameters, as JSON",
        widget=ParametersInput(attrs={"rows": 3, "spellcheck": "false"}),
        help_text='Sent to the server as they are, for example {"top_p": 0.9, "seed": 7}',
    )
    may_see_text = forms.BooleanField(required=False, label="Its server may see this project's text")

    def __init__(
        self, *args: object, offer: ProviderOffer, personas: Sequence[tuple[str, str]], **kwargs: object
    ) -> None:
        super().__init__(*args, **kwargs)
        self.offer = offer
        address = f"http://127.0.0.1:8001{ADDRESS_ENDS.get(offer.name, '/v1')}"
        self.fields["base_url"].help_text = f"For another server with the same protocol, for example {address}"
        self.fields["model"].help_text = f"Offered: {', '.join(offer.models)}. Any other name of a model works, too."
        cast(forms.ChoiceField, self.fields["persona"]).choices = [
            (name, f"{name}: {sentence}" if sentence else name) for name, sentence in personas
        ]
        cast(forms.ChoiceField, self.fields["structured"]).choices = [
            ("", f"As the provider does it best: {WAYS[offer.structured[0]]}"),
            *((way, WAYS[way]) for way in offer.structured),
        ]

    def clean_extra(self) -> dict[str, object]:
        """The further parameters; each one that has a field of its own is named."""
        text = self.cleaned_data["extra"].strip()
        try:
            found = json.loads(text) if text else {}
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(f"This is no JSON: {error}.") from error
        if not isinstance(found, dict):
            raise forms.ValidationError("Give a JSON object: names and values between { and }.")
        if taken := [name for name in found if name in PARAMETERS]:
            raise forms.ValidationError(f"“{taken[0]}” has a field of its own: set it there.")
        return found

    def parameters(self) -> dict[str, object]:
        """What is set, without what was left empty."""
        own = {name: self.cleaned_data[name] for name in PARAMETERS}
        return {**{name: value for name, value in own.items() if value not in (None, "")}, **self.cleaned_data["extra"]}

    @sensitive_variables()
    def new_judge(self) -> NewJudge:
        """The judge as it was filled in."""
        plain = ("name", "model", "base_url", "key_name", "persona", "key", "may_see_text")
        fields = {name: self.cleaned_data[name] for name in plain}
        return NewJudge(provider=self.offer.name, parameters=self.parameters(), **fields)


PARAMETERS = (
    *("temperature", "max_tokens", "timeout", "structured"),
    *("max_concurrency", "requests_per_minute", "tokens_per_minute"),
)


class JudgeEditForm(JudgeForm):
    """The same for a judge that is there; an empty key keeps the one that is kept."""

    forget_key = forms.BooleanField(required=False, label="Forget the key that is kept")


def stored(judge: Judge) -> Mapping[str, object]:
    """What a judge is now, as its form starts; of a key nothing."""
    plain = ("name", "model", "base_url", "key_name", "persona")
    extra = {name: value for name, value in judge.parameters.items() if name not in PARAMETERS}
    return {
        **{name: getattr(judge, name) for name in plain},
        **{name: value for name, value in judge.parameters.items() if name in PARAMETERS},
        "extra": json.dumps(extra, ensure_ascii=False) if extra else "",
    }
