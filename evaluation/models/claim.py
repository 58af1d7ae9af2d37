"""Claims, their vectors and the graph that joins them."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from evaluation.models.material import Instance, Response
from evaluation.models.project import Project


class Claim(models.Model):
    """The smallest thing voted on; a preference joins two responses of one instance."""

    class Kind(models.TextChoices):
        STATEMENT = "statement"
        PREFERENCE = "preference"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="claims")
    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="claims")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="claims")
    second_response = models.ForeignKey(
        Response, null=True, blank=True, on_delete=models.CASCADE, related_name="claims_as_second"
    )
    external_id = models.CharField(max_length=255)
    kind = models.CharField(max_length=20, choices=Kind)
    text = models.TextField()
    span_start = models.PositiveIntegerField(null=True, blank=True, help_text="Code points from the response's start.")
    span_end = models.PositiveIntegerField(null=True, blank=True)
    position = models.PositiveIntegerField(default=0)
    tags = models.JSONField(default=list, blank=True)
    gold = models.CharField(max_length=20, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    content_hash = models.CharField(max_length=64, blank=True)
    degree = models.PositiveIntegerField(default=0, help_text="Edges in the current graph.")
    is_void = models.BooleanField(default=False, help_text="Not a claim: out of scores and track records.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["response_id", "position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="unique_claim_id"),
            models.CheckConstraint(
                condition=Q(kind="statement", second_response__isnull=True)
                | Q(kind="preference", second_response__isnull=False),
                name="a_preference_joins_two_responses",
            ),
            models.CheckConstraint(
                condition=Q(span_start__isnull=True, span_end__isnull=True)
                | Q(span_start__isnull=False, span_end__isnull=False, span_start__lt=F("span_end")),
                name="a_span_has_a_start_before_its_end",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Embedding(models.Model):
    """A claim's unit vector as float32 bytes, made by the named model from the named text."""

    claim = models.OneToOneField(Claim, on_delete=models.CASCADE, related_name="embedding")
    model = models.CharField(max_length=100)
    text_hash = models.CharField(max_length=64)
    vector = models.BinaryField()

    def __str__(self) -> str:
        return f"vector of claim {self.claim_id}"


class ClaimGraph(models.Model):
    """One build of a project's disagreement graph with the parameters it was made with."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="graphs")
    is_current = models.BooleanField(default=True)
    n_claims = models.PositiveIntegerField()
    n_edges = models.PositiveIntegerField()
    alpha = models.FloatField()
    beta = models.FloatField()
    neighbours = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project"], condition=Q(is_current=True), name="one_current_graph"),
        ]

    def __str__(self) -> str:
        return f"graph {self.pk} of {self.project}"


class GraphNode(models.Model):
    """A claim's place in a graph: component, degree and stored layout (null while not laid out)."""

    graph = models.ForeignKey(ClaimGraph, on_delete=models.CASCADE, related_name="nodes")
    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="nodes")
    component = models.PositiveIntegerField(help_text="Part of whole components that a page shows; 0 is the first.")
    degree = models.PositiveIntegerField()
    x = models.FloatField(null=True)
    y = models.FloatField(null=True)

    class Meta:
        ordering = ["component", "-degree", "claim_id"]
        constraints = [models.UniqueConstraint(fields=["graph", "claim"], name="one_node_per_claim")]

    def __str__(self) -> str:
        return f"claim {self.claim_id} in graph {self.graph_id}"


class ClaimEdge(models.Model):
    """An undirected edge, stored once with source < target."""

    graph = models.ForeignKey(ClaimGraph, on_delete=models.CASCADE, related_name="edges")
    source = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="edges_out")
    target = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="edges_in")
    weight = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["graph", "source", "target"], name="one_edge_per_pair"),
            models.CheckConstraint(condition=Q(source__lt=F("target")), name="an_edge_is_stored_once"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id} - {self.target_id} ({self.weight:.2f})"
