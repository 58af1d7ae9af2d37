from __future__ import annotations

from annotation.rubric_form import EntryForm, TrialForm


def test_tags_are_read_between_commas() -> None:
    entry = EntryForm({"criterion": "Units must match.", "tags": " price, ,time "})

    assert entry.is_valid()
    assert entry.text().tags == ("price", "time")


def test_a_cap_of_a_trial_is_read_in_dollars_and_may_be_left_empty() -> None:
    forms = [TrialForm({"cap": cap}) for cap in ("0.25", "", "-1")]

    assert [form.is_valid() for form in forms] == [True, True, False]
    assert [form.cleaned_data.get("cap") for form in forms] == [250_000, None, None]
