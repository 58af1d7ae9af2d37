"""How a project asks its judges: how often each votes on a claim, and in which orders it sees a pair."""

from __future__ import annotations

from django.db import transaction

from evaluation.errors import InvalidInputError
from evaluation.models import Project
from evaluation.services import patterns, projects

MOST_SAMPLES = 9


def check_samples(samples: int) -> None:
    """Refuse a number of votes that is out of range. Raises InvalidInputError."""
    if not 1 <= samples <= MOST_SAMPLES:
        raise InvalidInputError(f"Each judge votes 1 to {MOST_SAMPLES} times on a claim, not {samples} times.")


def set_rules(*, project: Project, samples: int, both_orders: bool) -> Project:
    """Set how often each judge votes and whether pairs are shown in both orders; it holds from the next run on.

    Votes that are there stay. Raises InvalidInputError for a number of votes that is out of range.
    """
    check_samples(samples)
    with transaction.atomic():
        projects.hold(project)
        project.refresh_from_db(fields=["parameters"])
        was_both = project.method_parameters.both_orders
        project.parameters = {**project.parameters, "samples": samples, "both_orders": both_orders}
        project.save(update_fields=["parameters"])
        if was_both != both_orders:
            patterns.mark_full(project=project)
    return project
