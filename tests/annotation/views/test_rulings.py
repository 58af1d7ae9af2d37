from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from evaluation.models import Decision, Outcome, PatternMove, Project, Undo
from tests import factories


@pytest.fixture
def decision(client: Client, owner: User, project: Project) -> Decision:
    """A ruling that settled two ties; the owner is signed in."""
    client.force_login(owner)
    judges = factories.make_judges(project, 2)
    claims = [factories.make_claim(project) for _ in range(3)]
    for claim in claims:
        factories.vote(claim, {judges[0]: "accept", judges[1]: "reject"})
    return factories.rule(claims[0], owner, "reject")


def address(name: str, decision: Decision) -> str:
    return reverse(name, kwargs={"slug": decision.project.slug, "decision_id": decision.pk})


def test_it_says_the_cause_and_what_moved(client: Client, decision: Decision) -> None:
    page = client.get(address("moved", decision)).content.decode()

    assert "sided with you (now 1 of 1)" in page
    assert "Two claims on which exactly this judge stood against one now lean “Not supported”." in page
    assert "Current answers that moved: 2" in page
    assert "lost. So “Not supported” is ahead now.</td>" in page


def test_claims_behind_a_row_open_as_a_page_and_as_a_part(client: Client, decision: Decision) -> None:
    move = PatternMove.objects.get()
    query = f"?move={move.pk}"

    page = client.get(address("moved", decision) + query).content.decode()
    part = client.get(
        address("moved", decision) + query + "&part=move", headers={"HX-Request": "true"}
    ).content.decode()

    assert page.count("/claims/") > part.count("/claims/") == 2
    assert "<html" not in part


def test_undo_opens_the_claim_again(client: Client, decision: Decision) -> None:
    response = client.post(address("undo", decision), follow=True)

    assert "The ruling is undone" in response.content.decode()
    assert Outcome.objects.get(claim=decision.claim).source == "panel"


def test_a_second_undo_is_refused_in_words(client: Client, decision: Decision) -> None:
    client.post(address("undo", decision))

    response = client.post(address("undo", decision), follow=True)

    assert "undone already" in response.content.decode()
    assert Undo.objects.count() == 1


def test_an_expert_may_not_undo_a_colleagues_ruling_and_an_owner_may(client: Client, decision: Decision) -> None:
    client.force_login(factories.make_member(decision.project).user)

    refused = client.post(address("undo", decision))

    assert refused.status_code == 403
    assert not Undo.objects.exists()


def test_undo_needs_a_post(client: Client, decision: Decision) -> None:
    assert client.get(address("undo", decision)).status_code == 405


def test_a_move_of_another_ruling_is_not_found(client: Client, decision: Decision) -> None:
    assert client.get(address("moved", decision) + "?move=999").status_code == 404


def test_an_undone_ruling_is_shown_as_a_record(client: Client, decision: Decision) -> None:
    client.post(address("undo", decision))

    page = client.get(address("moved", decision)).content.decode()

    assert "This ruling was undone by Tom" in page
    assert "Undo this ruling" not in page
