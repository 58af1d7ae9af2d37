"""Work without a worker: runs until they have ended, and what follows from rulings."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from evaluation.errors import ConflictError
from evaluation.models import Job, Project, Proposal, Run
from evaluation.services import decisions, foreground, graph, judges, panel
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def judged(project: Project) -> Project:
    """One source, four claims of two answers, voted on by the offline panel and joined."""
    instance = factories.make_instance(project, sources=["The fridge holds 140 litres. The warranty lasts 24 months."])
    for text in ("The fridge holds 140 litres.", "The fridge holds 190 litres.", "The fridge holds 150 litres."):
        factories.make_claim(project, text, response=factories.make_response(instance), tags=["numbers and units"])
    judges.add_offline_panel(project=project)
    foreground.finish(run=panel.open_run(project=project, by=None))
    graph.build(project=project)
    return project


def test_a_run_is_worked_on_until_it_has_ended(project: Project) -> None:
    instance = factories.make_instance(project, sources=["The fridge holds 140 litres."])
    factories.make_claim(project, "It holds 140 litres.", response=factories.make_response(instance))
    judges.add_offline_panel(project=project)
    heard: list[int] = []

    run = foreground.finish(run=panel.open_run(project=project, by=None), said=lambda each: heard.append(each.pk))

    assert run.state == Run.State.DONE
    assert set(heard) == {run.pk}


def test_it_waits_for_a_job_that_another_worker_has(judged: Project) -> None:
    run = panel.open_run(project=judged, by=None, options=panel.RunOptions(again=True))
    held = run.jobs.first()
    assert held is not None
    Job.objects.filter(pk=held.pk).update(state=Job.State.LEASED, lease_until=timezone.now() + timedelta(hours=1))
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        Job.objects.filter(pk=held.pk).update(state=Job.State.DONE)

    ended = foreground.finish(run=run, pause=pause)

    assert (ended.state, len(pauses)) == (Run.State.DONE, 1)


def test_an_interrupt_stops_the_run(judged: Project) -> None:
    def interrupt(_: Run) -> None:
        raise KeyboardInterrupt

    run = panel.open_run(project=judged, by=None, options=panel.RunOptions(again=True))

    with pytest.raises(KeyboardInterrupt):
        foreground.finish(run=run, said=interrupt)

    run.refresh_from_db()
    assert run.state in (Run.State.STOPPED, Run.State.STOPPING)
    assert not run.jobs.filter(state=Job.State.WAITING).exists()


def test_a_ruling_brings_a_second_look_at_like_claims(judged: Project, owner: User) -> None:
    decision = factories.rule(judged.claims.all()[1], owner, "reject")

    found = foreground.follow_up(decision=decision)

    assert found.n_rulings == 1
    assert [run.kind for run in found.runs] == [Run.Kind.SECOND_LOOK]
    assert found.runs[0].jobs.filter(state=Job.State.DONE).exists()
    assert found.n_proposals == Proposal.objects.filter(decision=decision, state=Proposal.State.OPEN).count()
    assert foreground.not_followed_up(judged) == []


def test_nothing_follows_twice(judged: Project, owner: User) -> None:
    factories.rule(judged.claims.all()[1], owner, "reject")
    foreground.catch_up(project=judged)
    n_jobs = Job.objects.count()

    again = foreground.catch_up(project=judged)

    assert (again.runs, Job.objects.count()) == ((), n_jobs)


def test_nothing_follows_from_a_ruling_that_was_undone(judged: Project, owner: User) -> None:
    decision = factories.rule(judged.claims.all()[1], owner, "reject")
    decisions.undo(decision=decision, by=owner)

    with pytest.raises(ConflictError, match="undone"):
        foreground.follow_up(decision=decision)
