"""A worker that dies in the middle: no answered call is repeated, and one that was only sent is asked once more."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.pricing import FREE
from evaluation.llm.protocol import ChatReply
from evaluation.models import Call, Claim, Job, Project, Run, Verdict
from evaluation.services import askings, jobs, ledger, panel, panel_worker
from evaluation.services.ledger import Came, Sending
from evaluation.services.purses import Emptied
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with LocalServer() as running:
        yield running


@pytest.fixture
def claim(project: Project, server: LocalServer) -> Claim:
    """A claim that one judge at the server is to vote on."""
    factories.make_asked_judge(project, server.openai_url)
    return factories.make_claim(project, "The fridge is loud.")


def leased_with_call(project: Project, reply: str | None) -> Job:
    """A job whose worker died: its call was answered with `reply`, or only sent."""
    run = panel.open_run(project=project, by=None)
    (job,) = jobs.lease(run, 1)
    call = send(job, attempt=1)
    if reply is not None:
        ledger.keep(came=[Came(call, ChatReply(text=reply, model="m"), FREE)], drawn_on=[])
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    return job


def send(job: Job, attempt: int) -> Call:
    key = askings.prepare(job).cache_key
    written = ledger.write_sent(sending=[Sending(job, jobs.judge_of(job), key, attempt, 0)], drawn_on=[])
    assert not isinstance(written, Emptied)
    return written[0]


def test_an_answered_call_is_never_repeated_after_a_crash(project: Project, claim: Claim, server: LocalServer) -> None:
    reply = '{"verdicts": [{"claim": "1", "rationale": "Said before.", "verdict": "reject", "confidence": 0.9}]}'
    job = leased_with_call(project, reply)

    run = panel_worker.drive(run_id=job.run_id)

    assert server.received == []
    verdict = claim.verdicts.get()
    assert (verdict.label, verdict.rationale, verdict.call) == ("reject", "Said before.", job.calls.get())
    assert run.state == Run.State.DONE


def test_an_unusable_answer_kept_from_before_a_crash_is_asked_about_once(
    project: Project, claim: Claim, server: LocalServer
) -> None:
    job = leased_with_call(project, "I would rather not say.")

    panel_worker.drive(run_id=job.run_id)

    assert len(server.received) == 1
    assert claim.verdicts.get().state == Verdict.State.CAST
    assert list(job.calls.values_list("state", "attempt")) == [("answered", 1), ("answered", 2)]


def test_a_call_found_sent_is_unconfirmed_and_asked_once_more(
    project: Project, claim: Claim, server: LocalServer
) -> None:
    job = leased_with_call(project, None)

    panel_worker.drive(run_id=job.run_id)

    assert len(server.received) == 1
    assert list(job.calls.values_list("state", "attempt")) == [("unconfirmed", 1), ("answered", 2)]
    assert claim.verdicts.get().state == Verdict.State.CAST


def test_a_call_left_unanswered_by_ten_crashes_is_given_up(project: Project, claim: Claim, server: LocalServer) -> None:
    job = leased_with_call(project, None)
    for attempt in range(2, ledger.MAX_UNCONFIRMED + 1):
        send(job, attempt=attempt)

    run = panel_worker.drive(run_id=job.run_id)

    assert server.received == []
    assert claim.verdicts.values_list("state", "failure_reason").get() == ("failed", "server")
    assert run.state == Run.State.FAILED
