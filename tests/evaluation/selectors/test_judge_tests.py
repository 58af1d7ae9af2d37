"""What the page of a test shows: words for votes and roles, what it took, and what to do where it failed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from evaluation.models import Call, Claim, Job, Judge, Project, Run
from evaluation.selectors import judge_tests
from evaluation.services import judge_tests as services
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(project: Project) -> Judge:
    return factories.make_asked_judge(project, "http://127.0.0.1:9/v1")


@pytest.fixture
def claim(project: Project) -> Claim:
    return factories.make_claim(project)


@pytest.fixture
def run(judge: Judge, claim: Claim, owner: User) -> Run:
    return services.request(judge=judge, claim=claim, by=owner)


def end(run: Run, *, result: object = None, error: str = "", reason: str = "") -> Run:
    """End the test with what a worker would leave."""
    state = Job.State.FAILED if error else Job.State.DONE
    run.jobs.update(state=state, result=result, error=error, reason=reason)
    Run.objects.update(state=Run.State.FAILED if error else Run.State.DONE)
    run.refresh_from_db()
    return run


def verdict(**changes: object) -> dict[str, object]:
    plain = {"ref": "1", "state": "cast", "label": "reject", "confidence": 0.8, "rationale": "No.", "flags": []}
    return {**plain, **changes}


def page_of(run: Run, owner: User) -> judge_tests.JudgeTest:
    return judge_tests.page_of(run=run, user_id=owner.pk)


def test_a_vote_on_the_sample_is_said_in_words(judge: Judge, owner: User) -> None:
    run = services.request(judge=judge, claim=None, by=owner)

    page = page_of(end(run, result={"request": [], "raw_reply": "{}", "verdicts": [verdict()], "gaps": []}), owner)

    assert (page.claim, page.sample) == (None, judge_tests.OwnSample())
    assert [vote.said for vote in page.votes] == ["Not supported"]


def test_a_vote_and_what_was_sent_are_said_in_words(run: Run, owner: User) -> None:
    sent = [{"role": "system", "text": "Judge."}, {"role": "user", "text": "This."}, {"role": "tool", "text": "?"}]
    result = {"request": sent, "raw_reply": "{}", "verdicts": [verdict(flags=["Odd."])], "gaps": []}

    page = page_of(end(run, result=result), owner)

    assert [(vote.said, vote.slot, vote.flags) for vote in page.votes] == [("Not supported", 2, ("Odd.",))]
    assert [message.role for message in page.sent] == ["Instructions", "Question", "tool"]
    assert (page.raw_reply, page.problem, page.is_open, page.is_unvoted) == ("{}", "", False, False)


def test_no_vote_is_said_to_be_none(run: Run, owner: User) -> None:
    abstained = {"verdicts": [verdict(state="abstained", label="", confidence=None)]}

    page = page_of(end(run, result=abstained), owner)

    assert page.votes[0].said.startswith("No vote")
    assert page_of(end(run, result={"verdicts": [], "gaps": ["1"]}), owner).is_unvoted


def test_the_sides_of_a_pair_are_those_of_the_file(project: Project, judge: Judge, owner: User) -> None:
    run = services.request(judge=judge, claim=factories.make_pair(project), by=owner)

    page = page_of(end(run, result={"verdicts": [verdict(label="second")]}), owner)

    assert page.votes[0].said == "Second in the file"


def test_what_it_took_is_summed_over_its_calls(run: Run, judge: Judge, owner: User) -> None:
    job = run.jobs.get()
    for attempt, cost in ((1, 120), (2, 80)):
        Call.objects.create(
            job=job,
            judge=judge,
            attempt=attempt,
            cache_key="k",
            model=f"m-{attempt}",
            raw_reply=f"reply {attempt}",
            is_repaired=attempt == 2,
            latency=0.5,
            input_tokens=10,
            output_tokens=4,
            cached_tokens=3,
            cost_micros=cost,
        )

    page = page_of(end(run, result={"verdicts": [verdict()]}), owner)

    assert page.figures == judge_tests.Figures(2, "m-2", 1.0, 20, 8, 6, 200)
    assert (page.is_repaired, page.raw_reply) == (True, "reply 2")
    job.calls.filter(attempt=1).update(cost_micros=None)
    assert page_of(run, owner).figures.cost_micros is None


@pytest.mark.parametrize("reason", ["auth", "config", "timeout", "truncated", "parse", "shape", "refused", "server"])
def test_a_failed_test_says_why_and_what_to_do(run: Run, owner: User, reason: str) -> None:
    page = page_of(end(run, error="It went wrong.", reason=reason), owner)

    assert (page.problem, page.votes, page.is_unvoted) == ("It went wrong.", (), False)
    assert page.advice.endswith(".")


def test_every_reason_that_the_providers_give_has_advice() -> None:
    reasons = {
        *("truncated", "shape", "parse", "refused", "timeout", "rate_limit"),
        *("auth", "context_length", "server", "config"),
    }

    assert set(judge_tests.ADVICE) == reasons


def test_the_ruling_on_the_claim_stands_beside_it(claim: Claim, run: Run, owner: User) -> None:
    before = page_of(run, owner).ruling
    factories.rule(claim, owner, "accept")

    assert (before, page_of(run, owner).ruling) == ("", "Tom ruled: Supported")


def test_a_test_that_nobody_works_on_says_since_when_it_waits(run: Run, owner: User) -> None:
    fresh = page_of(run, owner)
    Run.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    run.refresh_from_db()

    waiting = page_of(run, owner)

    assert (fresh.is_open, fresh.waits_since, fresh.problem) == (True, None, "")
    assert waiting.waits_since == run.created_at


def test_the_newest_test_of_each_judge_is_found(project: Project, run: Run, judge: Judge, owner: User) -> None:
    end(run, result={"verdicts": []})
    again = services.request(judge=judge, claim=factories.make_claim(project), by=owner)

    assert judge_tests.newest(project) == {judge.pk: again}
