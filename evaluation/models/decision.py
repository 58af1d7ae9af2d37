"""Experts' rulings as events: how a claim was drawn, what was ruled, undone, and what followed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from evaluation.models.claim import Claim
from evaluation.models.outcome import VotePattern
from evaluation.models.project import Project
from evaluation.models.verdict import Verdict


class Draw(models.Model):
    """How a claim came before a person: by rank, as an audit pick, or opened by hand."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="draws")
    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="draws")
    expert = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="draws")
    policy = models.CharField(max_length=30)
    rank = models.PositiveIntegerField(null=True, blank=True, help_text="1 is the first of the queue.")
    probability = models.FloatField(null=True, blank=True, help_text="With which the claim was sampled; null by hand.")
    is_audit = models.BooleanField(default=False)
    is_by_hand = models.BooleanField(default=False)
    is_open = models.BooleanField(default=True)
    drawn_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(probability__isnull=True) | Q(probability__gt=0, probability__lte=1),
                name="a_draw_has_a_probability_or_none",
            ),
        ]

    def __str__(self) -> str:
        return f"draw of claim {self.claim_id}"


class Decision(models.Model):
    """An expert's ruling; append-only. The last one of a claim that is not undone stands."""

    class Source(models.TextChoices):
        OWN = "own"
        REVIEWER = "reviewer", "adopted from the AI second opinion"

    class Action(models.TextChoices):
        RULE = "rule"
        VOID = "void", "not a claim"
        CANNOT_JUDGE = "cannot_judge"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="decisions")
    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="decisions")
    expert = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decisions")
    draw = models.OneToOneField(Draw, on_delete=models.RESTRICT, related_name="decision")
    action = models.CharField(max_length=20, choices=Action, default=Action.RULE)
    label = models.CharField(max_length=20, blank=True)
    reason = models.TextField(blank=True)
    is_serious = models.BooleanField(default=False)
    source = models.CharField(max_length=10, choices=Source, default=Source.OWN)
    pattern = models.ForeignKey(VotePattern, on_delete=models.RESTRICT, related_name="decisions")
    votes = models.JSONField(default=list, help_text="[voter, label, share] as they stood when the ruling was made.")
    saw_names = models.BooleanField(default=False)
    saw_votes = models.BooleanField(default=True)
    saw_preview = models.BooleanField(default=False)
    has_sources = models.BooleanField(default=True)
    token = models.CharField(max_length=64, unique=True, help_text="One per form shown: a second click is the same.")
    decided_at = models.DateTimeField(auto_now_add=True)
    followed_up_at = models.DateTimeField(null=True, blank=True, help_text="When what follows from it was queued.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=(Q(action="rule") & ~Q(label="")) | (~Q(action="rule") & Q(label="")),
                name="only_a_ruling_has_a_label",
            ),
        ]

    def __str__(self) -> str:
        return f"ruling {self.pk} on claim {self.claim_id}: {self.label or self.action}"


class Undo(models.Model):
    """The event that takes a decision back."""

    decision = models.OneToOneField(Decision, on_delete=models.CASCADE, related_name="undo")
    expert = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    undone_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"undo of ruling {self.decision_id}"


class Propagation(models.Model):
    """What a ruling changed by re-weighting: a record, never the source for restoring."""

    decision = models.OneToOneField(Decision, on_delete=models.CASCADE, related_name="propagation")
    n_moved = models.PositiveIntegerField(default=0)
    n_ties_settled = models.PositiveIntegerField(default=0)
    n_firmer = models.PositiveIntegerField(default=0, help_text="Open claims whose answer stayed and gained support.")
    n_weaker = models.PositiveIntegerField(default=0, help_text="Open claims whose answer stayed and lost support.")
    judges = models.JSONField(default=list, help_text="Per voter: sided, agreed and decided before and after.")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"what ruling {self.decision_id} changed"


class PatternMove(models.Model):
    """A vote pattern whose current answer moved, before and after, and for how many claims."""

    propagation = models.ForeignKey(Propagation, on_delete=models.CASCADE, related_name="moves")
    pattern = models.ForeignKey(VotePattern, on_delete=models.RESTRICT, related_name="moves")
    before_state = models.CharField(max_length=10)
    before_label = models.CharField(max_length=20, blank=True)
    before_support = models.JSONField(default=dict, help_text="Panel support by label before the ruling.")
    after_state = models.CharField(max_length=10)
    after_label = models.CharField(max_length=20, blank=True)
    n_claims = models.PositiveIntegerField()

    class Meta:
        ordering = ["-n_claims", "pk"]
        constraints = [models.UniqueConstraint(fields=["propagation", "pattern"], name="a_pattern_moves_once")]

    def __str__(self) -> str:
        return f"{self.n_claims} claims moved"


class Proposal(models.Model):
    """A second look's result: another answer for a like claim, for a person to accept or drop."""

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        DROPPED = "dropped"
        WITHDRAWN = "withdrawn", "the ruling behind it was undone"

    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, related_name="proposals")
    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="proposals")
    verdict = models.ForeignKey(Verdict, on_delete=models.RESTRICT, related_name="proposals")
    before_label = models.CharField(max_length=20, blank=True)
    label = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["decision", "claim"], name="one_proposal_per_ruling_and_claim")]

    def __str__(self) -> str:
        return f"proposal for claim {self.claim_id}: {self.label}"
