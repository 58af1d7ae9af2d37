"""The form of a ruling."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms

from evaluation.models import Claim, Decision
from evaluation.selectors.answers import Reader
from evaluation.services.decisions import Ruling

NOTHING_CHOSEN = "Choose one of the answers, or one of the ways out below them. What you typed is kept."


class RulingForm(forms.Form):
    """What the ruling bar sends: one of label, adopt or action; labels as they stand on this person's screen."""

    token = forms.CharField(max_length=64, widget=forms.HiddenInput)
    draw = forms.IntegerField(required=False, widget=forms.HiddenInput)
    label = forms.CharField(required=False, max_length=20)
    adopt = forms.CharField(required=False, max_length=20)
    action = forms.ChoiceField(
        required=False, choices=[(value, value) for value in ("", Decision.Action.VOID, Decision.Action.CANNOT_JUDGE)]
    )
    reason = forms.CharField(required=False, max_length=4_000, strip=True)
    is_serious = forms.BooleanField(required=False)
    saw_preview = forms.BooleanField(required=False)

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean() or {}
        if not any(cleaned.get(name) for name in ("label", "adopt", "action")) and not self.errors:
            raise forms.ValidationError(NOTHING_CHOSEN)
        return cleaned

    def renewed(self, fresh: Mapping[str, object]) -> RulingForm:
        """The form with a fresh token and draw, ready to be sent again with what was typed."""
        self.data = {**{name: self.data[name] for name in self.data}, **fresh}
        return self

    def ruling(self, reader: Reader, claim: Claim, *, saw_names: bool) -> Ruling:
        """The ruling as it is stored: sides put back as they are in the file."""
        data = self.cleaned_data
        posted = data["label"] or data["adopt"]
        is_ruling = not data["action"]
        return Ruling(
            label=reader.stored_label(claim.kind, claim.pk, posted) if is_ruling else "",
            action=data["action"] or Decision.Action.RULE,
            reason=data["reason"],
            is_serious=data["is_serious"] and is_ruling,
            source=Decision.Source.REVIEWER if data["adopt"] and not data["label"] else Decision.Source.OWN,
            saw_names=saw_names,
            saw_preview=data["saw_preview"],
            token=data["token"],
        )
