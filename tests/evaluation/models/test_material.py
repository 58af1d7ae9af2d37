"""Ids and names of what is judged are used once in a project, and again in another."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError
from django.db.models import RestrictedError

from evaluation.models import Batch, Document, Instance, Project, Response, System
from tests import factories

pytestmark = pytest.mark.django_db


def make_response(project: Project) -> Response:
    return Response.objects.create(
        project=project, instance=factories.make_instance(project), external_id="r", content_hash="h"
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda project: System.objects.create(project=project, name="Aster"),
        lambda project: Batch.objects.create(project=project, name="May"),
        lambda project: Document.objects.create(project=project, external_id="d", text="", content_hash="h"),
        lambda project: Instance.objects.create(project=project, external_id="i", content_hash="h"),
        make_response,
    ],
)
def test_a_name_is_used_once_in_a_project(project: Project, make: Callable[[Project], object]) -> None:
    make(project)
    make(factories.make_project())

    with pytest.raises(IntegrityError):
        make(project)


def test_a_system_with_responses_is_not_deleted(project: Project) -> None:
    response = factories.make_response(factories.make_instance(project), system="Aster")
    assert response.system is not None

    with pytest.raises(RestrictedError):
        response.system.delete()
