"""A whole panel run in which names, addresses and numbers are replaced before anything is sent."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User

from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Claim, Project, Verdict
from evaluation.schemas import PrivacyRules
from evaluation.services import judges, panel, panel_worker, privacy
from tests import factories

pytestmark = pytest.mark.django_db
PRIVATE = ("Ana Weber", "ana@larkhaven.example", "+49 30 1234567", "Otter")
TEXT = "Ana Weber answers at ana@larkhaven.example or +49 30 1234567. Dr Otter releases the fridge."


@pytest.fixture
def masking(project: Project, owner: User) -> Project:
    rules = PrivacyRules(emails=True, phones=True, titles=True, names=("Ana Weber",))
    return privacy.set_rules(project=project, by=owner, rules=rules)


def run_panel(project: Project) -> None:
    run = panel.open_run(project=project, by=None, options=panel.RunOptions())
    panel_worker.drive(run_id=run.pk)


def test_nothing_private_is_sent_and_everything_kept_is_the_original(masking: Project, server: LocalServer) -> None:
    factories.make_asked_judge(masking, server.openai_url)
    instance = factories.make_instance(masking, sources=[TEXT], prompt="Whom does Ana Weber call?")
    response = factories.make_response(instance, TEXT)

    run_panel(masking)

    sent = "\n".join(json.dumps(received.body, ensure_ascii=False) for received in server.received)
    assert "[name 1]" in sent
    assert [each for each in PRIVATE if each in sent] == []
    claims = list(Claim.objects.filter(response=response).order_by("position"))
    assert [claim.text for claim in claims] == TEXT.replace(". Dr", ".\nDr").splitlines()
    assert [response.text[claim.span_start : claim.span_end] for claim in claims] == [claim.text for claim in claims]
    assert all("[" not in verdict.rationale for verdict in Verdict.objects.filter(claim__in=claims))
    assert "[name 1]" in Call.objects.order_by("pk")[0].raw_reply


def test_the_checkers_of_this_installation_read_the_originals(masking: Project, server: LocalServer) -> None:
    factories.make_asked_judge(masking, server.openai_url)
    offline = judges.add_offline_panel(project=masking)[0]
    claim = factories.make_claim(
        masking,
        "Ana Weber answers.",
        response=factories.make_response(factories.make_instance(masking, sources=[TEXT])),
    )

    run_panel(masking)

    assert claim.verdicts.get(judge=offline, is_current=True).label == "accept"
    assert all("Ana Weber" not in json.dumps(received.body) for received in server.received)
