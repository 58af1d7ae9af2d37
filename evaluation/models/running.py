"""Runs with their jobs and the calls these make."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from evaluation.models.claim import Claim
from evaluation.models.judging import Judge, Panel
from evaluation.models.material import Response
from evaluation.models.project import Project


class Run(models.Model):
    """One piece of work on a project; at most one of a kind is open at a time."""

    class Kind(models.TextChoices):
        IMPORT = "import"
        PANEL = "panel"
        GRAPH = "graph"
        SECOND_LOOK = "second_look"
        DRAFT = "draft"
        TEST = "test"
        TRIAL = "trial"

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        PAUSED = "paused"
        STOPPING = "stopping"
        STOPPED = "stopped"
        DONE = "done"
        FAILED = "failed"

    OPEN_STATES = ("queued", "running", "paused", "stopping")
    WORKING_STATES = ("queued", "running", "stopping")

    class PausedBy(models.TextChoices):
        NOBODY = ""
        HAND = "hand"
        RUN_CAP = "run_cap"
        PROJECT_CAP = "project_cap"
        ALLOWANCE = "allowance"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="runs")
    kind = models.CharField(max_length=20, choices=Kind)
    state = models.CharField(max_length=20, choices=State, default=State.QUEUED)
    panel = models.ForeignKey(Panel, null=True, blank=True, on_delete=models.RESTRICT, related_name="runs")
    decompose = models.CharField(max_length=20, blank=True)
    samples = models.PositiveSmallIntegerField(default=1, help_text="How often each judge votes on each claim.")
    in_batches = models.BooleanField(default=False, help_text="Asks through the batch API of a provider that has one.")
    entry = models.ForeignKey(
        "evaluation.RubricEntry", null=True, blank=True, on_delete=models.CASCADE, related_name="trials"
    )
    estimate = models.JSONField(null=True, blank=True, help_text="What was said beforehand: calls and micro-dollars.")
    paused_by = models.CharField(max_length=20, choices=PausedBy, blank=True)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    message = models.TextField(blank=True, help_text="Why it stopped or failed, as a sentence.")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind"],
                condition=Q(state__in=["queued", "running", "paused", "stopping"], kind__in=["panel", "graph"]),
                name="one_open_run_of_a_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} run {self.pk} of {self.project}"


class Job(models.Model):
    """One step of a run: one judge and one response or chunk; unique on what it computes."""

    class Task(models.TextChoices):
        DECOMPOSE = "decompose"
        MERGE = "merge"
        JUDGE = "judge"
        REVIEW = "review"
        DRAFT = "draft"
        GRAPH = "graph"
        TEST = "test"
        TRIAL = "trial"

    class State(models.TextChoices):
        WAITING = "waiting"
        LEASED = "leased"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    OPEN_STATES = ("waiting", "leased")

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="jobs")
    task = models.CharField(max_length=20, choices=Task)
    key = models.CharField(max_length=200, help_text="What it computes; unique in its run.")
    judge = models.ForeignKey(Judge, null=True, blank=True, on_delete=models.RESTRICT, related_name="jobs")
    response = models.ForeignKey(Response, null=True, blank=True, on_delete=models.CASCADE, related_name="jobs")
    decision = models.ForeignKey(
        "evaluation.Decision", null=True, blank=True, on_delete=models.CASCADE, related_name="jobs"
    )
    claims = models.ManyToManyField(Claim, blank=True, related_name="jobs")
    order = models.CharField(max_length=20, default="as_given")
    sample = models.PositiveSmallIntegerField(default=0)
    options = models.JSONField(default=dict, blank=True, help_text="What a test or a trial does differently.")
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    lease_until = models.DateTimeField(null=True, blank=True)
    not_before = models.DateTimeField(null=True, blank=True, help_text="A server asked to be left alone until then.")
    batch = models.ForeignKey(
        "evaluation.ProviderBatch", null=True, blank=True, on_delete=models.SET_NULL, related_name="jobs"
    )
    attempt = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    reason = models.CharField(max_length=40, blank=True, help_text="Why it failed, as one word.")
    result = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="a_job_is_made_once")]
        indexes = [models.Index(fields=["state", "lease_until"], name="jobs_to_wake")]

    def __str__(self) -> str:
        return f"{self.task} job {self.pk}"


class Call(models.Model):
    """One request to a provider: committed as `sent` before sending, `answered` before parsing."""

    class State(models.TextChoices):
        SENT = "sent"
        ANSWERED = "answered"
        FAILED = "failed"
        UNCONFIRMED = "unconfirmed"

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="calls")
    judge = models.ForeignKey(Judge, on_delete=models.RESTRICT, related_name="calls")
    attempt = models.PositiveIntegerField(
        help_text="Which call of its job, from 1; sent again or asked again is one more."
    )
    cache_key = models.CharField(max_length=64, db_index=True)
    source = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="reuses",
        help_text="Set: nothing was sent, the reply of this call was used again at no cost.",
    )
    batch = models.ForeignKey(
        "evaluation.ProviderBatch", null=True, blank=True, on_delete=models.SET_NULL, related_name="calls"
    )
    state = models.CharField(max_length=20, choices=State, default=State.SENT)
    raw_reply = models.TextField(blank=True)
    finish_reason = models.CharField(max_length=40, blank=True)
    model = models.CharField(max_length=200, blank=True)
    error = models.TextField(blank=True)
    reason = models.CharField(max_length=40, blank=True)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    cached_tokens = models.PositiveIntegerField(default=0, help_text="Input tokens read from the provider's cache.")
    written_tokens = models.PositiveIntegerField(default=0, help_text="Input tokens written to the provider's cache.")
    is_usable = models.BooleanField(default=False, help_text="Its reply had the asked shape; only such are used again.")
    is_repaired = models.BooleanField(default=False, help_text="Its reply was mended while it was read.")
    reserved_micros = models.BigIntegerField(default=0, help_text="The most it could cost, in millionths of a dollar.")
    cost_micros = models.BigIntegerField(null=True, blank=True, help_text="None: no price is known.")
    is_cost_certain = models.BooleanField(default=True, help_text="False: nobody knows whether it was billed.")
    latency = models.FloatField(default=0.0, help_text="Seconds.")
    sent_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"call {self.pk} to {self.judge}"
