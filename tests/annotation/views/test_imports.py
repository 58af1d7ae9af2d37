"""Bringing data in the browser: a report first, then all or nothing."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from evaluation.models import Claim, Import, Project
from tests.factories import make_judges, make_member, make_project, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_in")]

VOTES = "item,judge,label,text\nq1,anna,accept,The alarm beeps.\nq1,berta,reject,The alarm beeps.\n"


def bring(client: Client, project: Project, text: str) -> Import:
    client.post(reverse("import", args=[project.slug]), {"text": text, "fmt": "votes"})
    return project.imports.latest("pk")


def test_it_reports_before_anything_is_stored(client: Client, project: Project) -> None:
    file = SimpleUploadedFile("votes.csv", VOTES.encode())

    page = client.post(reverse("import", args=[project.slug]), {"file": file}, follow=True).content.decode()

    assert "What this file brings" in page
    assert "Votes of anna, berta" in page
    assert not Claim.objects.exists()


def test_taking_it_in_stores_it_and_leads_to_the_queue(client: Client, project: Project) -> None:
    record = bring(client, project, VOTES)

    address = reverse("import-commit", args=[project.slug, record.pk])
    page = client.post(address, {"on_conflict": "stop"}, follow=True).content.decode()

    assert Claim.objects.get().text == "The alarm beeps."
    assert "Taken in" in page
    assert reverse("queue", args=[project.slug]) in page


def test_the_same_file_twice_is_one_import(client: Client, project: Project) -> None:
    first = bring(client, project, VOTES)
    client.post(reverse("import-commit", args=[project.slug, first.pk]))

    answer = client.post(reverse("import", args=[project.slug]), {"text": VOTES, "fmt": "votes"})

    assert answer.headers["Location"] == reverse("import-report", args=[project.slug, first.pk])


def test_a_bad_row_is_shown_with_its_place_and_nothing_can_be_taken_in(client: Client, project: Project) -> None:
    record = bring(client, project, VOTES + "q2,anna,maybe,Another.\n")

    page = client.get(reverse("import-report", args=[project.slug, record.pk])).content.decode()

    assert "Refused: nothing was stored" in page
    assert '<td class="number">4</td><td><code>label</code></td>' in page
    assert "Take it in" not in page


@pytest.mark.parametrize(("has_judge", "name"), [(False, "judges"), (True, "runs")])
def test_without_votes_it_leads_to_the_judges_until_one_can_be_asked(
    client: Client, project: Project, has_judge: bool, name: str
) -> None:
    if has_judge:
        make_judges(project, 1, provider="offline")
    line = '{"id": "q1", "prompt": "Which?", "responses": [{"id": "q1-a", "text": "It beeps."}]}'
    client.post(reverse("import", args=[project.slug]), {"text": line, "fmt": "jsonl"})
    commit = reverse("import-commit", args=[project.slug, project.imports.latest("pk").pk])

    page = client.post(commit, follow=True).content.decode()

    assert f'<a class="button primary" href="{reverse(name, args=[project.slug])}"' in page


def test_conflicts_stop_until_one_says_what_to_do(client: Client, project: Project) -> None:
    first = bring(client, project, VOTES)
    client.post(reverse("import-commit", args=[project.slug, first.pk]))
    second = bring(client, project, VOTES.replace("beeps", "blinks"))
    address = reverse("import-commit", args=[project.slug, second.pk])

    stopped = client.post(address, {"on_conflict": "stop"})
    text_then = Claim.objects.get().text
    client.post(address, {"on_conflict": "replace"})

    assert stopped.status_code == 422
    assert "Choose to keep what is stored" in stopped.content.decode()
    assert text_then == "The alarm beeps."
    assert Claim.objects.get().text == "The alarm blinks."


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Choose a file or paste its text."),
        ({"text": VOTES, "file": "both"}, "Choose a file or paste text, not both."),
    ],
)
def test_nothing_and_both_are_refused(client: Client, project: Project, fields: dict[str, str], sentence: str) -> None:
    given = {key: SimpleUploadedFile("a.csv", b"x") if key == "file" else value for key, value in fields.items()}

    answer = client.post(reverse("import", args=[project.slug]), given)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()


def test_hostile_names_are_shown_literally(client: Client, project: Project) -> None:
    file = SimpleUploadedFile("<img src=x onerror=alert(1)>.csv", VOTES.encode())

    page = client.post(reverse("import", args=[project.slug]), {"file": file}, follow=True).content.decode()

    assert "&lt;img src=x onerror=alert(1)&gt;.csv" in page
    assert "<img src=x" not in page


def test_an_expert_cannot_import(client: Client) -> None:
    project = make_project(owner=make_user())
    client.force_login(make_member(project).user)

    answer = client.get(reverse("import", args=[project.slug]))

    assert answer.status_code == 403
