"""What judging costs: prices by date, purses with their caps, and batches at a provider."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from evaluation.models.judging import Judge
from evaluation.models.project import Project
from evaluation.models.running import Run


class ModelPrice(models.Model):
    """What a model costs from a day on, in micro-dollars per million tokens (1 USD per million = 1,000,000)."""

    provider = models.CharField(max_length=40)
    host = models.CharField(max_length=255, blank=True, help_text="Empty: the provider's own address.")
    model = models.CharField(max_length=200)
    valid_from = models.DateField()
    input_micros = models.PositiveBigIntegerField()
    output_micros = models.PositiveBigIntegerField()
    cached_micros = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Input read from the provider's cache; empty: like other input."
    )
    written_micros = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Input written to the provider's cache; empty: like other input."
    )
    batch_percent = models.PositiveSmallIntegerField(default=50, help_text="What a batched call costs, in per cent.")
    long_above = models.PositiveIntegerField(
        null=True, blank=True, help_text="Prompts of more tokens than this cost more; empty: all cost the same."
    )
    long_input_percent = models.PositiveSmallIntegerField(
        default=100, help_text="What the input of a long prompt costs, in per cent."
    )
    long_output_percent = models.PositiveSmallIntegerField(
        default=100, help_text="What the reply to a long prompt costs, in per cent."
    )
    source = models.CharField(max_length=300, blank=True, help_text="Where the price stands.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["provider", "host", "model", "-valid_from"]
        constraints = [
            models.UniqueConstraint(fields=["provider", "host", "model", "valid_from"], name="one_price_a_day"),
            models.CheckConstraint(condition=Q(batch_percent__lte=100), name="a_batch_costs_no_more"),
            models.CheckConstraint(
                condition=Q(long_input_percent__gte=100, long_output_percent__gte=100),
                name="a_long_prompt_costs_no_less",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} from {self.valid_from}"


class Purse(models.Model):
    """Money of one scope of a project: what may be spent, what was, and what is reserved for calls on their way.

    `key` is "project", "second_looks/2026-W49" or "run/17"; a call draws on every purse of its run at once.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="purses")
    run = models.OneToOneField(Run, null=True, blank=True, on_delete=models.CASCADE, related_name="purse")
    key = models.CharField(max_length=60)
    cap_micros = models.PositiveBigIntegerField(null=True, blank=True, help_text="Empty: no limit.")
    spent_micros = models.PositiveBigIntegerField(default=0)
    reserved_micros = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="one_purse_a_scope")]

    def __str__(self) -> str:
        return f"purse {self.key} of {self.project}"

    @property
    def left_micros(self) -> int | None:
        """What may still be reserved; None without a cap."""
        return None if self.cap_micros is None else self.cap_micros - self.spent_micros - self.reserved_micros

    @staticmethod
    def has_room(micros: int) -> Q:
        """The condition under which this much more may be reserved."""
        return Q(cap_micros=None) | Q(cap_micros__gte=F("spent_micros") + F("reserved_micros") + micros)


class ProviderBatch(models.Model):
    """Calls handed to a provider's batch API together; committed before it is submitted."""

    class State(models.TextChoices):
        SUBMITTING = "submitting"
        SUBMITTED = "submitted"
        ENDED = "ended"
        FAILED = "failed"
        CANCELLED = "cancelled"

    OPEN_STATES = ("submitting", "submitted")

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="batches")
    judge = models.ForeignKey(Judge, on_delete=models.RESTRICT, related_name="batches")
    token = models.CharField(max_length=64, unique=True, help_text="Sent along, so that it is found after a crash.")
    provider_id = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.SUBMITTING)
    n_calls = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    next_poll_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "provider batches"

    def __str__(self) -> str:
        return f"batch {self.pk} of {self.judge}"
