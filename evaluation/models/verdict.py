"""The votes that judges cast."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from evaluation.models.claim import Claim
from evaluation.models.judging import Judge
from evaluation.models.running import Call, Run


class Verdict(models.Model):
    """One vote of one judge on one claim; append-only save for which one is current."""

    class State(models.TextChoices):
        CAST = "cast"
        ABSTAINED = "abstained"
        FAILED = "failed"

    class Purpose(models.TextChoices):
        VOTE = "vote"
        REVIEW = "review"

    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="verdicts")
    judge = models.ForeignKey(Judge, on_delete=models.RESTRICT, related_name="verdicts")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="verdicts")
    order = models.CharField(max_length=20, default="as_given")
    sample = models.PositiveSmallIntegerField(default=0)
    purpose = models.CharField(max_length=10, choices=Purpose, default=Purpose.VOTE)
    state = models.CharField(max_length=10, choices=State)
    label = models.CharField(max_length=20, blank=True)
    confidence = models.FloatField(null=True, blank=True)
    rationale = models.TextField(blank=True)
    failure_reason = models.CharField(max_length=200, blank=True)
    flags = models.JSONField(default=list, blank=True, help_text="What was odd about the reply, as sentences.")
    is_current = models.BooleanField(default=False)
    call = models.ForeignKey(Call, null=True, blank=True, on_delete=models.SET_NULL, related_name="verdicts")
    prompt_name = models.CharField(max_length=100, blank=True)
    prompt_version = models.PositiveIntegerField(default=0)
    prompt_hash = models.CharField(max_length=64, blank=True)
    model_name = models.CharField(max_length=200, blank=True)
    temperature = models.FloatField(null=True, blank=True)
    rubric_version = models.PositiveIntegerField(default=0)
    rubric_entries = models.JSONField(default=list, blank=True, help_text="[entry id, version] of each entry shown.")
    precedent_entry = models.PositiveBigIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["judge_id", "order", "sample", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "judge", "order", "sample", "run", "purpose"], name="one_verdict_per_asking"
            ),
            models.UniqueConstraint(
                fields=["claim", "judge", "order", "sample"],
                condition=Q(is_current=True, purpose="vote"),
                name="one_current_verdict",
            ),
            models.CheckConstraint(
                condition=(Q(state="cast") & ~Q(label="")) | (~Q(state="cast") & Q(label="")),
                name="only_a_cast_verdict_has_a_label",
            ),
            models.CheckConstraint(
                condition=Q(confidence__isnull=True) | Q(confidence__gte=0, confidence__lte=1),
                name="confidence_is_between_0_and_1",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge}: {self.label or self.state}"
