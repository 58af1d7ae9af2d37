"""Files to take home."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.services import exports
from tests.factories import make_disputed, make_judges, make_member, make_project, make_user

pytestmark = pytest.mark.django_db


def test_it_lists_every_file_there_is(client: Client) -> None:
    project = make_project()
    client.force_login(make_member(project).user)

    page = client.get(reverse("export", args=[project.slug])).content.decode()

    for each in exports.CHOICES:
        assert reverse("export-file", args=[project.slug, each.what, each.fmt]) in page


def test_a_file_is_streamed_under_a_name_of_its_own(client: Client) -> None:
    project = make_project(owner=make_user())
    make_disputed(project, make_judges(project), text="Die Prüfung kostet 5 €.")
    client.force_login(make_member(project).user)

    answer = client.get(reverse("export-file", args=[project.slug, "all", "jsonl"]))

    records = [json.loads(line) for line in answer.getvalue().decode().splitlines()]
    assert answer.streaming
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{project.slug}-all.jsonl"'
    assert "Die Prüfung kostet 5 €." in json.dumps(records, ensure_ascii=False)


def test_an_unknown_file_is_not_found(client: Client) -> None:
    project = make_project()
    client.force_login(make_member(project).user)

    answer = client.get(reverse("export-file", args=[project.slug, "votes", "pdf"]))

    assert answer.status_code == 404


def test_no_two_files_have_the_same_name(client: Client) -> None:
    project = make_project()
    client.force_login(make_member(project).user)

    names = [
        client.get(reverse("export-file", args=[project.slug, each.what, each.fmt])).headers["Content-Disposition"]
        for each in exports.CHOICES
    ]

    page = client.get(reverse("export", args=[project.slug])).content.decode()
    assert len(set(names)) == len(names)
    assert f'attachment; filename="{project.slug}-claims-safe.csv"' in names
    assert f">{project.slug}-claims-safe.csv</a>" in page
