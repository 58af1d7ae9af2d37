"""Rubric entries, their versions and what happened to them."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from evaluation.models.decision import Decision
from evaluation.models.project import Project


class RubricEntry(models.Model):
    """A rule the judges follow, induced from rulings or written by hand; its text lives in its versions."""

    class Status(models.TextChoices):
        DRAFT = "draft"
        ACTIVE = "active"
        RETIRED = "retired"
        UNDER_REVIEW = "under_review"

    class Rubric(models.TextChoices):
        GUIDELINE = "guideline"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="rubric_entries")
    rubric = models.CharField(max_length=20, choices=Rubric, default=Rubric.GUIDELINE)
    kind = models.CharField(max_length=20, default="statement")
    status = models.CharField(max_length=20, choices=Status, default=Status.DRAFT)
    criterion = models.TextField()
    boundary = models.TextField(blank=True)
    dimension = models.CharField(max_length=100, blank=True)
    weight = models.FloatField(default=1.0)
    positive_example = models.TextField(blank=True)
    positive_missing = models.CharField(max_length=300, blank=True, help_text="Why there is no positive example.")
    negative_example = models.TextField(blank=True)
    negative_missing = models.CharField(max_length=300, blank=True, help_text="Why there is no negative example.")
    positive_label = models.CharField(max_length=20, default="accept")
    negative_label = models.CharField(max_length=20, default="reject")
    tags = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    decisions = models.ManyToManyField(Decision, blank=True, related_name="rubric_entries")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "rubric entries"

    def __str__(self) -> str:
        return self.criterion[:80]


class RubricEvent(models.Model):
    """Something that happened to an entry, with its full text after it; append-only."""

    class Action(models.TextChoices):
        DRAFTED = "drafted"
        EDITED = "edited"
        PROPOSED = "proposed"
        ADOPTED = "adopted"
        DROPPED = "dropped"
        RETIRED = "retired"
        SUPPORT_ADDED = "support_added"
        SUPPORT_LOST = "support_lost"

    entry = models.ForeignKey(RubricEntry, on_delete=models.CASCADE, related_name="events")
    action = models.CharField(max_length=20, choices=Action)
    entry_version = models.PositiveIntegerField()
    rubric_version = models.PositiveIntegerField(help_text="Version of the project's rubric after the event.")
    snapshot = models.JSONField(help_text="The entry's text after the event.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.action} entry {self.entry_id}"
