"""The first page after the sign-in link."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.factories import make_claim, make_disputed, make_judges, make_member, make_project, make_user, rule, vote

pytestmark = pytest.mark.django_db


def test_it_invites_to_rule_with_computed_numbers(client: Client) -> None:
    owner = make_user()
    demo = make_project(owner=owner, is_demo=True)
    judges = make_judges(demo, 5)
    make_disputed(demo, judges, 3)
    for text in ("Agreed one.", "Agreed two."):
        vote(make_claim(demo, text), dict.fromkeys(judges, "accept"))
    client.force_login(owner)

    page = client.get(reverse("home")).content.decode()

    assert "<strong>3 of 5</strong> sentences they disagree" in page
    assert "Five simple checkers read 5 memos" in page
    assert '<span class="chip">demo</span>' in page
    assert "Remove the demo" in page


def test_first_button_opens_the_claim_that_the_file_names(client: Client) -> None:
    owner = make_user()
    demo = make_project(owner=owner, is_demo=True)
    first, second = make_disputed(demo, make_judges(demo), 2)
    demo.first_claim_ref = second.external_id
    demo.save()
    client.force_login(owner)

    page = client.get(reverse("home")).content.decode()

    assert reverse("claim", args=[demo.slug, second.pk]) in page
    assert reverse("claim", args=[demo.slug, first.pk]) not in page


def test_keys_are_named_and_never_shown(client: Client, settings: Settings) -> None:
    settings.PROVIDER_KEYS = {"OPENAI_API_KEY": "secret-value", "OTHER_API_KEY": "secret-too"}
    owner = make_user()
    make_project(owner=owner, is_demo=True)
    client.force_login(owner)

    page = client.get(reverse("home")).content.decode()

    assert "2 keys found (OPENAI_API_KEY, OTHER_API_KEY)" in page
    assert "secret" not in page


def test_owner_lands_on_the_overview_once_a_ruling_stands(client: Client) -> None:
    owner = make_user()
    demo = make_project(owner=owner, is_demo=True)
    rule(make_disputed(demo, make_judges(demo))[0], owner)
    client.force_login(owner)

    answer = client.get(reverse("home"))

    assert answer.headers["Location"] == reverse("overview", args=[demo.slug])


def test_expert_lands_on_the_queue(client: Client) -> None:
    expert = make_user()
    project = make_project(owner=make_user())
    make_member(project, expert)
    client.force_login(expert)

    answer = client.get(reverse("home"))

    assert answer.headers["Location"] == reverse("queue", args=[project.slug])


def test_person_without_a_project_is_shown_how_to_make_one(client: Client) -> None:
    client.force_login(make_user())

    page = client.get(reverse("home"), follow=True).content.decode()

    assert "You are in no project yet" in page
    assert reverse("project-new") in page


def test_stranger_is_led_to_the_sign_in_page(client: Client) -> None:
    answer = client.get(reverse("home"))

    assert answer.headers["Location"].startswith(reverse("sign-in"))
