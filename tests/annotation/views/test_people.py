"""Members and invitation links."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Invitation
from tests.factories import make_disputed, make_judges, make_member, make_project, make_user, rule

pytestmark = pytest.mark.django_db


def test_it_lists_members_with_the_rulings_that_stand(client: Client) -> None:
    owner = make_user("tom")
    project = make_project(owner=owner)
    ana = make_member(project, make_user("ana"))
    for claim in make_disputed(project, make_judges(project), 2):
        rule(claim, ana.user)
    client.force_login(owner)

    page = client.get(reverse("people", args=[project.slug])).content.decode()

    row = page[page.index('<th scope="row">ana</th>') :]
    assert row.index('<td data-label="Role">expert</td>') < row.index('data-label="Rulings that stand">2</td>')
    assert "(you)" in page


def test_an_invitation_shows_its_link_and_expiry(client: Client) -> None:
    owner = make_user()
    project = make_project(owner=owner)
    client.force_login(owner)

    page = client.post(reverse("invite", args=[project.slug]), {"role": "owner"}, follow=True).content.decode()

    invitation = Invitation.objects.get()
    assert invitation.role == "owner"
    assert f'value="http://testserver{reverse("invitation", args=[invitation.token])}"' in page
    assert f'data-copy="#link-{invitation.pk}"' in page


def test_an_unknown_role_is_refused(client: Client) -> None:
    owner = make_user()
    project = make_project(owner=owner)
    client.force_login(owner)

    answer = client.post(reverse("invite", args=[project.slug]), {"role": "king"})

    assert answer.status_code == 422
    assert not Invitation.objects.exists()


def test_experts_see_no_links_and_cannot_make_one(client: Client) -> None:
    owner = make_user()
    project = make_project(owner=owner)
    client.force_login(owner)
    client.post(reverse("invite", args=[project.slug]), {"role": "expert"})
    client.force_login(make_member(project).user)

    page = client.get(reverse("people", args=[project.slug])).content.decode()
    answer = client.post(reverse("invite", args=[project.slug]), {"role": "owner"})

    assert Invitation.objects.get().token not in page
    assert answer.status_code == 403


def test_an_owner_makes_a_sign_in_link_that_is_shown_once(client: Client) -> None:
    owner = make_user()
    project = make_project(owner=owner)
    ana = make_member(project, make_user("ana"))
    client.force_login(owner)
    people = reverse("people", args=[project.slug])

    answer = client.post(reverse("sign-in-link", args=[project.slug, ana.pk]))

    page = answer.content.decode()
    link = re.search(r'id="made-link" value="http://testserver(/start/[^"]+)"', page)
    newcomer = Client()
    newcomer.get(link[1] if link else "")
    assert "Sign-in link for ana" in page
    assert "no-store" in answer.headers["Cache-Control"]
    assert newcomer.session["_auth_user_id"] == str(ana.user_id)
    assert "made-link" not in client.get(people).content.decode()


def test_experts_make_no_sign_in_link_and_see_no_button(client: Client) -> None:
    project = make_project(owner=make_user())
    ana, bea = make_member(project), make_member(project)
    client.force_login(ana.user)
    address = reverse("sign-in-link", args=[project.slug, bea.pk])

    page = client.get(reverse("people", args=[project.slug])).content.decode()

    assert address not in page
    assert client.post(address).status_code == 403
    assert client.get(address).status_code == 405


def test_a_link_for_a_superuser_is_refused_in_words(client: Client) -> None:
    owner = make_user()
    project = make_project(owner=owner)
    admin = make_member(project, make_user(is_superuser=True))
    client.force_login(owner)

    page = client.post(reverse("sign-in-link", args=[project.slug, admin.pk]), follow=True).content.decode()

    assert "administers JuryFlow" in page
    assert "made-link" not in page


def test_a_member_of_another_project_is_not_found(client: Client) -> None:
    owner = make_user()
    project, stranger = make_project(owner=owner), make_member(make_project())
    client.force_login(owner)

    assert client.post(reverse("sign-in-link", args=[project.slug, stranger.pk])).status_code == 404


@pytest.mark.parametrize(("host", "is_local"), [("127.0.0.1:8000", True), ("testserver", False)])
def test_links_made_at_a_loopback_address_say_so(client: Client, host: str, *, is_local: bool) -> None:
    owner = make_user()
    project = make_project(owner=owner)
    client.force_login(owner)
    client.post(reverse("invite", args=[project.slug]), {"role": "expert"})

    page = client.get(reverse("people", args=[project.slug]), headers={"host": host}).content.decode()

    assert ("It works only on this computer" in page) is is_local
    assert ("docs/production.md" in page) is is_local
