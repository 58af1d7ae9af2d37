"""The list of projects, making one and removing one."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from evaluation.models import Project
from tests.factories import make_disputed, make_judges, make_member, make_project, make_user

pytestmark = pytest.mark.django_db


def test_it_lists_only_the_projects_of_the_person(client: Client) -> None:
    user = make_user()
    mine, other = make_project("Mine", owner=user), make_project("Other", owner=make_user())
    make_disputed(mine, make_judges(mine), 2)
    client.force_login(user)

    page = client.get(reverse("projects")).content.decode()

    assert "Mine" in page
    assert other.name not in page
    assert f'<a href="{reverse("queue", args=[mine.slug])}">2</a>' in page


def test_queries_of_the_list_do_not_grow_with_the_projects(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    user = make_user()
    for _ in range(4):
        make_project(owner=user)
    client.force_login(user)

    with django_assert_num_queries(6):  # session, person, and four of the selector
        client.get(reverse("projects"))


def test_a_new_project_goes_on_to_import(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    fields = {"name": "Memos", "kind": "preference", "question": "Which memo is better?", "guidelines": ""}

    answer = client.post(reverse("project-new"), fields)

    project = Project.objects.get(name="Memos")
    assert answer.headers["Location"] == reverse("import", args=[project.slug])
    assert project.question("preference") == "Which memo is better?"
    assert project.memberships.get().role == "owner"


def test_a_project_without_a_name_is_refused(client: Client) -> None:
    client.force_login(make_user())

    answer = client.post(reverse("project-new"), {"name": "", "kind": "statement"})

    assert answer.status_code == 422
    assert not Project.objects.exists()


def test_remove_the_demo_removes_it(client: Client) -> None:
    owner = make_user()
    demo = make_project(owner=owner, is_demo=True)
    make_disputed(demo, make_judges(demo), 2)
    client.force_login(owner)

    page = client.post(reverse("project-remove", args=[demo.slug]), follow=True).content.decode()

    assert "was removed" in page
    assert not Project.objects.exists()


def test_an_own_project_is_removed_only_with_the_box_ticked(client: Client) -> None:
    owner = make_user()
    project = make_project(owner=owner)
    client.force_login(owner)
    address = reverse("project-remove", args=[project.slug])

    client.post(address)
    still_there = Project.objects.exists()
    client.post(address, {"confirm": "yes"})

    assert still_there
    assert not Project.objects.exists()


def test_an_expert_cannot_remove_a_project(client: Client) -> None:
    project = make_project(owner=make_user())
    client.force_login(make_member(project).user)

    answer = client.post(reverse("project-remove", args=[project.slug]), {"confirm": "yes"})

    assert answer.status_code == 403
    assert "Only an owner" in answer.content.decode()
    assert Project.objects.exists()
