"""What the page of a rule says of a trial."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from evaluation.models import Claim, Job, Judge, Project, RubricEntry, Run
from evaluation.selectors import trials
from evaluation.selectors.answers import reader
from evaluation.selectors.trials import Agreement, TrialPage
from evaluation.services import decisions, rubric
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db

Labels = Mapping[Judge, str]


@pytest.fixture
def panel(project: Project) -> list[Judge]:
    return factories.make_judges(project, 3)


@pytest.fixture
def run(project: Project, owner: User) -> Run:
    """A trial that is done, of a draft; steps are added by `answered`."""
    entry = rubric.write(project=project, text=EntryText("Rule."), by=owner)
    return Run.objects.create(project=project, kind=Run.Kind.TRIAL, state=Run.State.DONE, entry=entry, started_by=owner)


def ruled(project: Project, panel: list[Judge], owner: User, label: str = "reject") -> Claim:
    (claim,) = factories.make_disputed(project, panel)
    factories.rule(claim, owner, label)
    return claim


def answered(run: Run, claim: Claim, before: Labels, after: Labels, *, is_own: bool = False) -> None:
    for arm, labels in (("without_entry", before), ("with_entry", after)):
        for judge, label in labels.items():
            own = [claim.pk] if is_own else []
            run.jobs.create(
                task=Job.Task.TRIAL,
                key=f"{arm}/{judge.pk}/{claim.pk}",
                judge=judge,
                options={arm: run.entry_id, "wording": 1, "own": own},
                state=Job.State.DONE,
                result={"labels": {str(claim.pk): label}},
            )


def page_of(project: Project, owner: User, run: Run) -> TrialPage:
    found = trials.last_trial(RubricEntry.objects.get(trials=run))
    assert found == run
    return trials.trial_page(reader(project, owner.pk), found)


def say(panel: list[Judge], *labels: str) -> dict[Judge, str]:
    return dict(zip(panel, labels, strict=True))


def test_it_counts_agreement_of_the_panel_and_of_each_judge(
    project: Project, owner: User, panel: list[Judge], run: Run
) -> None:
    better, same = ruled(project, panel, owner), ruled(project, panel, owner)
    answered(run, better, say(panel, "accept", "accept", "reject"), say(panel, "reject", "accept", "reject"))
    answered(run, same, say(panel, "reject", "reject", ""), say(panel, "reject", "reject", "reject"))

    page = page_of(project, owner, run)

    assert page.others == Agreement(2, 1, 2)
    assert [(each.judge, each.agreement) for each in page.judges] == [
        (panel[0].name, Agreement(2, 1, 2)),
        (panel[1].name, Agreement(2, 1, 1)),
        (panel[2].name, Agreement(2, 1, 2)),
    ]
    assert page.votes == Agreement(6, 3, 5)
    assert (page.n_better, page.n_worse, page.n_other, page.own.n) == (1, 0, 0, 0)
    assert (page.by, page.wording, page.is_old_wording, page.is_open) == ("Tom", 1, False, False)
    assert not page.is_offline


def test_claims_that_changed_are_listed_with_the_worse_ones_first(
    project: Project, owner: User, panel: list[Judge], run: Run
) -> None:
    better, worse, tie = (ruled(project, panel, owner) for _ in range(3))
    yes, no = say(panel, "accept", "accept", "accept"), say(panel, "reject", "reject", "reject")
    answered(run, better, yes, no)
    answered(run, worse, no, yes)
    answered(run, tie, yes, say(panel, "", "", ""))

    page = page_of(project, owner, run)

    assert [(row.claim_id, row.change, row.before, row.after) for row in page.changed] == [
        (worse.pk, "worse", "Not supported", "Supported"),
        (better.pk, "better", "Supported", "Not supported"),
        (tie.pk, "other", "Supported", "a tie, or no vote"),
    ]
    assert {(row.ruled, row.expert) for row in page.changed} == {("Not supported", "Tom")}
    assert (page.n_better, page.n_worse, page.n_other) == (1, 1, 1)


def test_claims_the_rule_was_made_from_are_told_apart(
    project: Project, owner: User, panel: list[Judge], run: Run
) -> None:
    own, other = ruled(project, panel, owner), ruled(project, panel, owner)
    yes, no = say(panel, "accept", "accept", "accept"), say(panel, "reject", "reject", "reject")
    answered(run, own, yes, no, is_own=True)
    answered(run, other, yes, yes)

    page = page_of(project, owner, run)

    assert (page.others, page.own) == (Agreement(1, 0, 0), Agreement(1, 0, 1))
    assert (page.n_better, page.votes.n) == (0, 3)
    assert [(row.claim_id, row.is_own) for row in page.changed] == [(own.pk, True)]


def test_a_ruling_taken_back_since_is_nothing_to_agree_with(
    project: Project, owner: User, panel: list[Judge], run: Run
) -> None:
    claim = ruled(project, panel, owner)
    answered(run, claim, say(panel, "accept", "accept", "accept"), say(panel, "reject", "reject", "reject"))

    decisions.undo(decision=claim.decisions.get(), by=owner)

    assert page_of(project, owner, run).others == Agreement(0, 0, 0)


def test_a_step_that_failed_is_counted_with_its_reason_and_leaves_no_lone_answer(
    project: Project, owner: User, panel: list[Judge], run: Run
) -> None:
    claim = ruled(project, panel, owner)
    answered(run, claim, say(panel, "accept", "accept", "accept"), say(panel, "reject", "reject", "reject"))
    run.jobs.filter(judge=panel[0], key__startswith="with_").update(
        state=Job.State.FAILED, result=None, error="The server is busy."
    )

    page = page_of(project, owner, run)

    assert (page.n_steps, page.n_ended, page.n_failed, page.failure) == (6, 6, 1, "The server is busy.")
    assert [each.judge for each in page.judges] == [panel[1].name, panel[2].name]


def test_another_wording_since_and_earlier_trials_are_told(
    project: Project, owner: User, panel: list[Judge], run: Run
) -> None:
    answered(run, ruled(project, panel, owner), say(panel, "", "", ""), say(panel, "", "", ""))
    earlier = Run.objects.create(project=project, kind=Run.Kind.TRIAL, entry=run.entry, state=Run.State.DONE)
    entry = RubricEntry.objects.get()
    rubric.edit(entry=entry, text=EntryText("Reworded."), by=owner)
    run.entry = entry

    page = trials.trial_page(reader(project, owner.pk), run)

    assert (page.wording, page.is_old_wording) == (1, True)
    assert [each.run_id for each in page.earlier] == [earlier.pk]


def test_a_rule_that_was_never_tried_has_no_trial(project: Project, owner: User) -> None:
    assert trials.last_trial(rubric.write(project=project, text=EntryText("Rule."), by=owner)) is None


def test_the_number_of_queries_does_not_grow_with_the_claims(
    project: Project,
    owner: User,
    panel: list[Judge],
    run: Run,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(4):
        claim = ruled(project, panel, owner)
        answered(run, claim, say(panel, "accept", "accept", "accept"), say(panel, "reject", "reject", "reject"))
    person, fresh = reader(project, owner.pk), trials.last_trial(RubricEntry.objects.get())
    assert fresh is not None

    with django_assert_num_queries(5):
        page = trials.trial_page(person, fresh)

    assert page.others.n == 4
