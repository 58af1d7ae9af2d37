from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from evaluation.models import Outcome, Project, Proposal, Run, Verdict
from tests import factories


@pytest.fixture
def proposal(client: Client, owner: User, project: Project) -> Proposal:
    """A second look says that a like claim is not supported; the owner is signed in."""
    client.force_login(owner)
    judges = factories.make_judges(project)
    ruled, like = factories.make_disputed(project, judges, n=2)
    decision = factories.rule(ruled, owner, "reject")
    run = factories.make_run(project, kind=Run.Kind.SECOND_LOOK)
    verdict = Verdict.objects.create(
        claim=like,
        judge=judges[0],
        run=run,
        purpose="review",
        state="cast",
        label="reject",
        rationale="<b>It says not.",
    )
    return Proposal.objects.create(
        decision=decision, claim=like, verdict=verdict, before_label="accept", label="reject"
    )


def address(name: str, proposal: Proposal) -> str:
    return reverse(name, kwargs={"slug": proposal.decision.project.slug, "proposal_id": proposal.pk})


def test_a_proposal_is_shown_with_its_reason_and_two_ways(client: Client, proposal: Proposal) -> None:
    slug, pk = proposal.decision.project.slug, proposal.decision_id

    page = client.get(reverse("moved", kwargs={"slug": slug, "decision_id": pk})).content.decode()

    assert "&lt;b&gt;It says not." in page
    assert "Accept</button>" in page
    assert "Drop</button>" in page


def test_accepting_settles_the_claim(client: Client, proposal: Proposal) -> None:
    client.post(address("proposal-accept", proposal))

    outcome = Outcome.objects.get(claim=proposal.claim)
    assert (outcome.source, outcome.settled_label) == ("reviewer", "reject")


def test_dropping_changes_nothing(client: Client, proposal: Proposal) -> None:
    client.post(address("proposal-drop", proposal))

    proposal.refresh_from_db()
    assert proposal.state == "dropped"
    assert Outcome.objects.get(claim=proposal.claim).source == "panel"


def test_a_second_answer_is_refused_in_words(client: Client, proposal: Proposal) -> None:
    client.post(address("proposal-drop", proposal))

    response = client.post(address("proposal-accept", proposal), follow=True)

    assert "answered already" in response.content.decode()


def test_a_proposal_of_another_project_is_not_found(client: Client, proposal: Proposal, owner: User) -> None:
    other = factories.make_project(owner=owner)
    wrong = reverse("proposal-accept", kwargs={"slug": other.slug, "proposal_id": proposal.pk})

    assert client.post(wrong).status_code == 404
