"""Watches a run that is being worked on: its state, and the terms on which its judges may be asked."""

from __future__ import annotations

from django.db.models import OuterRef, Subquery

from evaluation.models import Panel, Run

TERMS = ("rubric_version", "allowed_providers", "deidentify")
_PANEL = Panel.objects.filter(project=OuterRef("project"), is_current=True).values("pk")[:1]
_FIELDS = ("state", *(f"project__{name}" for name in TERMS))


class Watch:
    """Keeps the rows of a run and its project as they are in the database; the panel changes when a judge rests."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._terms: tuple[object, ...] = ()
        self.have_terms_changed()

    def have_terms_changed(self) -> bool:
        """Read the run anew; whether judges are asked on other terms now. Raises Run.DoesNotExist where it is gone."""
        rows = Run.objects.filter(pk=self._run.pk).annotate(panel_now=Subquery(_PANEL))
        state, *terms, panel_now = rows.values_list(*_FIELDS, "panel_now").get()
        self._run.state = state
        for name, value in zip(TERMS, terms, strict=True):
            setattr(self._run.project, name, value)
        before, self._terms = self._terms, (*terms, panel_now)
        return before != self._terms
