"""Judges and panels."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from evaluation.models.project import Project


class Judge(models.Model):
    """Provider, model, persona and parameters; a recorded judge brought its votes in a file and cannot be asked."""

    OFFLINE = "offline"
    RECORDED = "replay"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="judges")
    name = models.CharField(max_length=200)
    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=200)
    base_url = models.URLField(blank=True)
    key_name = models.CharField(max_length=100, blank=True, help_text="Environment variable that holds the key.")
    persona = models.CharField(max_length=100, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    encrypted_key = models.TextField(
        blank=True, editable=False, help_text="Its own key, readable with SECRET_KEY only."
    )
    is_active = models.BooleanField(default=True)
    retired_at = models.DateTimeField(null=True, blank=True, help_text="Set: off for good, its votes are kept.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="unique_judge_name"),
            models.CheckConstraint(
                condition=Q(retired_at__isnull=True) | Q(is_active=False), name="a_retired_judge_is_not_active"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_offline(self) -> bool:
        return self.provider == self.OFFLINE

    @property
    def is_recorded(self) -> bool:
        return self.provider == self.RECORDED

    @property
    def prior_strength(self) -> float:
        """How many rulings its prior is worth: 32 for offline judges, 8 otherwise (docs/offline-judges.md)."""
        return 32.0 if self.is_offline else 8.0


class Panel(models.Model):
    """A version of the set of judges of a project."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="panels")
    version = models.PositiveIntegerField()
    judges = models.ManyToManyField(Judge, related_name="panels")
    is_current = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "version"], name="unique_panel_version"),
            models.UniqueConstraint(fields=["project"], condition=Q(is_current=True), name="one_current_panel"),
        ]

    def __str__(self) -> str:
        return f"panel {self.version} of {self.project}"
