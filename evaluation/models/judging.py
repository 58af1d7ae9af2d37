"""Judges and panels, runs with their jobs and calls, and the verdicts they bring."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from evaluation.models.claim import Claim
from evaluation.models.material import Response
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
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="unique_judge_name")]

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


class Run(models.Model):
    """One piece of work on a project; at most one of a kind is open at a time."""

    class Kind(models.TextChoices):
        IMPORT = "import"
        PANEL = "panel"
        GRAPH = "graph"
        SECOND_LOOK = "second_look"
        DRAFT = "draft"

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        STOPPING = "stopping"
        STOPPED = "stopped"
        DONE = "done"
        FAILED = "failed"

    OPEN_STATES = ("queued", "running", "stopping")

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="runs")
    kind = models.CharField(max_length=20, choices=Kind)
    state = models.CharField(max_length=20, choices=State, default=State.QUEUED)
    panel = models.ForeignKey(Panel, null=True, blank=True, on_delete=models.RESTRICT, related_name="runs")
    decompose = models.CharField(max_length=20, blank=True)
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
                condition=Q(state__in=["queued", "running", "stopping"], kind__in=["panel", "graph"]),
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
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
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
    attempt = models.PositiveIntegerField(help_text="1 is the first asking, 2 the one re-ask.")
    cache_key = models.CharField(max_length=64, db_index=True)
    state = models.CharField(max_length=20, choices=State, default=State.SENT)
    raw_reply = models.TextField(blank=True)
    finish_reason = models.CharField(max_length=40, blank=True)
    model = models.CharField(max_length=200, blank=True)
    error = models.TextField(blank=True)
    reason = models.CharField(max_length=40, blank=True)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    latency = models.FloatField(default=0.0, help_text="Seconds.")
    sent_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"call {self.pk} to {self.judge}"


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
