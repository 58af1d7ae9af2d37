from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from evaluation.models import Draw, Project
from tests import factories


@pytest.fixture
def signed_in(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def page(client: Client, project: Project, query: str = "") -> str:
    return client.get(reverse("queue", kwargs={"slug": project.slug}) + query).content.decode()


def test_it_lists_claims_with_split_answer_and_look_alikes(signed_in: Client, project: Project) -> None:
    claim = factories.make_disputed(project, factories.make_judges(project), n=3)[0]

    shown = page(signed_in, project)

    assert claim.text in shown
    assert "2 Supported · 1 Not supported" in shown
    assert "leans “Supported”" in shown
    assert 'aria-label="2 other claims with this split"' in shown
    assert "still settling (0 of 20)" in shown


def test_next_leads_to_the_same_claim_until_it_is_ruled_on(signed_in: Client, project: Project) -> None:
    factories.make_disputed(project, factories.make_judges(project), n=3)
    following = reverse("next-claim", kwargs={"slug": project.slug})

    first, second = signed_in.get(following), signed_in.get(following)

    assert first.headers["Location"] == second.headers["Location"]
    assert Draw.objects.count() == 1


def test_next_without_claims_says_that_nothing_is_left(signed_in: Client, project: Project) -> None:
    response = signed_in.get(reverse("next-claim", kwargs={"slug": project.slug}), follow=True)

    assert "Nothing is left to rule on" in response.content.decode()


@pytest.mark.parametrize(
    "query", ["?page=0", "?page=99", "?page=x", "?page=-1", "?split=x", "?split=9223372036854775808"]
)
def test_strange_addresses_show_a_page(signed_in: Client, project: Project, query: str) -> None:
    factories.make_disputed(project, factories.make_judges(project))

    assert "Next claim" in page(signed_in, project, query)


def test_each_empty_queue_names_the_next_step(signed_in: Client, project: Project, owner: User) -> None:
    without_claims = page(signed_in, project)
    claim = factories.make_claim(project)
    without_votes = page(signed_in, project)
    judges = factories.make_judges(project)
    factories.vote(claim, dict.fromkeys(judges, "accept"))
    without_disputes = page(signed_in, project)

    assert "There are no claims yet" in without_claims
    assert "No judge has voted yet" in without_votes
    assert "Nothing is disputed any more" in without_disputes


def test_thin_and_unjudged_claims_are_apart_with_a_way_to_run_again(signed_in: Client, project: Project) -> None:
    judges = factories.make_judges(project)
    factories.make_disputed(project, judges)
    factories.make_claim(project)
    factories.vote(factories.make_claim(project), {judges[0]: "accept"})

    shown = page(signed_in, project)

    assert "Not judged: 1" in shown
    assert "One vote only: 1" in shown
    assert shown.count("Run again") == 2


def test_a_hostile_tag_in_the_address_is_literal(signed_in: Client, project: Project) -> None:
    factories.make_disputed(project, factories.make_judges(project))

    shown = page(signed_in, project, "?tag=%3Cscript%3Ealert(1)%3C/script%3E")

    assert "<script>alert" not in shown
    assert "No open claim fits this filter" in shown
