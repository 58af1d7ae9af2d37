"""Which rules a judge reads: those in force, like ones first, as far as they fit."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Project, RubricEntry
from evaluation.schemas import Label, RubricExample
from evaluation.services import rubric, rubric_prompt
from evaluation.services.rubric_support import EntryText

pytestmark = pytest.mark.django_db


def adopt(project: Project, owner: User, text: str, *tags: str) -> RubricEntry:
    return rubric.adopt(entry=rubric.write(project=project, text=EntryText(text, tags=tags), by=owner), by=owner)


def test_rules_in_force_of_the_kind_are_shown_like_ones_first(project: Project, owner: User) -> None:
    adopt(project, owner, "First.", "time")
    like = adopt(project, owner, "Second.", "negation")
    rubric.write(project=project, text=EntryText("A draft."), by=owner)
    rubric.retire(entry=adopt(project, owner, "Gone."), by=owner)

    shown, n_left_out = rubric_prompt.shown_to_judges(project, "statement", {"negation"})
    for_pairs, _ = rubric_prompt.shown_to_judges(project, "preference", set())

    assert [entry.criterion for entry in shown] == ["Second.", "First."]
    assert (shown[0].entry_id, n_left_out, for_pairs) == (like.pk, 0, ())


def test_what_does_not_fit_is_left_out_and_counted(project: Project, owner: User) -> None:
    project.parameters = {"rubric_characters": 20}
    project.save()
    for text in ("x" * 15, "y" * 10, "z" * 5):
        adopt(project, owner, text)

    shown, n_left_out = rubric_prompt.shown_to_judges(project, "statement", set())

    assert [entry.criterion for entry in shown] == ["x" * 15, "z" * 5]
    assert n_left_out == 1


def test_an_entry_carries_its_examples_with_their_labels(project: Project) -> None:
    entry = RubricEntry.objects.create(
        project=project, criterion="Rule.", negative_example="No.", negative_label="uncertain", tags=["time"], version=3
    )

    text = rubric_prompt.as_text(entry)

    assert (text.positive, text.negative) == (None, RubricExample("No.", Label.UNCERTAIN))
    assert (text.version, text.tags) == (3, ("time",))


def test_an_edit_is_seen_by_later_calls_only_as_a_new_version(project: Project, owner: User) -> None:
    entry = adopt(project, owner, "Old.")
    before, _ = rubric_prompt.shown_to_judges(project, "statement", set())

    rubric.edit(entry=entry, text=EntryText("New."), by=owner)
    after, _ = rubric_prompt.shown_to_judges(Project.objects.get(pk=project.pk), "statement", set())

    assert [(each.criterion, each.version) for each in (*before, *after)] == [("Old.", 1), ("New.", 2)]
