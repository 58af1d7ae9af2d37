"""Members and invitation links."""

from __future__ import annotations

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

    assert '<th scope="row">ana</th><td>expert</td><td class="number">2</td>' in page
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
