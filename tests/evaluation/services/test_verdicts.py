"""Verdicts: which one is current, and what each keeps of how it came about."""

from __future__ import annotations

import pytest

from evaluation.models import Call, Claim, Job, Judge, Project, Verdict
from evaluation.schemas import Label, Opinion, PromptStamp, VerdictState
from evaluation.services import verdicts
from evaluation.services.verdicts import Asked
from tests import factories

pytestmark = pytest.mark.django_db

CAST = Opinion("1", VerdictState.CAST, Label.ACCEPT)
REJECTED = Opinion("1", VerdictState.CAST, Label.REJECT)
ABSTAINED = Opinion("1", VerdictState.ABSTAINED)
FAILED = Opinion("1", VerdictState.FAILED, failure_reason="timeout" * 100)


@pytest.fixture
def judge(project: Project) -> Judge:
    return factories.make_judges(project, 1)[0]


def say(claim: Claim, judge: Judge, opinion: Opinion, **how: object) -> list[Verdict]:
    asked = Asked(run=factories.make_run(claim.project), judge=judge, **how)  # type: ignore[arg-type]
    return verdicts.store(asked=asked, opinions={claim.pk: opinion})


@pytest.mark.parametrize(
    ("old", "new", "takes_over"),
    [
        (CAST, REJECTED, True),
        (CAST, ABSTAINED, False),
        (CAST, FAILED, False),
        (ABSTAINED, CAST, True),
        (ABSTAINED, FAILED, False),
        (FAILED, ABSTAINED, True),
        (FAILED, CAST, True),
    ],
)
def test_a_newer_vote_takes_over_and_a_failed_one_never_does(
    project: Project, judge: Judge, old: Opinion, new: Opinion, takes_over: bool
) -> None:
    claim = factories.make_claim(project)
    say(claim, judge, old)

    say(claim, judge, new)

    current = Verdict.objects.get(is_current=True)
    assert current.state == (new if takes_over else old).state
    assert Verdict.objects.count() == 2


def test_a_run_keeps_one_verdict_per_voter(project: Project, judge: Judge) -> None:
    claim = factories.make_claim(project)
    asked = Asked(run=factories.make_run(project), judge=judge)

    verdicts.store(asked=asked, opinions={claim.pk: CAST})
    (kept,) = verdicts.store(asked=asked, opinions={claim.pk: REJECTED})

    assert (kept.label, Verdict.objects.count()) == ("accept", 1)


def test_a_review_is_no_vote(project: Project, judge: Judge) -> None:
    claim = factories.make_claim(project)

    (review,) = say(claim, judge, CAST, purpose=Verdict.Purpose.REVIEW)

    assert not review.is_current
    assert verdicts.answered([claim]) == frozenset()


def test_it_keeps_prompt_model_temperature_and_rules_seen(project: Project, judge: Judge) -> None:
    judge.parameters = {"temperature": 0}
    project.rubric_version = 4
    project.save()
    claim, run = factories.make_claim(project), factories.make_run(project)
    job = Job.objects.create(run=run, task="judge", key="k", judge=judge)
    call = Call.objects.create(job=job, judge=judge, attempt=1, cache_key="c", state="answered", model="m-2026")
    asked = Asked(run=run, judge=judge, prompt=PromptStamp("judge", 1, "abc"), rubric=((3, 2),), call=call)
    opinion = Opinion("1", VerdictState.CAST, Label.ACCEPT, confidence=0.7, rationale="So.", precedent_entry=3)

    (stored,) = verdicts.store(asked=asked, opinions={claim.pk: opinion})

    assert (stored.prompt_name, stored.prompt_version, stored.prompt_hash) == ("judge", 1, "abc")
    assert (stored.model_name, stored.temperature, stored.call) == ("m-2026", 0.0, call)
    assert (stored.rubric_version, stored.rubric_entries, stored.precedent_entry) == (4, [[3, 2]], 3)
    assert (stored.confidence, stored.rationale) == (0.7, "So.")


def test_a_long_reason_is_cut_and_a_label_without_a_vote_left_out(project: Project, judge: Judge) -> None:
    claim = factories.make_claim(project)

    (stored,) = say(claim, judge, Opinion("1", VerdictState.FAILED, Label.ACCEPT, failure_reason="x" * 300))

    assert (len(stored.failure_reason), stored.label) == (200, "")


def test_votes_and_abstentions_are_answers_per_order_and_failures_are_not(project: Project, judge: Judge) -> None:
    cast, abstained, failed, fresh = (factories.make_claim(project) for _ in range(4))
    for claim, opinion in ((cast, CAST), (abstained, ABSTAINED), (failed, FAILED)):
        say(claim, judge, opinion)

    assert verdicts.answered([cast, abstained, failed, fresh]) == {
        (cast.pk, judge.pk, "as_given", 0),
        (abstained.pk, judge.pk, "as_given", 0),
    }
