"""A panel of three of which two send what is no answer: their votes fail with the reason, nothing is made up (pc03)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import JsonObject
from evaluation.models import Call, Claim, Job, Outcome, Project, Run, Verdict
from evaluation.schemas import OutcomeState
from evaluation.selectors.apart import Kind, apart
from evaluation.services import judges, panel, panel_worker
from evaluation.services.judges import NewJudge
from tests import factories

pytestmark = pytest.mark.django_db

MAX_TOKENS = 300


@pytest.fixture
def replies(shared: Path) -> list[JsonObject]:
    listed = json.loads((shared / "cases" / "peer_cases.json").read_text(encoding="utf-8"))
    (case,) = (each for each in listed if each["id"] == "pc03-judge-truncated-or-array")
    found: list[JsonObject] = case["input"]["replies"]
    return found


@pytest.fixture
def servers(replies: list[JsonObject]) -> Iterator[list[LocalServer]]:
    """One for each judge of the case; the two bad replies are sent both times they are asked for."""
    with ExitStack() as stack:
        started = [stack.enter_context(LocalServer()) for _ in replies]
        for server, reply in zip(started[:2], replies, strict=False):
            server.script(*[Step(text=reply["text"], finish=reply["finish_reason"])] * 2)
        yield started


@pytest.fixture
def claims(project: Project, servers: list[LocalServer]) -> list[Claim]:
    """Two claims for the three judges, which are asked about one after the other."""
    for name, server in zip(("j1", "j2", "j3"), servers, strict=True):
        parameters = {"max_tokens": MAX_TOKENS, "max_concurrency": 1}
        judges.add(
            project=project,
            new=NewJudge(
                name, "openai_chat", "m", base_url=server.openai_url, parameters=parameters, may_see_text=True
            ),
        )
    return [factories.make_claim(project) for _ in range(2)]


def test_pc03_two_judges_that_send_no_answer_leave_a_thin_panel_and_the_others_go_on(
    project: Project, claims: list[Claim], servers: list[LocalServer]
) -> None:
    run = panel.open_run(project=project, by=None)

    ended = panel_worker.drive(run_id=run.pk)

    votes = Verdict.objects.filter(claim=claims[0]).order_by("judge__name")
    said = [(vote.state, vote.failure_reason, bool(vote.label)) for vote in votes]
    assert said == [("failed", "truncated", False), ("failed", "shape", False), ("cast", "", True)]
    assert [len(server.received) for server in servers] == [3, 3, 2]
    outcome = Outcome.objects.get(claim=claims[0])
    assert (outcome.state, outcome.label) == (OutcomeState.THIN, votes[2].label)
    assert [row.claim_id for row in apart(project, Kind.THIN, limit=5).rows] == [claims[0].pk]
    assert ended.state == Run.State.DONE
    assert Verdict.objects.filter(claim=claims[1], state="cast").count() == 3


def test_pc03_the_raw_replies_are_kept_and_the_limit_of_tokens_is_named(
    project: Project, claims: list[Claim], replies: list[JsonObject]
) -> None:
    panel_worker.drive(run_id=panel.open_run(project=project, by=None).pk)

    for name, reply in zip(("j1", "j2"), replies, strict=False):
        kept = Call.objects.filter(judge__name=name, job__claims=claims[0])
        assert set(kept.values_list("raw_reply", "is_usable")) == {(reply["text"], False)}
    assert f"limit of {MAX_TOKENS} tokens: raise the judge's longest reply" in Job.objects.get(reason="truncated").error
