"""How judges are asked, on the page of the judges."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Project
from tests import factories

pytestmark = pytest.mark.django_db


def save(client: Client, project: Project, **posted: str) -> str:
    response = client.post(reverse("voting-rules", kwargs={"slug": project.slug}), posted, follow=True)
    return response.content.decode()


def test_an_owner_sets_how_often_judges_vote(signed_in: Client, project: Project) -> None:
    factories.make_judges(project, 1)

    shown = save(signed_in, project, samples="3", both_orders="on")

    assert "Saved. It holds from the next run on" in shown
    assert 'name="samples" value="3"' in shown
    assert Project.objects.get().parameters == {"samples": 3, "both_orders": True}


def test_where_there_are_statements_alone_nothing_is_said_of_pairs(signed_in: Client, project: Project) -> None:
    factories.make_judges(project, 1)
    address = reverse("judges", kwargs={"slug": project.slug})
    may_come = signed_in.get(address).content.decode()
    factories.make_claim(project)

    shown = signed_in.get(address).content.decode()

    assert "Show each pair a second time" in may_come
    assert "Show each pair a second time" not in shown
    assert '<input type="hidden" name="both_orders"' in shown


def test_a_number_out_of_range_is_not_saved(signed_in: Client, project: Project) -> None:
    factories.make_judges(project, 1)

    shown = save(signed_in, project, samples="12")

    assert "Not saved. Votes of each judge: A whole number from 1 to 9 is needed here." in shown
    assert Project.objects.get().parameters == {}


def test_experts_see_how_steady_judges_are_and_set_nothing(client: Client, project: Project) -> None:
    (judge,) = factories.make_judges(project, 1)
    for swapped in ("first", "second"):
        pair = factories.make_pair(project)
        factories.vote_repeatedly(pair, {judge: ("first",)})
        factories.vote_repeatedly(pair, {judge: (swapped,)}, order="swapped")
    client.force_login(factories.make_member(project).user)

    shown = client.get(reverse("judges", kwargs={"slug": project.slug})).content.decode()
    answer = client.post(reverse("voting-rules", kwargs={"slug": project.slug}), {"samples": "2"})

    assert "1 of 2" in shown
    assert "shown first won 1" in shown
    assert "Save how they are asked" not in shown
    assert answer.status_code == 403
