"""The judges' page: measured limits, adding, switching."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evaluation.models import Judge, Project
from evaluation.services import judges
from tests.factories import make_disputed, make_judges, make_member, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_in")]

LIMITS = (
    "Five word-matching rules, not AI. On public test sets their majority was right for 56 to 67 of 100 claims when "
    "supported and unsupported ones count equally (a coin: 50)."
)
NEW = {"provider": "openai_chat", "model": "some-model", "name": "Sceptic", "persona": "skeptic"}


def test_offline_panel_stands_beside_its_measured_limits(client: Client, project: Project) -> None:
    page = client.post(reverse("judge-add-offline", args=[project.slug]), follow=True).content.decode()

    assert project.judges.filter(provider="offline").count() == 5
    assert LIMITS in page
    assert "Blind to whether a figure belongs to the right thing" in page


def test_limits_are_said_before_the_panel_is_added(client: Client, project: Project) -> None:
    page = client.get(reverse("judges", args=[project.slug])).content.decode()

    assert page.count(LIMITS) == 1


def test_a_judge_of_a_provider_is_added_with_the_name_of_its_key(client: Client, project: Project) -> None:
    fields = {**NEW, "base_url": "http://127.0.0.1:9/v1", "key_name": "LOCAL_API_KEY"}

    page = client.post(reverse("judge-add", args=[project.slug]), fields, follow=True).content.decode()

    judge = Judge.objects.get()
    assert (judge.name, judge.model, judge.persona) == ("Sceptic", "some-model", "skeptic")
    assert (judge.base_url, judge.key_name) == ("http://127.0.0.1:9/v1", "LOCAL_API_KEY")
    assert "LOCAL_API_KEY is not set" in page


def test_a_key_in_place_of_its_name_is_refused_and_not_stored(client: Client, project: Project) -> None:
    answer = client.post(reverse("judge-add", args=[project.slug]), {**NEW, "key_name": "sk-something-secret"})

    assert answer.status_code == 422
    assert "not a key" in answer.content.decode()
    assert not Judge.objects.exists()


def test_a_taken_name_is_said_on_the_form(client: Client, project: Project) -> None:
    client.post(reverse("judge-add", args=[project.slug]), NEW)

    answer = client.post(reverse("judge-add", args=[project.slug]), NEW)

    assert answer.status_code == 422
    assert "There is a judge called “Sceptic” already" in answer.content.decode()


def test_found_keys_are_said_to_be_found(client: Client, project: Project, settings: Settings) -> None:
    settings.PROVIDER_KEYS = {"OPENAI_API_KEY": "secret-value"}

    page = client.get(reverse("judges", args=[project.slug])).content.decode()

    assert page.count("key found") - page.count("no key found") == 1
    assert "secret-value" not in page


def test_resting_a_judge_moves_current_answers_with_the_panel(client: Client, project: Project) -> None:
    panel = make_judges(project, 3)
    claim = make_disputed(project, panel)[0]

    client.post(reverse("judge-switch", args=[project.slug, panel[-1].pk]), {"is_active": "no"})

    panel[-1].refresh_from_db()
    claim.outcome.refresh_from_db()
    assert not panel[-1].is_active
    assert not claim.outcome.pattern.is_candidate


def test_an_expert_sees_judges_and_changes_none(client: Client, project: Project) -> None:
    judges.add_offline_panel(project=project)
    client.force_login(make_member(project).user)

    page = client.get(reverse("judges", args=[project.slug])).content.decode()
    answer = client.post(reverse("judge-add", args=[project.slug]), NEW)

    assert LIMITS in page
    assert reverse("judge-add", args=[project.slug]) not in page
    assert answer.status_code == 403


def test_a_judge_of_another_project_is_not_found(client: Client, project: Project) -> None:
    stranger = make_judges(make_project(), 1)[0]

    answer = client.post(reverse("judge-switch", args=[project.slug, stranger.pk]), {"is_active": "no"})

    assert answer.status_code == 404


def test_the_panel_is_switched_on_only_while_one_of_it_rests(client: Client, project: Project) -> None:
    judges.add_offline_panel(project=project)
    address = reverse("judges", args=[project.slug])
    complete = client.get(address).content.decode()
    judges.set_active(judge=project.judges.order_by("pk")[0], is_active=False)

    resting = client.get(address).content.decode()

    assert "Switch all five on" not in complete
    assert "Switch all five on" in resting


def test_the_measured_range_is_explained_and_leads_to_help(client: Client, project: Project) -> None:
    page = client.get(reverse("judges", args=[project.slug])).content.decode()
    explained = client.get(reverse("help")).content.decode()

    assert "few where answers repeat their source nearly word for word" in page
    assert f'href="{reverse("help")}#offline"' in page
    assert 'id="offline"' in explained
    assert "the range over seven public test sets" in explained
