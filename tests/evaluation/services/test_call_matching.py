"""Ledger and server compared: agreement is told apart from every way in which they can differ."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluation.llm.local_server.journal import Entry
from evaluation.llm.local_server.reading import digest_of_text
from evaluation.models import Call, Job, Project, Run
from evaluation.services import call_matching
from evaluation.services.jobs import judge_of
from tests import factories

pytestmark = pytest.mark.django_db

TEXT = "The fridge is loud."
ANSWERED = {"state": "answered", "finish_reason": "stop", "input_tokens": 10, "output_tokens": 5}
LIMITED = {"state": "failed", "reason": "rate_limit"}
LOST = {"state": "unconfirmed"}


@pytest.fixture
def job(project: Project) -> Job:
    """A step that asks one judge about one claim."""
    claim = factories.make_claim(project, TEXT)
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    job = Job.objects.create(run=factories.make_run(project), key="k", task=Job.Task.JUDGE, judge=judge)
    job.claims.set([claim])
    return job


def differing(job: Job, calls: Sequence[dict[str, object]], done: Sequence[str], text: str = TEXT) -> list[str]:
    for number, fields in enumerate(calls, start=1):
        Call.objects.create(job=job, judge=judge_of(job), attempt=number, cache_key="k", **fields)
    log = [
        Entry(number, 0.0, "/v1/messages", "m", "d", (digest_of_text(text),), each, 200, 10, 5)
        for number, each in enumerate(done, start=1)
    ]
    return call_matching.disagreements(calls=call_matching.calls_of(job.run), log=log)


@pytest.mark.parametrize(
    ("calls", "done"),
    [
        ([], []),
        ([ANSWERED], ["answered"]),
        ([LIMITED, ANSWERED], ["rate_limited", "answered"]),
        ([{**ANSWERED, "finish_reason": "length"}, ANSWERED], ["truncated", "answered"]),
        ([{**ANSWERED, "finish_reason": "refused"}], ["refused"]),
        ([ANSWERED, ANSWERED], ["wrong_shape", "malformed_text"]),
        ([{"state": "failed", "reason": "server"}] * 2 + [ANSWERED], ["cut", "malformed_body", "answered"]),
        ([LOST, ANSWERED], ["answered", "answered"]),
        ([LOST, ANSWERED], ["answered"]),
        ([LIMITED, LOST, LOST, ANSWERED], ["rate_limited", "cut", "answered"]),
        ([{"state": "sent"}], []),
    ],
)
def test_they_agree(job: Job, calls: Sequence[dict[str, object]], done: Sequence[str]) -> None:
    assert differing(job, calls, done) == []


@pytest.mark.parametrize(
    ("calls", "done"),
    [
        ([ANSWERED], []),
        ([], ["answered"]),
        ([ANSWERED], ["answered", "answered"]),
        ([ANSWERED, LIMITED], ["rate_limited", "answered"]),
        ([ANSWERED], ["truncated"]),
        ([ANSWERED], ["rate_limited"]),
        ([LIMITED], ["answered"]),
        ([LIMITED], ["cut"]),
        ([{**ANSWERED, "output_tokens": 6}], ["answered"]),
        ([LOST, ANSWERED], ["answered", "answered", "answered"]),
    ],
)
def test_they_differ(job: Job, calls: Sequence[dict[str, object]], done: Sequence[str]) -> None:
    (sentence,) = differing(job, calls, done)

    assert sentence.startswith(f"m, {digest_of_text(TEXT)}: the ledger has ")


def test_another_text_is_another_call(job: Job) -> None:
    assert len(differing(job, [ANSWERED], ["answered"], text="The fridge is quiet.")) == 2


def test_what_was_answered_from_the_ledger_was_not_sent(job: Job) -> None:
    first = Call.objects.create(job=job, judge=judge_of(job), attempt=1, cache_key="k", **ANSWERED)
    again = Run.objects.create(project=job.run.project, kind=Run.Kind.IMPORT)
    reusing = Job.objects.create(run=again, key="k", task=Job.Task.JUDGE, judge=job.judge)
    Call.objects.create(job=reusing, judge=judge_of(job), attempt=1, cache_key="k", source=first, **ANSWERED)

    assert list(call_matching.calls_of(again)) == []


def test_cutting_is_about_the_response(job: Job) -> None:
    response = job.claims.get().response
    Job.objects.filter(pk=job.pk).update(task=Job.Task.DECOMPOSE, response=response)

    assert differing(job, [ANSWERED], ["answered"], text=response.text) == []
