"""The admin: every list and search opens, and what records an event cannot be changed there."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client

from evaluation import models
from evaluation.models import Invitation, Project, System

EVENTS = (
    models.Decision,
    models.Undo,
    models.Draw,
    models.Propagation,
    models.PatternMove,
    models.Verdict,
    models.Call,
    models.RubricEvent,
)
PAGES = [model for model in admin.site._registry if model._meta.app_label == "evaluation"]


@pytest.fixture
def admin_user(db: None) -> User:
    return User.objects.create_superuser("root-of-all")


@pytest.fixture
def client(admin_user: User) -> Client:
    client = Client()
    client.force_login(admin_user)
    return client


@pytest.mark.parametrize("model", PAGES, ids=lambda model: model.__name__)
def test_every_list_can_be_searched(client: Client, model: type[models.Project]) -> None:
    answer = client.get(f"/admin/evaluation/{model._meta.model_name}/", {"q": "fridge"})

    assert answer.status_code == 200


@pytest.mark.parametrize("model", PAGES, ids=lambda model: model.__name__)
def test_every_list_has_a_search_a_filter_and_columns(model: type[models.Project]) -> None:
    page = admin.site._registry[model]

    assert page.search_fields
    assert page.list_filter
    assert len(page.list_display) > 1


@pytest.mark.parametrize("model", EVENTS, ids=lambda model: model.__name__)
def test_events_cannot_be_added_changed_or_deleted(client: Client, model: type[models.Decision]) -> None:
    name = model._meta.model_name

    answer = client.get(f"/admin/evaluation/{name}/add/")

    assert answer.status_code == 403
    page = admin.site._registry[model]
    request = answer.wsgi_request
    assert not page.has_change_permission(request)
    assert not page.has_delete_permission(request)


def test_a_system_can_be_renamed(client: Client, project: Project) -> None:
    system = System.objects.create(project=project, name="Astre")

    client.post(f"/admin/evaluation/system/{system.pk}/change/", {"name": "Aster", "project": project.pk})

    system.refresh_from_db()
    assert system.name == "Aster"


def test_a_project_is_not_deleted_here(client: Client, project: Project) -> None:
    answer = client.post(f"/admin/evaluation/project/{project.pk}/delete/", {"post": "yes"})

    assert answer.status_code == 403
    assert Project.objects.filter(pk=project.pk).exists()


def test_the_token_of_an_invitation_is_never_shown(client: Client, project: Project, owner: User) -> None:
    invitation = Invitation.objects.create(
        project=project, role="expert", created_by=owner, expires_at="2030-01-01T00:00:00Z"
    )

    answer = client.get(f"/admin/evaluation/invitation/{invitation.pk}/change/")

    assert invitation.token not in answer.content.decode()


def test_a_list_needs_no_query_per_row(
    client: Client, project: Project, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    System.objects.bulk_create(System(project=project, name=f"system {number}") for number in range(30))

    with django_assert_max_num_queries(8):  # type: ignore[operator]
        client.get("/admin/evaluation/system/")


def test_a_price_can_be_corrected_and_a_purse_cannot(client: Client, project: Project) -> None:
    price = models.ModelPrice.objects.get(model="gpt-4.1-mini")
    purse = models.Purse.objects.create(project=project, key="project")
    percents = ("batch_percent", "long_input_percent", "long_output_percent")
    fields = ("provider", "model", "valid_from", "input_micros", "output_micros", *percents)

    client.post(
        f"/admin/evaluation/modelprice/{price.pk}/change/",
        {**{name: getattr(price, name) for name in fields}, "host": "", "input_micros": 5},
    )
    refused = client.post(f"/admin/evaluation/purse/{purse.pk}/change/", {"spent_micros": 0})

    price.refresh_from_db()
    assert price.input_micros == 5
    assert refused.status_code == 403


def test_the_limits_of_a_project_are_not_set_behind_its_purses(client: Client, project: Project) -> None:
    page = client.get(f"/admin/evaluation/project/{project.pk}/change/").content.decode()

    assert "cap_micros" not in page
