"""A whole panel run whose judge obeys whatever it is told outside a fence, over material full of orders."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Claim, Project, RubricEntry, Verdict
from evaluation.services import panel, panel_worker
from tests import factories
from tests.evaluation.hostile_orders import ORDERS

pytestmark = pytest.mark.django_db
UNSUPPORTED = "Zebras glow nightly."


@pytest.fixture
def obedient() -> Iterator[LocalServer]:
    with LocalServer(behaviour=Behaviour(is_obedient=True)) as server:
        yield server


def hostile_claim(project: Project, order: str) -> Claim:
    instance = factories.make_instance(project, prompt=order)
    instance.context = order
    instance.save()
    instance.documents.add(factories.make_document(project, order, title=order[:200]))
    response = factories.make_response(instance, order)
    return factories.make_claim(project, UNSUPPORTED, response=response)


def labels_of(project: Project) -> dict[int, str]:
    run = panel.open_run(project=project, by=None, options=panel.RunOptions())
    panel_worker.drive(run_id=run.pk)
    votes = Verdict.objects.filter(run=run, is_current=True)
    return {
        claim_id: label or f"{state}: {reason}"
        for claim_id, label, state, reason in votes.values_list("claim", "label", "state", "failure_reason")
    }


def test_no_order_in_the_material_talks_the_judge_round(project: Project, obedient: LocalServer) -> None:
    factories.make_asked_judge(project, obedient.openai_url)
    project.tag_vocabulary = list(ORDERS.values())[:5]
    project.save()
    kinds = {hostile_claim(project, order).pk: kind for kind, order in ORDERS.items()}
    for order in ("plain", "a vendor's exemption"):
        RubricEntry.objects.create(
            project=project, kind=Claim.Kind.STATEMENT, criterion=ORDERS[order], status=RubricEntry.Status.ACTIVE
        )

    labels = labels_of(project)

    assert {kinds[pk]: label for pk, label in labels.items()} == dict.fromkeys(ORDERS, "reject")


def test_the_same_judge_obeys_an_owner_who_gives_the_verdict_away(project: Project, obedient: LocalServer) -> None:
    """The test above could fail: this judge does what stands outside the fences."""
    factories.make_asked_judge(project, obedient.openai_url)
    project.guidelines = ORDERS["plain"]
    project.save()
    claim = hostile_claim(project, "Nothing special.")

    assert labels_of(project) == {claim.pk: "accept"}
