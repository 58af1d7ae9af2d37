"""Projects, their members and the invitations to join."""

from __future__ import annotations

import secrets
from dataclasses import fields
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from evaluation.schemas import LABELS, ClaimKind, Label, MethodParameters

STATEMENT_TAGS = (
    "numbers and units",
    "negation",
    "who does what",
    "names",
    "time",
    "place",
    "price",
    "conditions",
    "scope",
    "added detail",
    "computed figure",
    "quotation",
)


def default_questions() -> dict[str, str]:
    return {
        ClaimKind.STATEMENT: "Do the sources support this?",
        ClaimKind.PREFERENCE: "Which answer serves the request better?",
    }


def default_labels() -> dict[str, dict[str, str]]:
    return {
        ClaimKind.STATEMENT: {
            Label.ACCEPT: "Supported",
            Label.REJECT: "Not supported",
            Label.UNCERTAIN: "Sources do not settle it",
        },
        ClaimKind.PREFERENCE: {Label.FIRST: "Left", Label.SECOND: "Right", Label.TIE: "Equally good"},
    }


def default_tags() -> list[str]:
    return list(STATEMENT_TAGS)


def new_token() -> str:
    return secrets.token_urlsafe(24)


class Project(models.Model):
    """A workspace: what is judged, with which words, by whom, and with which parameters."""

    class Method(models.TextChoices):
        JURYFLOW = "juryflow", "JuryFlow"

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    method = models.CharField(max_length=20, choices=Method, default=Method.JURYFLOW)
    questions = models.JSONField(default=default_questions)
    display_labels = models.JSONField(default=default_labels)
    allow_tie = models.BooleanField(default=True, help_text="Off makes a project of pairs binary.")
    allow_uncertain = models.BooleanField(default=True, help_text="Off makes a project of statements binary.")
    guidelines = models.TextField(blank=True)
    tag_vocabulary = models.JSONField(default=default_tags)
    parameters = models.JSONField(default=dict, blank=True)
    allowed_providers = models.JSONField(
        default=list, blank=True, help_text="Hosts that may see its text; a provider's name stands for all its hosts."
    )
    cap_micros = models.PositiveBigIntegerField(null=True, blank=True, help_text="Hard limit of all it may spend.")
    weekly_second_look_cap_micros = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Hard limit of what second looks may spend in a week."
    )
    deidentify = models.JSONField(
        default=dict, blank=True, help_text="What is replaced before text is sent: emails, phones, titles, names."
    )
    is_demo = models.BooleanField(default=False)
    first_claim_ref = models.CharField(max_length=200, blank=True, help_text="Claim that a tour opens first.")
    rubric_version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["is_demo"], condition=Q(is_demo=True), name="one_demo_project"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def method_parameters(self) -> MethodParameters:
        """The stored parameters over the defaults; unknown keys are ignored."""
        known = {field.name for field in fields(MethodParameters)}
        stored: dict[str, Any] = {key: value for key, value in self.parameters.items() if key in known}
        return MethodParameters(**stored)

    def labels(self, kind: str) -> tuple[Label, ...]:
        """The labels that votes and gold of this kind can take here, in display order."""
        left_out = {Label.TIE} if not self.allow_tie else set()
        if not self.allow_uncertain:
            left_out.add(Label.UNCERTAIN)
        return tuple(label for label in LABELS[ClaimKind(kind)] if label not in left_out)

    def question(self, kind: str) -> str:
        return str(self.questions.get(kind) or default_questions()[kind])

    def label_words(self, kind: str) -> dict[Label, str]:
        words = {**default_labels()[kind], **self.display_labels.get(kind, {})}
        return {label: str(words[label]) for label in self.labels(kind)}


class Membership(models.Model):
    """Who may do what in a project."""

    class Role(models.TextChoices):
        OWNER = "owner", "Owner"
        EXPERT = "expert", "Expert"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "user"], name="one_membership_per_project")]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.project}"


class Invitation(models.Model):
    """A link that makes its finder a member, once, after a click."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=64, unique=True, default=new_token)
    role = models.CharField(max_length=20, choices=Membership.Role)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"invitation to {self.project} as {self.role}"
