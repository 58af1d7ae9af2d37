"""The overview: counts that are links, trust that rests on audits, details only when asked."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from evaluation.models import Project
from tests.factories import make_claim, make_disputed, make_judges, make_member, make_user, rule, vote

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_in")]

FRAGMENT = {"HX-Request": "true"}


def read(client: Client, project: Project, query: str = "") -> str:
    return client.get(reverse("overview", args=[project.slug]) + query).content.decode()


def test_an_empty_project_names_the_next_step_and_the_command(client: Client, project: Project) -> None:
    page = read(client, project)

    assert "No claims yet." in page
    assert "the judges agree" not in page
    assert reverse("import", args=[project.slug]) in page
    assert f"manage.py import_data FILE --project {project.slug}" in page


def test_counts_are_links_to_the_queue(client: Client, project: Project) -> None:
    make_disputed(project, make_judges(project), 3, tags=["numbers and units"])

    page = read(client, project)

    queue = reverse("queue", args=[project.slug])
    assert f'<a href="{queue}"><strong>3</strong> disputed</a>' in page
    assert f'href="{queue}?tag=numbers%20and%20units">numbers and units <strong>3</strong>' in page


def test_judges_are_not_called_good_before_enough_audits(client: Client, project: Project, owner: User) -> None:
    claims = make_disputed(project, make_judges(project), 7)
    rule(claims[0], owner)
    rule(claims[1], owner, is_audit=True)

    page = read(client, project)

    assert "Not yet: 1 audit ruling; about 30 are needed, or all 6 that there are to draw: 5 left." in page
    assert "hard cases, not overall accuracy" in page
    assert "Votes alone do not rank systems." in page


def test_a_ruling_is_listed_with_a_link_to_what_it_moved(client: Client, project: Project, owner: User) -> None:
    decision = rule(make_disputed(project, make_judges(project))[0], owner, "reject")

    page = read(client, project)

    assert "Not supported" in page
    assert f'<a href="{reverse("claim", args=[project.slug, decision.claim_id])}">{decision.claim.text}</a>' in page
    assert f'<a href="{reverse("moved", args=[project.slug, decision.pk])}">' in page


def test_details_are_left_out_until_asked_for(client: Client, project: Project) -> None:
    make_disputed(project, make_judges(project), 2)

    folded, opened = read(client, project), read(client, project, "?details=1")

    assert "Krippendorff" not in folded
    assert "Krippendorff" in opened
    assert 'data-figure="split-figure"' in opened
    assert '<script id="split-figure" type="application/json">' in opened


def test_details_of_the_method_are_for_owners(client: Client, project: Project) -> None:
    make_disputed(project, make_judges(project), 2)
    client.force_login(make_member(project).user)

    page = read(client, project, "?details=1")
    part = client.get(reverse("overview", args=[project.slug]), headers=FRAGMENT)

    assert "method-details" not in page
    assert "Krippendorff" not in page
    assert part.status_code == 403


def test_where_nothing_is_disputed_the_next_claim_is_an_audit(client: Client, project: Project) -> None:
    vote(make_claim(project), dict.fromkeys(make_judges(project), "accept"))

    page = read(client, project)

    assert f'href="{reverse("next-claim", args=[project.slug])}"' in page
    assert "Next claim, drawn at random (audit)" in page


def test_details_come_as_a_fragment_too(client: Client, project: Project) -> None:
    make_disputed(project, make_judges(project), 2)

    answer = client.get(reverse("overview", args=[project.slug]), headers=FRAGMENT)

    assert answer.content.decode().lstrip().startswith('<section class="card" id="method-details"')
    assert "HX-Request" in answer.headers["Vary"]


def test_agreement_without_variation_is_not_a_number(client: Client, project: Project) -> None:
    judges = make_judges(project)
    vote(make_claim(project), dict.fromkeys(judges, "accept"))

    page = read(client, project, "?details=1")

    assert "not defined: no variation" in page
    assert "n = 1" in page


def test_queries_do_not_grow_with_claims_or_rulings(
    client: Client, project: Project, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for claim in make_disputed(project, make_judges(project, 5), 12)[:9]:
        rule(claim, owner)

    with django_assert_max_num_queries(22):
        read(client, project)


def test_a_stranger_finds_no_project(client: Client, project: Project) -> None:
    client.force_login(make_user())

    answer = client.get(reverse("overview", args=[project.slug]))

    assert answer.status_code == 404


def test_a_fragment_after_the_session_ended_is_answered_401(project: Project) -> None:
    answer = Client().get(reverse("overview", args=[project.slug]), headers=FRAGMENT)

    assert answer.status_code == 401
