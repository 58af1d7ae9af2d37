"""Which rubric entries a judge reads: those in force, as far as they fit."""

from __future__ import annotations

from evaluation.methods.juryflow import fitting_rubric
from evaluation.models import Project, RubricEntry
from evaluation.schemas import Label, RubricExample, RubricText


def shown_to_judges(project: Project, kind: str, tags: set[str]) -> tuple[tuple[RubricText, ...], int]:
    """Entries in force that fit the budget of characters, those that share a tag first; and how many did not fit."""
    active = project.rubric_entries.filter(status=RubricEntry.Status.ACTIVE, kind=kind)
    ordered = sorted(active, key=lambda entry: (not (tags & set(entry.tags)), entry.pk))
    shown = fitting_rubric((as_text(entry) for entry in ordered), project.method_parameters.rubric_characters)
    return shown, len(ordered) - len(shown)


def as_text(entry: RubricEntry) -> RubricText:
    """An entry as judges read it."""
    positive = RubricExample(entry.positive_example, Label(entry.positive_label)) if entry.positive_example else None
    negative = RubricExample(entry.negative_example, Label(entry.negative_label)) if entry.negative_example else None
    tags = tuple(entry.tags)
    return RubricText(entry.pk, entry.version, entry.criterion, entry.boundary, tags, positive, negative)
