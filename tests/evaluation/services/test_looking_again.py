"""A reviewer's answer becomes a proposal only where it differs from what the panel says."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Job, Judge, Project, Proposal, Verdict
from evaluation.services import looking_again
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(project: Project) -> Judge:
    return factories.make_judges(project, 1, provider="openai_chat")[0]


def reviewed(project: Project, owner: User, judge: Judge, label: str, *, state: str = "cast") -> Job:
    """A job that looked again at a claim on which the judge voted accept, after a ruling on another one."""
    ruled, looked_at = factories.make_claim(project), factories.make_claim(project)
    for claim in (ruled, looked_at):
        factories.vote(claim, {judge: "accept"})
    decision = factories.rule(ruled, owner, "accept")
    run = factories.make_run(project, kind="second_look")
    job = Job.objects.create(run=run, task="review", key="r", judge=judge, decision=decision)
    Verdict.objects.create(claim=looked_at, judge=judge, run=run, purpose="review", state=state, label=label)
    return job


@pytest.mark.parametrize(("label", "state", "n"), [("reject", "cast", 1), ("accept", "cast", 0), ("", "failed", 0)])
def test_only_another_answer_is_proposed_once(
    project: Project, owner: User, judge: Judge, label: str, state: str, n: int
) -> None:
    job = reviewed(project, owner, judge, label, state=state)

    for _ in range(2):
        looking_again.propose(job, job.run.verdicts.all())

    assert Proposal.objects.count() == n


def test_an_offline_judge_that_repeats_its_vote_proposes_nothing(project: Project, owner: User, judge: Judge) -> None:
    job = reviewed(project, owner, judge, "reject")
    Judge.objects.update(provider="offline")
    Verdict.objects.filter(purpose="vote").update(label="reject")

    looking_again.propose(job, Verdict.objects.filter(purpose="review"))

    assert not Proposal.objects.exists()


def test_a_second_opinion_that_follows_from_no_ruling_proposes_nothing(
    project: Project, owner: User, judge: Judge
) -> None:
    job = reviewed(project, owner, judge, "reject")
    job.decision = None

    looking_again.propose(job, job.run.verdicts.all())

    assert not Proposal.objects.exists()
