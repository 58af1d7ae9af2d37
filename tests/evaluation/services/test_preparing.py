"""Jobs become questions; what was answered before is not asked again."""

from __future__ import annotations

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Claim, Job, Judge, Project, Verdict
from evaluation.services import jobs, keys, panel, panel_worker, purses
from evaluation.services.panel import RunOptions
from evaluation.services.preparing import Preparing
from tests import factories

pytestmark = pytest.mark.django_db

ONCE, AGAIN = RunOptions(), RunOptions(again=True)


@pytest.fixture
def claim(project: Project, server: LocalServer) -> Claim:
    factories.make_asked_judge(project, server.openai_url)
    return factories.make_claim(project, "The fridge is loud.")


def judged(project: Project, options: RunOptions = ONCE) -> list[tuple[str, int | None, int | None]]:
    """Runs the panel; returns state, source and cost of the run's calls."""
    run = panel_worker.drive(run_id=panel.open_run(project=project, by=None, options=options).pk)
    return list(Call.objects.filter(job__run=run).values_list("state", "source", "cost_micros"))


def test_the_same_question_is_answered_from_the_ledger_with_the_whole_vote(
    project: Project, claim: Claim, server: LocalServer
) -> None:
    judged(project)
    first = claim.verdicts.get()

    reused = judged(project, AGAIN)

    second = claim.verdicts.latest("pk")
    assert len(server.received) == 1
    assert reused == [("answered", first.call_id, 0)]
    assert (second.label, second.rationale, second.is_current) == (first.label, first.rationale, True)
    assert second.run_id != first.run_id


@pytest.mark.parametrize("changes", [{"parameters": {"max_tokens": 2000}}, {"model": "other"}])
def test_a_changed_judge_is_asked_anew(
    project: Project, claim: Claim, server: LocalServer, changes: dict[str, object]
) -> None:
    judged(project)
    Judge.objects.update(**changes)

    judged(project, AGAIN)

    assert len(server.received) == 2


def test_an_unusable_reply_is_asked_for_anew(project: Project, claim: Claim, server: LocalServer) -> None:
    judged(project)
    Call.objects.update(is_usable=False)

    judged(project, AGAIN)

    assert len(server.received) == 2


def test_jobs_of_a_judge_that_may_not_see_the_text_have_ended(project: Project, claim: Claim) -> None:
    run = panel.open_run(project=project, by=None)
    run.project.allowed_providers = []
    preparing = Preparing(run, purses.of_run(run))

    prepared = preparing.prepare(jobs.lease(run, 5))

    assert prepared.questions == []
    assert "may not see this project's text" in str(prepared.ended[0].error)


def test_offline_judges_cost_nothing_and_are_not_looked_up(project: Project) -> None:
    factories.make_judges(project, 1, provider="offline")
    Judge.objects.update(model="words")
    factories.make_claim(project)
    judged(project)

    assert judged(project, AGAIN) == [("answered", None, 0)]
    assert Verdict.objects.count() == 2
    assert Job.objects.filter(state="done").count() == 2


def test_a_judge_whose_key_was_changed_is_asked_with_the_new_one(
    project: Project, claim: Claim, server: LocalServer
) -> None:
    factories.make_claim(project)
    run = panel.open_run(project=project, by=None)
    preparing = Preparing(run, [])

    (first,) = preparing.prepare(jobs.lease(run, 1)).questions
    Judge.objects.update(encrypted_key=keys.seal("another key"))
    (second,) = preparing.prepare(jobs.lease(run, 1)).questions

    assert first.model is not second.model


def test_a_judge_that_is_stopped_is_not_even_prepared_for(project: Project, claim: Claim, server: LocalServer) -> None:
    run = panel.open_run(project=project, by=None)
    preparing = Preparing(run, [])
    error = LLMError("No credit.", reason="auth", stops_judge=True)
    preparing.stopped[project.judges.get().pk] = error

    prepared = preparing.prepare(jobs.lease(run, 1))

    assert (prepared.questions, prepared.ended[0].error) == ([], error)
