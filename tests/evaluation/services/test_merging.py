"""Joining: like claims of different judges become one, and what was doubtful is kept for a person."""

from __future__ import annotations

import pytest

from evaluation.models import Claim, Job, Judge, Outcome, Project, Response, Run, Verdict
from evaluation.schemas import FoundClaim, Label, Opinion, PromptStamp, RubricText, VerdictState
from evaluation.services import jobs, merging
from evaluation.services.jobs import Wanted
from tests import factories

pytestmark = pytest.mark.django_db

TEXT = "Delivery takes 6 weeks. It is blue."
STAMP = PromptStamp("decompose", 1, "f" * 64)


def found(text: str, label: Label, span: tuple[int, int] | None = None, *tags: str) -> FoundClaim:
    return FoundClaim(text, tags, span, Opinion("1", VerdictState.CAST, label, 0.5, "So."))


@pytest.fixture
def two(project: Project) -> list[Judge]:
    return [factories.make_asked_judge(project, "http://127.0.0.1:9/v1") for _ in range(2)]


@pytest.fixture
def response(project: Project) -> Response:
    return factories.make_response(factories.make_instance(project), TEXT)


def join(response: Response, cuts: dict[Judge, list[FoundClaim]]) -> Job:
    """Cut by these judges, then joined."""
    panel = response.project.panels.get(is_current=True)
    run = Run.objects.create(project=response.project, kind=Run.Kind.PANEL, panel=panel, state=Run.State.RUNNING)
    for judge, claims in cuts.items():
        kept = merging.as_json(claims, STAMP, (RubricText(7, 2, "Rule."),))
        Job.objects.create(
            run=run, task="decompose", key=f"d/{judge.pk}", judge=judge, response=response, state="done", result=kept
        )
    jobs.queue_merges(run)
    (job,) = jobs.lease(run, 1, Wanted(tasks=(Job.Task.MERGE,)))
    merging.merge(job)
    job.refresh_from_db()
    return job


def test_what_was_found_survives_the_way_through_a_row() -> None:
    claims = [found("It is blue.", Label.ACCEPT, (24, 35), "time"), FoundClaim("No opinion.")]

    assert merging.from_json(merging.as_json(claims, STAMP, ())) == claims


def test_like_claims_become_one_with_the_tags_and_votes_of_both(response: Response, two: list[Judge]) -> None:
    cuts = {
        two[0]: [found("It is blue.", Label.ACCEPT, (24, 35), "time")],
        two[1]: [found("It is blue.", Label.REJECT, (24, 35), "place")],
    }

    job = join(response, cuts)

    claim = Claim.objects.get()
    assert (claim.text, claim.tags, claim.span_start, claim.span_end) == ("It is blue.", ["place", "time"], 24, 35)
    assert list(claim.verdicts.values_list("judge", "label")) == [(two[0].pk, "accept"), (two[1].pk, "reject")]
    assert (job.state, job.result) == ("done", {"n_found": 2, "n_claims": 1, "doubtful": []})
    assert Outcome.objects.get(claim=claim).state == "split"
    verdict = Verdict.objects.filter(judge=two[0]).get()
    assert (verdict.prompt_hash, verdict.rubric_entries) == (STAMP.sha256, [[7, 2]])


def test_claims_with_other_numbers_stay_two_and_each_judge_is_asked_about_the_other(
    response: Response, two: list[Judge]
) -> None:
    cuts = {
        two[0]: [found("Delivery takes 6 weeks.", Label.ACCEPT)],
        two[1]: [found("Delivery takes 16 weeks.", Label.ACCEPT)],
    }

    job = join(response, cuts)

    gaps = job.run.jobs.filter(task=Job.Task.JUDGE).order_by("judge")
    assert [claim.text for claim in Claim.objects.order_by("position")] == [
        "Delivery takes 6 weeks.",
        "Delivery takes 16 weeks.",
    ]
    assert [(gap.judge, [claim.text for claim in gap.claims.all()]) for gap in gaps] == [
        (two[0], ["Delivery takes 16 weeks."]),
        (two[1], ["Delivery takes 6 weeks."]),
    ]


def test_joining_again_makes_nothing_twice(response: Response, two: list[Judge]) -> None:
    job = join(response, {two[0]: [found("It is blue.", Label.ACCEPT, (24, 35))]})
    Job.objects.filter(pk=job.pk).update(state=Job.State.LEASED)
    n_jobs = job.run.jobs.count()

    merging.merge(job)

    assert (Claim.objects.count(), Verdict.objects.count(), job.run.jobs.count()) == (1, 1, n_jobs)


def test_a_response_without_claims_ends_quietly(response: Response, two: list[Judge]) -> None:
    job = join(response, {two[0]: []})

    assert job.result == {"n_found": 0, "n_claims": 0, "doubtful": []}
    assert not Claim.objects.exists()


def test_a_joining_that_was_cancelled_leaves_nothing(response: Response, two: list[Judge]) -> None:
    job = join(response, {two[0]: []})
    Job.objects.filter(run=job.run, task="decompose").update(
        result=merging.as_json([found("It is blue.", Label.ACCEPT)], STAMP, ())
    )

    merging.merge(job)

    assert not Claim.objects.exists()


def test_an_imported_claim_keeps_its_id_and_gets_no_votes_on_other_words(response: Response, two: list[Judge]) -> None:
    stranger = factories.make_claim(response.project, "The fridge is loud.")
    Claim.objects.filter(pk=stranger.pk).update(external_id=f"{response.external_id}#1")

    join(response, {two[0]: [found("It is blue.", Label.ACCEPT, (24, 35))]})

    made = response.claims.get()
    assert (made.external_id, made.text) == (f"{response.external_id}#2", "It is blue.")
    assert [verdict.claim for verdict in Verdict.objects.all()] == [made]
