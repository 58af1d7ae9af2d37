from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Project
from tests import factories

CHOSEN = {"emails": "on", "names": "Ana <b>Weber</b>\nBea"}


def address(project: Project, name: str = "privacy") -> str:
    return reverse(name, args=[project.slug])


def answer(project: Project, text: str) -> None:
    factories.make_response(factories.make_instance(project), text)


def test_a_preview_marks_what_would_be_replaced_and_keeps_nothing(signed_in: Client, project: Project) -> None:
    answer(project, "Ana <b>Weber</b> wrote to ana@x.org.")

    page = signed_in.post(address(project, "privacy-preview"), CHOSEN).content.decode()

    assert "<del>Ana &lt;b&gt;Weber&lt;/b&gt;</del>" in page
    assert "[name 1]" in page
    assert "<del>ana@x.org</del>" in page
    assert "Not saved yet. Nothing has been sent." in page
    assert "Ana &lt;b&gt;Weber&lt;/b&gt;\nBea</textarea>" in page
    project.refresh_from_db()
    assert project.deidentify == {}


def test_saved_rules_are_shown_again(signed_in: Client, project: Project) -> None:
    answer(project, "Bea wrote to ana@x.org.")

    page = signed_in.post(address(project, "privacy-save"), CHOSEN, follow=True).content.decode()

    project.refresh_from_db()
    assert project.deidentify["names"] == ["Ana <b>Weber</b>", "Bea"]
    assert "As saved: 1 name and 1 e-mail address are replaced before text is sent." in page
    assert "What a judge of a provider gets" in page
    assert "<del>Bea</del>" in page


def test_another_answer_is_one_click_away(signed_in: Client, project: Project) -> None:
    answer(project, "Bea.")
    answer(project, "Nothing here.")
    other = project.responses.last()
    assert other is not None

    page = signed_in.post(address(project, "privacy-preview"), {**CHOSEN, "response": other.pk}).content.decode()

    assert f"Answer {other.external_id}" in page
    assert "Nothing is replaced in this answer and its sources." in page


@pytest.mark.parametrize("name", ["privacy-preview", "privacy-save"])
def test_a_name_that_makes_no_sense_comes_back_with_a_sentence(signed_in: Client, project: Project, name: str) -> None:
    response = signed_in.post(address(project, name), {"names": "Ana\nB"})

    assert response.status_code == 422
    assert "Line 2 of the names has 1 characters" in response.content.decode()
    project.refresh_from_db()
    assert project.deidentify == {}


def test_a_reload_of_the_preview_leads_back(signed_in: Client, project: Project) -> None:
    assert signed_in.get(address(project, "privacy-preview")).headers["Location"] == address(project)


def test_a_project_without_answers_says_what_to_do(signed_in: Client, project: Project) -> None:
    assert "There is no answer yet to show it on." in signed_in.get(address(project)).content.decode()


def test_only_owners_see_and_change_it(client: Client, project: Project) -> None:
    client.force_login(factories.make_member(project).user)

    refused = [client.get(address(project))]
    refused += [client.post(address(project, name), CHOSEN) for name in ("privacy-preview", "privacy-save")]

    assert [response.status_code for response in refused] == [403, 403, 403]
    project.refresh_from_db()
    assert project.deidentify == {}


def test_the_judges_page_leads_to_it(signed_in: Client, project: Project) -> None:
    assert address(project) in signed_in.get(reverse("judges", args=[project.slug])).content.decode()


def test_before_a_run_the_number_of_replaced_things_is_said(signed_in: Client, project: Project) -> None:
    factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    answer(project, "Bea wrote to ana@x.org.")
    runs = reverse("runs", args=[project.slug])
    before = signed_in.get(runs).content.decode()
    signed_in.post(address(project, "privacy-save"), CHOSEN)

    page = signed_in.get(runs).content.decode()

    assert "1 name and 1 e-mail address are replaced before text is sent." in page
    assert "replaced before" not in before


def test_the_page_judges_says_what_is_replaced(signed_in: Client, project: Project) -> None:
    address = reverse("judges", args=[project.slug])
    assert "can be replaced before anything is sent" in signed_in.get(address).content.decode()

    Project.objects.filter(pk=project.pk).update(deidentify={"emails": True, "names": ["Weber"]})

    assert (
        "Replaced before anything is sent: e-mail addresses, listed names." in signed_in.get(address).content.decode()
    )
