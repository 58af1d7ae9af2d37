"""Imports: a file, its report, and whether it was committed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from evaluation.models.project import Project
from evaluation.models.running import Run


class Import(models.Model):
    """One file brought to a project; its report is made before anything is stored."""

    class State(models.TextChoices):
        REPORTED = "reported"
        COMMITTED = "committed"
        REFUSED = "refused"

    class OnConflict(models.TextChoices):
        STOP = "stop"
        KEEP = "keep"
        REPLACE = "replace"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="imports")
    filename = models.CharField(max_length=300)
    format = models.CharField(max_length=20)
    sha256 = models.CharField(max_length=64)
    options = models.JSONField(default=dict, blank=True)
    content = models.BinaryField(null=True, blank=True, help_text="The uploaded bytes until it is committed.")
    state = models.CharField(max_length=20, choices=State, default=State.REPORTED)
    report = models.JSONField(default=dict)
    run = models.OneToOneField(Run, null=True, blank=True, on_delete=models.SET_NULL, related_name="import_record")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    committed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "sha256"], condition=Q(state="committed"), name="a_file_is_imported_once"
            ),
        ]

    def __str__(self) -> str:
        return f"import of {self.filename}"


class Revision(models.Model):
    """What a record was before a corrected file replaced it; append-only."""

    import_record = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="revisions")
    record_type = models.CharField(max_length=20)
    external_id = models.CharField(max_length=255)
    before = models.JSONField()
    replaced_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.record_type} {self.external_id} before {self.import_record}"
