"""Sign-in links: who the owner is, and that a link works once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.test import RequestFactory
from sesame.utils import get_user

from evaluation.errors import NotAllowedError
from evaluation.services import signin
from tests import factories

pytestmark = pytest.mark.django_db
BASE = "http://127.0.0.1:8000"


def token_of(link: str) -> str:
    return link.removeprefix(f"{BASE}/start/").rstrip("/")


def test_it_makes_one_owner_without_a_password() -> None:
    first = signin.owner()

    again = signin.owner()

    assert first == again
    assert first.is_superuser
    assert not first.has_usable_password()


def test_owner_gets_another_name_where_that_name_is_taken() -> None:
    User.objects.create_user("owner")

    made = signin.owner()

    assert made.username != "owner"
    assert made.is_superuser


def test_a_link_names_its_user() -> None:
    user = signin.owner()

    link = signin.link_for(user, f"{BASE}/")

    assert link.startswith(f"{BASE}/start/")
    assert get_user(token_of(link)) == user


def test_a_link_is_used_up_by_any_sign_in() -> None:
    user = signin.owner()
    link = signin.link_for(user, BASE)

    user_logged_in.send(sender=User, request=RequestFactory().get("/"), user=user)

    assert get_user(token_of(link)) is None


def test_a_link_ends_after_a_day() -> None:
    link = signin.link_for(signin.owner(), BASE)

    assert get_user(token_of(link), max_age=timedelta(seconds=-1)) is None
    assert get_user(token_of(link), max_age=timedelta(days=1)) is not None


def test_an_owner_lets_a_member_in_again() -> None:
    owner = factories.make_user()
    member = factories.make_member(factories.make_project(owner=owner))

    link = signin.link_by_owner(member=member, by=owner, base_url=BASE)

    assert get_user(token_of(link)) == member.user


def test_a_link_for_others_takes_an_owner() -> None:
    project = factories.make_project(owner=factories.make_user())
    member, expert = factories.make_member(project), factories.make_member(project)

    with pytest.raises(NotAllowedError, match="Only an owner"):
        signin.link_by_owner(member=member, by=expert.user, base_url=BASE)


def test_an_owner_never_becomes_a_superuser_by_a_link_and_a_superuser_may() -> None:
    owner, root = factories.make_user(), factories.make_user(is_superuser=True)
    member = factories.make_member(factories.make_project(owner=owner), factories.make_user(is_superuser=True))

    with pytest.raises(NotAllowedError, match="administers JuryFlow"):
        signin.link_by_owner(member=member, by=owner, base_url=BASE)

    assert get_user(token_of(signin.link_by_owner(member=member, by=root, base_url=BASE))) == member.user


def test_a_link_never_opens_a_project_of_somebody_else() -> None:
    owner = factories.make_user()
    member = factories.make_member(factories.make_project(owner=owner))
    factories.make_member(factories.make_project(owner=factories.make_user()), member.user)

    with pytest.raises(NotAllowedError, match="a project that you do not own"):
        signin.link_by_owner(member=member, by=owner, base_url=BASE)


def test_an_owner_may_make_a_link_for_oneself() -> None:
    owner = factories.make_user()
    mine = factories.make_project(owner=owner).memberships.get(user=owner)
    factories.make_member(factories.make_project(owner=factories.make_user()), owner)

    assert get_user(token_of(signin.link_by_owner(member=mine, by=owner, base_url=BASE))) == owner
