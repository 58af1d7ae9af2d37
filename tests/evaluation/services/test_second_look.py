"""Second looks: who is looked at again, with the ruling as precedent, and what a person may do with the result."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.errors import NotAllowedError
from evaluation.llm.local_server.reading import prompt_text
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import (
    Decision,
    Job,
    Judge,
    Outcome,
    Project,
    Proposal,
    Run,
    Verdict,
)
from evaluation.services import decisions, panel_worker, second_look
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def panel(project: Project, server: LocalServer) -> list[Judge]:
    """One judge that can be asked and two recorded ones."""
    return [factories.make_asked_judge(project, server.openai_url), *factories.make_judges(project, 2)]


def looked_at(decision: Decision) -> list[int]:
    run = second_look.queue(decision=decision)
    return [job.claims.get().pk for job in run.jobs.order_by("pk")] if run else []


def verdict_reply(label: str) -> Step:
    answer = {"claim": "1", "rationale": "Looked again.", "verdict": label, "confidence": None, "tags": []}
    return Step(answer={"verdicts": [answer]})


def test_it_looks_at_neighbours_in_the_instance_and_disputed_ones_elsewhere(
    project: Project, panel: list[Judge], owner: User
) -> None:
    focal, elsewhere = factories.make_disputed(project, panel, 2)
    inside = factories.make_claim(project, response=focal.response)
    agreed, ruled = factories.make_claim(project), factories.make_disputed(project, panel)[0]
    for claim in (inside, agreed):
        factories.vote(claim, dict.fromkeys(panel, "accept"))
    factories.rule(ruled, owner)
    factories.join(focal, {elsewhere: 0.9, inside: 0.6, agreed: 0.95, ruled: 0.99})

    targets = looked_at(factories.rule(focal, owner))

    assert targets == [elsewhere.pk, inside.pk]


def test_it_looks_at_no_more_claims_than_allowed(project: Project, panel: list[Judge], owner: User) -> None:
    project.parameters = {"neighbours": 3, "max_targets": 2}
    project.save()
    focal, *others = factories.make_disputed(project, panel, 6)
    factories.join(focal, {claim: 0.5 + place / 100 for place, claim in enumerate(others)})

    targets = looked_at(factories.rule(focal, owner))

    assert targets == [others[4].pk, others[3].pk]


def test_nothing_is_looked_at_without_a_judge_to_ask_or_a_neighbour(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    focal, other = factories.make_disputed(project, judges, 2)
    factories.join(focal, {other: 0.9})

    assert second_look.queue(decision=factories.rule(focal, owner)) is None

    factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    assert second_look.queue(decision=factories.rule(other, owner)) is None


def test_another_answer_is_proposed_and_never_counted_as_a_vote(
    project: Project, panel: list[Judge], owner: User, server: LocalServer
) -> None:
    focal, other, same = factories.make_disputed(project, panel, 3)
    factories.join(focal, {other: 0.9, same: 0.8})
    server.script(verdict_reply("reject"), verdict_reply("accept"))
    decision = factories.rule(focal, owner, "accept")
    run = second_look.queue(decision=decision)
    assert run is not None

    panel_worker.drive(run_id=run.pk, concurrency=1)

    proposal = Proposal.objects.get()
    assert (proposal.claim, proposal.before_label, proposal.label, proposal.state) == (
        other,
        "accept",
        "reject",
        "open",
    )
    assert proposal.verdict.purpose == Verdict.Purpose.REVIEW
    assert not proposal.verdict.is_current
    assert Outcome.objects.get(claim=other).pattern.n_cast == 3
    assert focal.text in prompt_text(server.received[0].body)


def test_an_answer_that_came_after_a_ruling_on_the_claim_is_not_proposed(
    project: Project, panel: list[Judge], owner: User, server: LocalServer
) -> None:
    focal, other = factories.make_disputed(project, panel, 2)
    factories.join(focal, {other: 0.9})
    server.script(verdict_reply("reject"))
    run = second_look.queue(decision=factories.rule(focal, owner, "accept"))
    assert run is not None
    factories.rule(other, owner, "accept")

    panel_worker.drive(run_id=run.pk)

    assert not Proposal.objects.exists()
    assert Verdict.objects.filter(purpose="review").count() == 1


def test_an_undone_ruling_takes_its_second_look_back(
    project: Project, panel: list[Judge], owner: User, server: LocalServer
) -> None:
    focal, other = factories.make_disputed(project, panel, 2)
    factories.join(focal, {other: 0.9})
    decision = factories.rule(focal, owner, "accept")
    run = second_look.queue(decision=decision)
    assert run is not None

    decisions.undo(decision=decision, by=owner)
    ended = panel_worker.drive(run_id=run.pk)

    assert server.received == []
    assert ended.state == "done"
    assert list(run.jobs.values_list("state", flat=True)) == ["cancelled"]


def test_one_claim_can_be_asked_about(project: Project, panel: list[Judge], owner: User, server: LocalServer) -> None:
    (claim,) = factories.make_disputed(project, panel)
    server.script(verdict_reply("reject"))

    run = second_look.ask_about(claim=claim, by=owner)
    panel_worker.drive(run_id=run.pk)

    verdict = Verdict.objects.get(purpose="review")
    assert (verdict.claim, verdict.judge, verdict.label) == (claim, panel[0], "reject")
    assert not Proposal.objects.exists()


def test_a_second_opinion_queues_one_look_by_the_best_judge(project: Project, owner: User) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    claim = factories.make_claim(project)

    run = second_look.ask_about(claim=claim, by=owner)

    job = run.jobs.get()
    assert (run.kind, run.state, run.started_by) == (Run.Kind.SECOND_LOOK, Run.State.QUEUED, owner)
    assert (job.task, job.judge, job.decision, list(job.claims.all())) == (Job.Task.REVIEW, judge, None, [claim])


def test_a_second_opinion_is_refused_where_votes_are_recorded(project: Project, owner: User) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))

    with pytest.raises(NotAllowedError, match="Add a judge that can be asked"):
        second_look.ask_about(claim=claim, by=owner)

    assert not Run.objects.filter(kind=Run.Kind.SECOND_LOOK).exists()


def test_a_second_click_asks_for_no_second_opinion(project: Project, panel: list[Judge], owner: User) -> None:
    claim, other = factories.make_disputed(project, panel, n=2)

    first, again = (second_look.ask_about(claim=claim, by=owner) for _ in range(2))

    assert first == again
    assert second_look.ask_about(claim=other, by=owner) != first
