"""The form that says what is replaced before a project's text is sent."""

from __future__ import annotations

from django import forms

from annotation.forms import PlainForm
from evaluation.errors import JuryFlowError
from evaluation.models import Project
from evaluation.schemas import PrivacyRules
from evaluation.services import privacy


class PrivacyForm(PlainForm):
    emails = forms.BooleanField(required=False, label="E-mail addresses")
    phones = forms.BooleanField(
        required=False,
        label="Phone numbers",
        help_text="International and local ones. Amounts, dates and order numbers stay.",
    )
    titles = forms.BooleanField(
        required=False,
        label="Names after a title",
        help_text="Mr, Mrs, Dr, Prof, Herr, Frau, Mme and others; the name is then replaced wherever it stands.",
    )
    names = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        label="These names",
        help_text="One a line, written as in the texts: whole words, capitals count.",
    )
    response = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean() or {}
        try:
            self.chosen = privacy.rules_from(
                emails=bool(cleaned.get("emails")),
                phones=bool(cleaned.get("phones")),
                titles=bool(cleaned.get("titles")),
                names=str(cleaned.get("names") or ""),
            )
        except JuryFlowError as error:
            self.add_error("names", str(error))
        return cleaned

    def rules(self) -> PrivacyRules:
        """What was chosen; only of a valid form."""
        return self.chosen


def kept(project: Project) -> PrivacyForm:
    """The form with what the project keeps."""
    rules = privacy.rules_of(project) or PrivacyRules()
    return PrivacyForm(
        initial={
            "emails": rules.emails,
            "phones": rules.phones,
            "titles": rules.titles,
            "names": "\n".join(rules.names),
        }
    )
