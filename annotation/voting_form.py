"""The form about how judges are asked: how often each votes, and in which orders it sees a pair."""

from __future__ import annotations

from django import forms

from annotation.forms import PlainForm
from evaluation.models import Project
from evaluation.services.voting_rules import MOST_SAMPLES

OUT_OF_RANGE = f"A whole number from 1 to {MOST_SAMPLES} is needed here."


class VotingForm(PlainForm):
    """What holds for every run of a project unless the run says otherwise."""

    samples = forms.IntegerField(
        min_value=1,
        max_value=MOST_SAMPLES,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), OUT_OF_RANGE),
        label="Votes of each judge on each claim",
        help_text="More than one shows how steady a judge is. They weigh as one vote together and cost as many times "
        "as much. Give the judge a temperature above 0; offline judges are asked once.",
    )
    both_orders = forms.BooleanField(required=False, label="Show each pair a second time with its answers swapped")

    @classmethod
    def of(cls, project: Project, *, has_pairs: bool = True) -> VotingForm:
        """The form as the project stands; where there are no pairs, what holds for them is kept and not shown."""
        parameters = project.method_parameters
        form = cls(initial={"samples": parameters.samples, "both_orders": parameters.both_orders})
        if not has_pairs:
            form.fields["both_orders"].widget = forms.HiddenInput()
        return form
