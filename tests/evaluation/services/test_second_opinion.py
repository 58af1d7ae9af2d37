"""Asking for an AI second opinion on one claim."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.errors import NotAllowedError
from evaluation.models import Job, Project, Run
from evaluation.services import second_opinion
from tests import factories

pytestmark = pytest.mark.django_db


def test_it_queues_one_look_by_the_best_judge(project: Project, owner: User) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    claim = factories.make_claim(project)

    run = second_opinion.ask(claim=claim, by=owner)

    job = run.jobs.get()
    assert (run.kind, run.state, run.started_by) == (Run.Kind.SECOND_LOOK, Run.State.QUEUED, owner)
    assert (job.task, job.judge, job.decision, list(job.claims.all())) == (Job.Task.REVIEW, judge, None, [claim])


def test_it_is_refused_where_votes_are_recorded(project: Project, owner: User) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))

    with pytest.raises(NotAllowedError, match="Add a judge that can be asked"):
        second_opinion.ask(claim=claim, by=owner)

    assert not Run.objects.filter(kind=Run.Kind.SECOND_LOOK).exists()
