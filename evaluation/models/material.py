"""What is judged: systems, batches, instances with their documents, and responses."""

from __future__ import annotations

from django.db import models

from evaluation.models.project import Project


class System(models.Model):
    """The model or agent whose output is judged."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="systems")
    name = models.CharField(max_length=255)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="unique_system_name")]

    def __str__(self) -> str:
        return self.name


class Batch(models.Model):
    """A release or week of responses."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="batches")
    name = models.CharField(max_length=255)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "batches"
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="unique_batch_name")]

    def __str__(self) -> str:
        return self.name


class Document(models.Model):
    """A source document; several instances may rest on it."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="documents")
    external_id = models.CharField(max_length=255)
    title = models.CharField(max_length=500, blank=True)
    text = models.TextField()
    content_hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["project", "external_id"], name="unique_document_id")]

    def __str__(self) -> str:
        return self.title or self.external_id


class Instance(models.Model):
    """A prompt, query or task with its context and source documents; `gold` is a reference answer in words."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="instances")
    external_id = models.CharField(max_length=255)
    prompt = models.TextField(blank=True)
    context = models.TextField(blank=True)
    documents = models.ManyToManyField(Document, blank=True, related_name="instances")
    document_ids = models.JSONField(default=list, blank=True, help_text="External ids in the order of the file.")
    gold = models.TextField(blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    content_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["project", "external_id"], name="unique_instance_id")]

    def __str__(self) -> str:
        return self.external_id


class Response(models.Model):
    """One system's answer to one instance."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="responses")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="responses")
    external_id = models.CharField(max_length=255)
    system = models.ForeignKey(System, null=True, blank=True, on_delete=models.RESTRICT, related_name="responses")
    batch = models.ForeignKey(Batch, null=True, blank=True, on_delete=models.RESTRICT, related_name="responses")
    text = models.TextField(blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    content_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["project", "external_id"], name="unique_response_id")]

    def __str__(self) -> str:
        return self.external_id
