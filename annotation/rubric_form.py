"""The forms of a rule of the rubric and of trying it."""

from __future__ import annotations

from django import forms

from annotation.forms import PlainForm
from annotation.money_forms import Dollars
from evaluation.models import RubricEntry
from evaluation.services.rubric_support import EntryText


class EntryForm(PlainForm):
    """A rule in four fields and its tags; the service has the last word on what is too long."""

    criterion = forms.CharField(label="Rule", widget=forms.Textarea(attrs={"rows": 3}))
    boundary = forms.CharField(label="Holds not when", required=False, widget=forms.Textarea(attrs={"rows": 2}))
    positive_example = forms.CharField(label="Example ok", required=False, widget=forms.Textarea(attrs={"rows": 2}))
    negative_example = forms.CharField(label="Example bad", required=False, widget=forms.Textarea(attrs={"rows": 2}))
    tags = forms.CharField(label="Applies to (tags, separated by commas)", required=False, max_length=1_000)
    dimension = forms.CharField(
        label="Dimension (optional)",
        required=False,
        max_length=100,
        help_text="The side of quality the rule is about, in a word or two, such as “accuracy” or “completeness”. "
        "It only labels the rule here and in exports; judges do not see it.",
    )

    def text(self) -> EntryText:
        """The rule's text as the service takes it."""
        data = self.cleaned_data
        tags = tuple(tag.strip() for tag in data["tags"].split(",") if tag.strip())
        return EntryText(
            criterion=data["criterion"],
            boundary=data["boundary"],
            dimension=data["dimension"],
            positive_example=data["positive_example"],
            negative_example=data["negative_example"],
            tags=tags,
        )


class TrialForm(PlainForm):
    """What a trial of a rule may cost."""

    cap = Dollars(
        required=False,
        label="Cap of this trial, in dollars (optional)",
        help_text="It pauses before the cap would be passed, and can go on with a higher one.",
    )


def entry_form(entry: RubricEntry) -> EntryForm:
    """The form filled with a rule's present text."""
    names = ("criterion", "boundary", "positive_example", "negative_example", "dimension")
    return EntryForm(initial={**{name: getattr(entry, name) for name in names}, "tags": ", ".join(entry.tags)})
