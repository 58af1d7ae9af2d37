"""Vote patterns, what holds true of each claim now, and the judges' track records."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from evaluation.models.claim import Claim
from evaluation.models.judging import Judge
from evaluation.models.project import Project


class VotePattern(models.Model):
    """All claims of a kind with the same votes share this row, its panel outcome and its scores."""

    class State(models.TextChoices):
        OPEN = "open"
        SPLIT = "split"
        THIN = "thin"
        UNJUDGED = "unjudged"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="patterns")
    kind = models.CharField(max_length=20)
    panel_version = models.PositiveIntegerField()
    key = models.TextField(help_text="Kind, panel version and sorted voter:label.")
    key_hash = models.CharField(max_length=64)
    votes = models.JSONField(help_text="[voter, label, share] sorted by voter, then label.")
    split = models.CharField(max_length=64, help_text="Hash of who sides with whom; a mirror has the same.")
    n_cast = models.PositiveIntegerField()
    is_full = models.BooleanField(default=True, help_text="Every voter of the panel cast a vote.")
    is_candidate = models.BooleanField(default=False)
    panel_entropy = models.FloatField(default=0.0, help_text="Normalised entropy of the votes.")
    state = models.CharField(max_length=10, choices=State)
    label = models.CharField(max_length=20, blank=True)
    support = models.JSONField(default=dict, help_text="Panel support by label; not a probability.")
    entropy = models.FloatField(default=0.0, help_text="Normalised entropy of the panel support.")
    n_open = models.PositiveIntegerField(default=0, help_text="Claims with these votes that nobody has settled.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "key_hash"], name="one_row_per_pattern")]

    def __str__(self) -> str:
        return self.key


class Outcome(models.Model):
    """What holds true of a claim now. A panel outcome is read from the claim's pattern."""

    class Source(models.TextChoices):
        EXPERT = "expert"
        REVIEWER = "reviewer"
        PANEL = "panel"

    claim = models.OneToOneField(Claim, on_delete=models.CASCADE, related_name="outcome")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="outcomes")
    source = models.CharField(max_length=10, choices=Source, default=Source.PANEL)
    pattern = models.ForeignKey(VotePattern, on_delete=models.RESTRICT, related_name="outcomes")
    settled_label = models.CharField(max_length=20, blank=True)
    decision = models.ForeignKey(
        "evaluation.Decision", null=True, blank=True, on_delete=models.SET_NULL, related_name="outcomes"
    )
    is_serious = models.BooleanField(default=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [
            models.Index(fields=["project", "source"], name="outcomes_by_source"),
            models.Index(fields=["pattern", "source"], name="outcomes_of_pattern"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=(Q(source="panel") & Q(settled_label="")) | (~Q(source="panel") & ~Q(settled_label="")),
                name="a_settled_outcome_has_a_label",
            ),
        ]

    def __str__(self) -> str:
        return f"outcome of claim {self.claim_id}: {self.label or self.state}"

    @property
    def label(self) -> str:
        return self.settled_label or self.pattern.label

    @property
    def state(self) -> str:
        if self.claim.is_void:
            return "void"
        return "decided" if self.source != self.Source.PANEL else self.pattern.state


class TrackRecord(models.Model):
    """How often a voter agreed with the rulings that stand, per kind; re-made after each ruling and undo."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="track_records")
    judge = models.ForeignKey(Judge, on_delete=models.CASCADE, related_name="track_records")
    order = models.CharField(max_length=20, default="as_given")
    kind = models.CharField(max_length=20)
    agreed = models.FloatField(default=0.0)
    decided = models.FloatField(default=0.0)
    mean = models.FloatField()
    lower = models.FloatField()
    upper = models.FloatField()
    weight = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["judge", "order", "kind"], name="one_track_record_per_voter"),
        ]

    def __str__(self) -> str:
        return f"{self.judge}: agreed {self.agreed:g} of {self.decided:g}"
