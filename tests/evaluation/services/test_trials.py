"""A rule is tried on ruled claims, with and without it; no vote comes of it."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User

from evaluation.errors import ConflictError, InvalidInputError, NotAllowedError
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Claim, Job, Project, Purse, RubricEntry, Run, TrackRecord, Verdict
from evaluation.services import judges, panel, panel_worker, rubric, trials
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db

SOURCES = ["The alarm sounds after 15 minutes without power. The battery lasts 5 hours."]
WRONG = "The alarm sounds after 5 minutes without power."


def ruled(project: Project, owner: User, *texts: str, label: str = "reject", tag: str = "time") -> list[Claim]:
    """Claims of one response on which an expert ruled."""
    made = factories.make_judges(project, 2)
    response = factories.make_response(factories.make_instance(project, sources=SOURCES), " ".join(texts))
    claims = [factories.make_claim(project, text, response=response, tags=[tag]) for text in texts]
    for claim in claims:
        factories.vote(claim, {made[0]: "accept", made[1]: "reject"})
        factories.rule(claim, owner, label)
    return claims


def draft(project: Project, owner: User, **text: str) -> RubricEntry:
    return rubric.write(project=project, text=EntryText("Check what a number belongs to.", **text), by=owner)


@pytest.fixture
def entry(project: Project, owner: User) -> RubricEntry:
    """A draft whose example is a wrong claim that all offline judges but one let pass."""
    judges.add_offline_panel(project=project)
    return draft(project, owner, negative_example=WRONG)


def tried(entry: RubricEntry, owner: User) -> Run:
    run = panel_worker.drive(run_id=trials.request(entry=entry, by=owner).pk)
    assert run.state == Run.State.DONE
    return run


def test_every_judge_is_asked_once_with_and_once_without_the_rule(
    project: Project, owner: User, entry: RubricEntry
) -> None:
    own, other = ruled(project, owner, WRONG, "The battery lasts 9 hours.")

    run = trials.request(entry=entry, by=owner)

    jobs = list(run.jobs.all())
    assert (run.kind, run.entry, run.started_by, len(jobs)) == (Run.Kind.TRIAL, entry, owner, 10)
    assert {job.task for job in jobs} == {Job.Task.TRIAL}
    assert all(set(job.claims.all()) == {own, other} for job in jobs)
    expected = {"wording": 1, "own": [own.pk]}
    assert [job.options for job in jobs[:2]] == [
        {"without_entry": entry.pk} | expected,
        {"with_entry": entry.pk} | expected,
    ]
    assert {job.judge for job in jobs[0::2]} == {job.judge for job in jobs[1::2]} == set(judges.askable(project))


def test_offline_judges_answer_by_the_example_only_with_the_rule(
    project: Project, owner: User, entry: RubricEntry
) -> None:
    (claim,) = ruled(project, owner, WRONG)

    run = tried(entry, owner)

    labels: dict[str, list[str]] = {"with_entry": [], "without_entry": []}
    for job in run.jobs.all():
        arm = next(arm for arm in labels if arm in job.options)
        labels[arm].append(job.result["labels"][str(claim.pk)])
    assert labels["with_entry"] == ["reject"] * 5
    assert labels["without_entry"].count("reject") < 3


def test_no_vote_no_track_record_and_no_rule_in_force_comes_of_it(
    project: Project, owner: User, entry: RubricEntry
) -> None:
    ruled(project, owner, WRONG)
    before = (
        Verdict.objects.count(),
        list(TrackRecord.objects.order_by("pk").values_list("judge", "agreed", "decided")),
    )

    tried(entry, owner)

    entry.refresh_from_db()
    project.refresh_from_db()
    records = list(TrackRecord.objects.order_by("pk").values_list("judge", "agreed", "decided"))
    assert (Verdict.objects.count(), sorted(records)) == (before[0], sorted(before[1]))
    assert (entry.status, project.rubric_version) == (RubricEntry.Status.DRAFT, 0)


def test_a_second_request_while_it_runs_is_the_same_trial(project: Project, owner: User, entry: RubricEntry) -> None:
    ruled(project, owner, WRONG)

    first, again = (trials.request(entry=entry, by=owner) for _ in range(2))
    panel.stop(run=first)

    assert first == again
    assert trials.request(entry=entry, by=owner) != first


def test_a_pair_is_asked_in_the_orders_of_the_project(project: Project, owner: User) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    pair = factories.make_pair(project)
    factories.rule(pair, owner, "first")
    entry = draft(project, owner)

    run = trials.request(entry=entry, by=owner)

    asked = run.jobs.values_list("judge", "order")
    assert sorted(asked) == sorted([(judge.pk, "as_given"), (judge.pk, "swapped")] * 2)
    assert all(job.options.keys() & {"with_entry", "without_entry"} for job in run.jobs.all())


def test_an_owner_alone_may_spend_on_a_trial(project: Project, owner: User, entry: RubricEntry) -> None:
    ruled(project, owner, WRONG)

    with pytest.raises(NotAllowedError, match="Only an owner"):
        trials.request(entry=entry, by=factories.make_member(project).user)


def test_what_stands_in_the_way_is_said_beforehand_and_refused(
    project: Project, owner: User, entry: RubricEntry
) -> None:
    assert trials.estimate(entry=entry).blockers == (
        "There is no ruled claim to try a rule on yet: rule on some claims first.",
        "There is nothing to judge yet: import responses first.",
    )
    with pytest.raises(ConflictError, match="no ruled claim"):
        trials.request(entry=entry, by=owner)
    ruled(project, owner, WRONG)
    with pytest.raises(InvalidInputError, match="below zero"):
        trials.request(entry=entry, by=owner, cap_micros=-1)
    rubric.drop(entry=entry, by=owner)
    entry.refresh_from_db()
    with pytest.raises(ConflictError, match="was retired"):
        trials.request(entry=entry, by=owner)
    assert not Run.objects.filter(kind=Run.Kind.TRIAL).exists()


def test_the_estimate_counts_what_is_asked_and_names_who_gets_the_text(
    project: Project, owner: User, entry: RubricEntry
) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    ruled(project, owner, WRONG, "The battery lasts 9 hours.")
    ruled(project, owner, "The alarm is loud.")

    found = trials.estimate(entry=entry)
    run = trials.request(entry=entry, by=owner)

    assert (found.n_claims, found.n_own, found.n_judges, found.n_calls) == (2, 1, 6, run.jobs.count())
    assert found.recipients == (judges.recipient(judge),)
    (cost,) = [each for each in found.cost.judges if each.judge == judge]
    assert (cost.n_calls, found.blockers) == (4, ())
    assert found.cost.unpriced == (judge,)


def test_a_cap_needs_known_prices_and_is_kept_in_a_purse(project: Project, owner: User, entry: RubricEntry) -> None:
    ruled(project, owner, WRONG)
    run = trials.request(entry=entry, by=owner, cap_micros=250_000)
    panel.stop(run=run)
    factories.make_asked_judge(project, "http://127.0.0.1:9/v1")

    assert Purse.objects.get(run=run).cap_micros == 250_000
    with pytest.raises(ConflictError, match="No price is known"):
        trials.request(entry=entry, by=owner, cap_micros=250_000)


def test_an_edit_or_giving_up_ends_a_trial_that_is_under_way(project: Project, owner: User, entry: RubricEntry) -> None:
    ruled(project, owner, WRONG)

    first = trials.request(entry=entry, by=owner)
    rubric.edit(entry=entry, text=EntryText("Other."), by=owner)
    second = trials.request(entry=entry, by=owner)
    rubric.drop(entry=entry, by=owner)

    assert [Run.objects.get(pk=run.pk).state for run in (first, second)] == [Run.State.STOPPED] * 2
    assert second.jobs.first().options["wording"] == 2  # type: ignore[union-attr]


def test_over_the_network_half_of_the_questions_show_the_rule_and_asking_again_sends_nothing(
    project: Project, owner: User
) -> None:
    with LocalServer() as server:
        factories.make_asked_judge(project, server.openai_url)
        (one,) = ruled(project, owner, "The battery lasts 9 hours.")
        (other,) = ruled(project, owner, "The alarm sounds after 15 minutes without power.", label="accept")
        entry = draft(project, owner)
        run = tried(entry, owner)
        shown = [entry.criterion in json.dumps(received.body) for received in server.received]
        again = tried(entry, owner)

        assert len(server.received) == 4
    assert sorted(shown) == [False, False, True, True]
    labels = [job.result["labels"] for job in run.jobs.all()]
    assert sorted(label for each in labels for label in each) == sorted([str(one.pk), str(other.pk)] * 2)
    assert all(label in {"accept", "reject"} for each in labels for label in each.values())
    assert [job.result for job in again.jobs.all()] == [job.result for job in run.jobs.all()]
    assert not Verdict.objects.filter(run__in=[run, again]).exists()
