"""Loads the demo: three documents, twelve memos with planted errors, judged at once by the offline panel."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.db import transaction

from evaluation.demo import larkhaven
from evaluation.models import Import, Project, Run
from evaluation.services import estimating, graph, imports, judges, panel, panel_worker, projects


def load(*, owner: User, say: Callable[[str], None] | None = None) -> Project:
    """Make the demo project if there is none, and judge it in the foreground; returns it either way.

    `say` hears a sentence before each step.
    """
    tell = say or (lambda _: None)
    project = Project.objects.filter(is_demo=True).first()
    if project is None:
        tell("Importing twelve memos …")
        project = _make(owner)
    if project.graphs.exists():
        return project
    if estimating.estimate(project=project, decompose="shared").n_calls_low:
        tell("Asking five offline judges …")
        run = panel.open_run(project=project, by=owner, options=panel.RunOptions(decompose="shared"))
        while run.state in Run.WORKING_STATES:
            run = panel_worker.drive(run_id=run.pk)
    tell("Joining like claims …")
    graph.build(project=project)
    return project


def _make(owner: User) -> Project:
    with transaction.atomic():
        project = projects.create(
            name=larkhaven.NAME, owner=owner, question=larkhaven.QUESTION, guidelines=larkhaven.GUIDELINES
        )
        project.is_demo = True
        project.first_claim_ref = larkhaven.FIRST_CLAIM
        project.tag_vocabulary = list(larkhaven.TAGS)
        project.parameters = {"silence_means": larkhaven.SILENCE_MEANS, "in_between": larkhaven.IN_BETWEEN}
        project.save()
        record, reading = imports.prepare_path(project=project, path=larkhaven.FILE, by=owner)
        imports.commit_reading(record=record, reading=reading, on_conflict=Import.OnConflict.STOP, by=owner)
        judges.add_offline_panel(project=project)
    return project
