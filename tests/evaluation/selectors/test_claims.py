from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import Claim, Decision, Job, Project, Response, Run, Verdict
from evaluation.selectors.answers import reader
from evaluation.selectors.claims import ClaimPage, claim_page, open_draw, visible_claims
from evaluation.services import decisions
from tests import factories


def read(project: Project, user: User, claim: Claim) -> ClaimPage:
    fresh = visible_claims(project).get(pk=claim.pk)
    return claim_page(reader(project, user.pk), fresh, open_draw(fresh, user.pk))


def response(project: Project, text: str = "One. Two.", *, sources: tuple[str, ...] = ("One is so.",)) -> Response:
    return factories.make_response(factories.make_instance(project, sources=sources), text, system="Birch")


def test_names_of_judges_and_system_are_hidden_until_this_person_ruled(project: Project, owner: User) -> None:
    claim = factories.make_disputed(project, factories.make_judges(project), response=response(project))[0]
    bea = factories.make_member(project).user
    before = read(project, owner, claim)
    factories.rule(claim, owner, "reject")

    after, to_bea = read(project, owner, claim), read(project, bea, claim)

    assert (before.names_shown, before.system) == (False, "")
    assert (after.names_shown, after.system, after.own_words) == (True, "Birch", "Not supported")
    assert (to_bea.names_shown, to_bea.system, to_bea.ruled_by) == (False, "", "Tom")


def test_the_owner_may_let_judge_names_be_seen_but_never_the_system(project: Project, owner: User) -> None:
    project.parameters = {"show_judge_names": True}
    claim = factories.make_disputed(project, factories.make_judges(project), response=response(project))[0]

    page = read(project, owner, claim)

    assert page.names_shown
    assert page.system == ""


def test_without_sources_the_question_asks_for_the_experts_knowledge(project: Project, owner: User) -> None:
    bare = factories.make_claim(project, response=response(project, sources=()))
    sourced = factories.make_claim(project, response=response(project))

    assert read(project, owner, bare).question == "Is this right, to your knowledge?"
    assert read(project, owner, sourced).question == "Do the sources support this?"


def test_why_you_counts_look_alikes_and_is_silent_on_an_audit(project: Project, owner: User) -> None:
    claims = factories.make_disputed(project, factories.make_judges(project), n=3)
    ranked = read(project, owner, claims[0])
    factories.make_draw(claims[0], owner, is_audit=True)

    audit = read(project, owner, claims[0])

    assert ranked.why is not None
    assert (ranked.why.is_disputed, ranked.why.n_look_alikes) == (True, 2)
    assert audit.why is None


def test_neighbours_in_the_response_are_the_disputed_ones(project: Project, owner: User) -> None:
    judges, one = factories.make_judges(project), response(project)
    claims = factories.make_disputed(project, judges, n=3, response=one)
    agreed = factories.make_claim(project, response=one)
    factories.vote(agreed, dict.fromkeys(judges, "accept"))

    page = read(project, owner, claims[1])

    assert (page.disputed_before, page.disputed_after, page.n_more_disputed) == (claims[0].pk, claims[2].pk, 2)


def test_a_pair_stands_in_the_order_of_its_person_and_hides_the_systems(project: Project, owner: User) -> None:
    claim = factories.make_pair(project)
    people = [owner, *(factories.make_member(project).user for _ in range(12))]

    pages = {
        reader(project, user.pk).sees_swapped("preference", claim.pk): read(project, user, claim) for user in people
    }

    assert [side.text for side in pages[False].pair] == ["The first answer.", "The second answer."]
    assert [side.text for side in pages[True].pair] == ["The second answer.", "The first answer."]
    assert [side.title for side in pages[True].pair] == ["Left", "Right"]
    assert [option.words for option in pages[True].options] == ["Left", "Right", "Equally good"]
    assert {side.system for side in pages[False].pair} == {""}


def test_similar_claims_come_by_weight_from_either_end_of_an_edge(project: Project, owner: User) -> None:
    near, this, far = (factories.make_claim(project) for _ in range(3))
    factories.join(this, {far: 0.6, near: 0.9})

    assert [other.claim_id for other in read(project, owner, this).similar] == [near.pk, far.pk]


def test_a_second_opinion_is_waited_for_and_then_read(project: Project, owner: User) -> None:
    judge = factories.make_judges(project)[0]
    claim = factories.make_claim(project)
    run = factories.make_run(project, kind=Run.Kind.SECOND_LOOK)
    job = Job.objects.create(run=run, task=Job.Task.REVIEW, key="review", judge=judge)
    job.claims.add(claim)
    waiting = read(project, owner, claim).opinion
    Job.objects.update(state=Job.State.DONE)
    Verdict.objects.create(
        claim=claim, judge=judge, run=run, purpose="review", state="cast", label="reject", rationale="It says not."
    )

    answered = read(project, owner, claim).opinion

    assert waiting is not None
    assert waiting.is_waiting
    assert answered is not None
    assert answered.said is not None
    assert (answered.said.words, answered.rationale) == ("Not supported", "It says not.")


@pytest.mark.parametrize(
    ("state", "reason", "says"),
    [("failed", "timeout", "time-out."), ("abstained", "", "it cannot assess this claim.")],
)
def test_a_second_opinion_that_failed_says_why_in_words(
    project: Project, owner: User, state: str, reason: str, says: str
) -> None:
    judge = factories.make_judges(project)[0]
    claim = factories.make_claim(project)
    run = factories.make_run(project, kind=Run.Kind.SECOND_LOOK)
    Verdict.objects.create(claim=claim, judge=judge, run=run, purpose="review", state=state, failure_reason=reason)

    opinion = read(project, owner, claim).opinion

    assert opinion is not None
    assert opinion.failure == says


def test_the_number_of_queries_is_the_same_for_a_small_and_a_large_project(project: Project, owner: User) -> None:
    counts = []
    for n in (1, 12):
        one = response(project)
        claims = factories.make_disputed(project, factories.make_judges(project, 3), n=n, response=one)
        with CaptureQueriesContext(connection) as taken:
            read(project, owner, claims[0])
        counts.append(len(taken))

    assert counts[0] == counts[1]
    assert counts[0] <= 20


def test_a_second_opinion_comes_from_ai_from_a_rule_or_from_nobody(project: Project, owner: User) -> None:
    claim = factories.make_disputed(project, factories.make_judges(project))[0]
    found = [read(project, owner, claim).opinion_from]
    for provider in ("offline", "openai_chat"):
        factories.make_judges(project, 1, provider=provider)
        found.append(read(project, owner, claim).opinion_from)

    assert found == ["", "rule", "ai"]


def test_a_claim_passed_on_is_not_counted_as_ruled_today(project: Project, owner: User) -> None:
    ruled, passed = factories.make_disputed(project, factories.make_judges(project), 2)
    factories.rule(ruled, owner)
    ruling = decisions.Ruling(action=Decision.Action.CANNOT_JUDGE)
    decisions.record(draw=factories.make_draw(passed, owner), ruling=ruling)

    assert read(project, owner, passed).n_today == 1
