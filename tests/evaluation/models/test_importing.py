"""A file is committed once in a project; reports on it may be many."""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from evaluation.models import Import, Project

pytestmark = pytest.mark.django_db


def make_import(project: Project, state: str) -> Import:
    return Import.objects.create(project=project, filename="votes.csv", format="votes", sha256="a" * 64, state=state)


def test_a_file_is_imported_once(project: Project) -> None:
    for state in ("reported", "reported", "refused", "committed"):
        make_import(project, state)

    with pytest.raises(IntegrityError):
        make_import(project, "committed")
