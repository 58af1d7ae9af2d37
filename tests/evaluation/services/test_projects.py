"""Projects: made with an owner, joined by a link that works once, and removed with everything in them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.utils import timezone

from evaluation.errors import ConflictError, InvalidInputError, NotAllowedError
from evaluation.models import Invitation, Membership, Project, RubricEntry
from evaluation.services import graph, projects, rubric
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db


def test_it_makes_a_project_with_its_owner_and_an_address_of_its_own(owner: User) -> None:
    first, second = (projects.create(name=" Fridge memos ", owner=owner, question=" So? ") for _ in range(2))

    assert (first.name, first.slug, second.slug) == ("Fridge memos", "fridge-memos", "fridge-memos-2")
    assert (first.question("statement"), first.question("preference")[:5]) == ("So?", "Which")
    projects.require_owner(first, owner)


@pytest.mark.parametrize(("name", "slug"), [("…", "project"), ("冷蔵庫", "project"), ("x" * 200, "x" * 60)])
def test_every_name_gets_an_address(owner: User, name: str, slug: str) -> None:
    assert projects.create(name=name, owner=owner).slug == slug


@pytest.mark.parametrize(
    "values",
    [
        {"name": " "},
        {"name": "x" * 201},
        {"name": "a\x00"},
        {"name": "a", "kind": "poem"},
        {"name": "a", "question": "\x00"},
        {"name": "a", "guidelines": "\x00"},
    ],
)
def test_it_refuses_what_is_no_project(owner: User, values: dict[str, str]) -> None:
    with pytest.raises(InvalidInputError):
        projects.create(owner=owner, **values)

    assert not Project.objects.exists()


def test_only_owners_and_superusers_own(project: Project) -> None:
    expert = factories.make_member(project).user

    projects.require_owner(project, factories.make_user(is_superuser=True))
    for action in (
        lambda: projects.require_owner(project, expert),
        lambda: projects.invite(project=project, role="expert", by=expert),
        lambda: projects.remove(project=project, by=expert),
    ):
        with pytest.raises(NotAllowedError, match="Only an owner of “Fridge memos”"):
            action()


def test_a_link_lets_one_person_join_once(project: Project, owner: User) -> None:
    invitation = projects.invite(project=project, role="expert", by=owner)

    membership = projects.accept_invitation(token=invitation.token, user=None, display_name="  Ann   Lee ")

    assert (membership.user.username, membership.role) == ("Ann Lee", "expert")
    assert not membership.user.has_usable_password()
    with pytest.raises(InvalidInputError, match="used or has expired"):
        projects.accept_invitation(token=invitation.token, user=None, display_name="Bo")


def test_a_member_uses_no_link_up(project: Project, owner: User) -> None:
    invitation = projects.invite(project=project, role="expert", by=owner)

    with pytest.raises(ConflictError, match="member of “Fridge memos” already"):
        projects.accept_invitation(token=invitation.token, user=owner)

    assert Invitation.objects.get().used_at is None
    assert Membership.objects.get().role == "owner"


@pytest.mark.parametrize(
    ("name", "said"),
    [("", "give the name"), ("x" * 101, "give the name"), ("\u200b", "give the name"), ("TOM", "called “TOM”")],
)
def test_a_newcomer_needs_a_name_of_their_own(project: Project, owner: User, name: str, said: str) -> None:
    invitation = projects.invite(project=project, role="expert", by=owner)

    with pytest.raises(InvalidInputError, match=said):
        projects.accept_invitation(token=invitation.token, user=None, display_name=name)


def test_old_unknown_and_odd_links_are_refused(project: Project, owner: User) -> None:
    invitation = projects.invite(project=project, role="expert", by=owner)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    with pytest.raises(InvalidInputError, match="expired"):
        projects.accept_invitation(token=invitation.token, user=owner)
    with pytest.raises(InvalidInputError, match="does not exist"):
        projects.accept_invitation(token="nowhere", user=owner)
    with pytest.raises(InvalidInputError, match="is not a role"):
        projects.invite(project=project, role="king", by=owner)


def test_nothing_of_a_removed_project_stays(project: Project, owner: User) -> None:
    claims = factories.make_disputed(project, factories.make_judges(project), 3)
    factories.rule(claims[0], owner)
    entry: RubricEntry = rubric.write(project=project, text=EntryText("Rule."), by=owner)
    entry.decisions.add(project.decisions.get())
    graph.build(project=project)
    projects.invite(project=project, role="expert", by=owner)

    projects.remove(project=project, by=owner)

    left = {model.__name__: model._default_manager.count() for model in apps.get_app_config("evaluation").get_models()}
    assert {name for name, n in left.items() if n} == {"ModelPrice"}  # what models cost belongs to no project
    assert User.objects.filter(pk=owner.pk).exists()
