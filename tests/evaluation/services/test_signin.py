"""Sign-in links: who the owner is, and that a link works once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.test import RequestFactory
from sesame.utils import get_user

from evaluation.services import signin

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
