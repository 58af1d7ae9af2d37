"""What tests and trials leave behind is kept with the job, and never as a vote."""

from __future__ import annotations

import pytest

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Claim, Job, Judge, Project, Run, Verdict
from evaluation.services import panel_worker
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(project: Project, server: LocalServer) -> Judge:
    return factories.make_asked_judge(project, server.openai_url)


def asked(judge: Judge, claims: list[Claim], task: str) -> dict[str, object]:
    """Ask in a run of its own and return what the job keeps."""
    run = factories.make_run(judge.project, kind=task, state=Run.State.QUEUED)
    job = Job.objects.create(run=run, task=task, key="one", judge=judge, response=claims[0].response)
    job.claims.set(claims)
    panel_worker.drive(run_id=run.pk)
    job.refresh_from_db()
    assert isinstance(job.result, dict)
    return job.result


def claims_of_one_response(project: Project, n: int) -> list[Claim]:
    first = factories.make_claim(project)
    return [first, *(factories.make_claim(project, response=first.response) for _ in range(n - 1))]


def test_a_test_keeps_what_was_sent_what_came_and_what_was_read(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    (claim,) = claims_of_one_response(project, 1)
    reply = '```json\n{"verdicts": [{"claim": "1", "rationale": "So.", "verdict": "reject", "confidence": 0.5,}]}\n```'
    server.script(Step(text=reply))

    result = asked(judge, [claim], Run.Kind.TEST)

    request, verdicts = result["request"], result["verdicts"]
    assert isinstance(request, list)
    assert isinstance(verdicts, list)
    assert [turn["role"] for turn in request] == ["system", "user"]
    assert claim.text in request[1]["text"]
    assert result["raw_reply"] == reply
    assert [(each["claim"], each["label"], each["confidence"]) for each in verdicts] == [(claim.pk, "reject", 0.5)]
    assert not Verdict.objects.exists()


def test_a_test_asks_anew_every_time(project: Project, judge: Judge, server: LocalServer) -> None:
    claims = claims_of_one_response(project, 1)

    for _ in range(2):
        asked(judge, claims, Run.Kind.TEST)

    assert len(server.received) == 2


def test_a_trial_keeps_a_label_for_every_claim_and_none_where_none_came(
    project: Project, judge: Judge, server: LocalServer
) -> None:
    claims = claims_of_one_response(project, 2)
    server.script(Step(answer={"verdicts": [{"claim": "2", "rationale": "So.", "verdict": "accept", "tags": []}]}))

    result = asked(judge, claims, Run.Kind.TRIAL)

    assert result == {"labels": {str(claims[0].pk): "", str(claims[1].pk): "accept"}}
    assert not Verdict.objects.exists()
