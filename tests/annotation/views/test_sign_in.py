"""Sign-in links, passwords and invitations."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation.models import Invitation, Membership
from evaluation.services import projects, signin
from tests.factories import make_project, make_user

pytestmark = pytest.mark.django_db


def make_invitation() -> Invitation:
    owner = make_user()
    return projects.invite(project=make_project(owner=owner), role="expert", by=owner)


def test_it_signs_in_when_a_link_is_opened(client: Client) -> None:
    user = make_user()
    link = signin.link_for(user, "")

    answer = client.get(link)

    assert answer.headers["Location"] == reverse("home")
    assert client.session["_auth_user_id"] == str(user.pk)


def test_a_link_works_once(client: Client) -> None:
    link = signin.link_for(make_user(), "")
    client.get(link)

    page = Client().get(link, follow=True).content.decode()

    assert "This sign-in link was used" in page


def test_a_used_link_does_not_disturb_somebody_who_is_signed_in(client: Client) -> None:
    link = signin.link_for(make_user(), "")
    client.get(link)

    answer = client.get(link)

    assert answer.headers["Location"] == reverse("home")


def test_wrong_password_is_refused_on_the_page(client: Client) -> None:
    user = make_user()

    answer = client.post(reverse("sign-in"), {"username": user.username, "password": "wrong"})

    assert answer.status_code == 422
    assert "Please enter a correct username and password" in answer.content.decode()


def test_right_password_signs_in(client: Client) -> None:
    user = make_user()

    client.post(reverse("sign-in"), {"username": user.username, "password": "a long password"})

    assert client.session["_auth_user_id"] == str(user.pk)


def test_sign_out_needs_a_post(client: Client) -> None:
    client.force_login(make_user())

    refused, done = client.get(reverse("sign-out")), client.post(reverse("sign-out"))

    assert refused.status_code == 405
    assert done.status_code == 302
    assert "_auth_user_id" not in client.session


def test_looking_at_an_invitation_does_not_use_it_up(client: Client) -> None:
    invitation = make_invitation()

    page = client.get(reverse("invitation", args=[invitation.token])).content.decode()

    invitation.refresh_from_db()
    assert invitation.used_at is None
    assert f"Join “{invitation.project.name}”" in page


def test_newcomer_joins_by_a_click_and_is_signed_in(client: Client) -> None:
    invitation = make_invitation()

    answer = client.post(reverse("invitation", args=[invitation.token]), {"display_name": "Ana Vidal"})

    member = Membership.objects.get(user__username="Ana Vidal")
    assert answer.headers["Location"] == reverse("queue", args=[invitation.project.slug])
    assert (member.project, member.role) == (invitation.project, "expert")
    assert client.session["_auth_user_id"] == str(member.user_id)


def test_somebody_signed_in_joins_as_that_person(client: Client) -> None:
    invitation, user = make_invitation(), make_user()
    client.force_login(user)

    client.post(reverse("invitation", args=[invitation.token]))

    assert Membership.objects.filter(project=invitation.project, user=user).exists()


def test_a_taken_name_is_said_on_the_page(client: Client) -> None:
    invitation = make_invitation()
    make_user("ana")

    answer = client.post(reverse("invitation", args=[invitation.token]), {"display_name": "Ana"})

    assert answer.status_code == 422
    assert "Somebody is called “Ana” already" in answer.content.decode()


def test_a_second_person_cannot_use_the_same_link(client: Client) -> None:
    invitation = make_invitation()
    client.post(reverse("invitation", args=[invitation.token]), {"display_name": "Ana"})

    answer = Client().post(reverse("invitation", args=[invitation.token]), {"display_name": "Bea"})

    assert answer.status_code == 422
    assert "This invitation cannot be used" in answer.content.decode()
    assert not Membership.objects.filter(user__username="Bea").exists()


def test_an_expired_invitation_says_so(client: Client) -> None:
    invitation = make_invitation()
    Invitation.objects.update(expires_at=timezone.now() - timedelta(minutes=1))

    page = client.get(reverse("invitation", args=[invitation.token])).content.decode()

    assert "This invitation cannot be used" in page


def test_a_used_invitation_leads_its_user_to_the_project(client: Client) -> None:
    invitation = make_invitation()
    address = reverse("invitation", args=[invitation.token])
    client.post(address, {"display_name": "Ana"})

    answer = client.get(address)

    assert answer.headers["Location"] == reverse("queue", args=[invitation.project.slug])


def test_who_joined_and_signed_out_is_told_to_ask_for_a_sign_in_link(client: Client) -> None:
    invitation = make_invitation()
    address = reverse("invitation", args=[invitation.token])
    client.post(address, {"display_name": "Ana"})

    signed_out = client.post(reverse("sign-out"), follow=True).content.decode()
    refused = client.get(address).content.decode()

    assert "ask an owner of your project for a sign-in link" in signed_out
    assert "ask an owner of your project for a sign-in link" in refused
    assert "Open the invitation link again" not in signed_out


def test_a_scanner_that_asks_for_the_head_uses_no_link_up(client: Client) -> None:
    link = signin.link_for(make_user(), "")

    assert Client().head(link).status_code == 405

    client.get(link)
    assert "_auth_user_id" in client.session


def test_a_link_with_a_nul_leads_nowhere(client: Client) -> None:
    assert client.get("/join/a%00b/").status_code == 404
    assert client.get("/start/a%00b").status_code == 302
