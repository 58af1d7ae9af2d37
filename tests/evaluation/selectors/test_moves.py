from __future__ import annotations

from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import Decision, Job, PatternMove, Project, Run
from evaluation.selectors.answers import reader
from evaluation.selectors.moves import moved_claims, moved_page, rulings
from evaluation.services import decisions
from tests import factories


def ruled(project: Project, owner: User, n_ties: int = 3) -> Decision:
    judges = factories.make_judges(project, 2)
    claims = [factories.make_claim(project) for _ in range(n_ties + 1)]
    for claim in claims:
        factories.vote(claim, {judges[0]: "accept", judges[1]: "reject"})
    decision = factories.rule(claims[0], owner, "reject")
    return rulings(project).get(pk=decision.pk)


def test_rows_are_vote_patterns_with_before_and_after(project: Project, owner: User) -> None:
    decision = ruled(project, owner)

    page = moved_page(reader(project, owner.pk), decision, is_owner=True)

    assert [(row.before.phrase, row.after.phrase, row.n_claims) for row in page.rows] == [
        ("a tie", "leans “Not supported”", 3)
    ]
    first, second = sorted(judge.name for judge in project.judges.all())
    assert [row.why for row in page.rows] == [
        f"For “Not supported” {second} gained, for “Supported” {first} lost. So “Not supported” is ahead now."
    ]
    assert page.n_moved == 3
    assert page.may_undo
    assert page.who == "you"


def test_claims_behind_a_row_come_in_pages(project: Project, owner: User) -> None:
    decision = ruled(project, owner, n_ties=30)
    move = PatternMove.objects.get(propagation__decision=decision)
    person = reader(project, owner.pk)

    first, last = moved_claims(person, move, 1), moved_claims(person, move, 99)

    assert (len(first.claims), first.before, first.after) == (25, None, 2)
    assert (len(last.claims), last.before, last.after) == (5, 1, None)


def test_another_expert_may_not_undo_and_reads_who_ruled(project: Project, owner: User) -> None:
    decision = ruled(project, owner)
    bea = factories.make_member(project).user

    page = moved_page(reader(project, bea.pk), decision, is_owner=False)

    assert not page.may_undo
    assert page.who == "Tom"


def test_an_undone_ruling_says_by_whom_and_offers_no_second_undo(project: Project, owner: User) -> None:
    decision = ruled(project, owner)
    decisions.undo(decision=decision, by=owner)

    page = moved_page(reader(project, owner.pk), rulings(project).get(pk=decision.pk), is_owner=True)

    assert page.undone_by == "Tom"
    assert not page.may_undo


def test_a_second_look_that_waits_is_counted_with_its_start(project: Project, owner: User) -> None:
    decision = ruled(project, owner)
    run = factories.make_run(project, kind=Run.Kind.SECOND_LOOK, state=Run.State.QUEUED)
    job = Job.objects.create(run=run, task=Job.Task.REVIEW, key="review/1", decision=decision)
    Job.objects.create(
        run=run, task=Job.Task.REVIEW, key="review/2", decision=decision, state="failed", error="Too slow."
    )

    page = moved_page(reader(project, owner.pk), decision, is_owner=True)

    assert (page.second_look.n_waiting, page.second_look.since, page.second_look.is_taken) == (1, job.created_at, False)
    assert page.problems == ("Too slow.",)
    assert page.is_waiting


def test_the_number_of_queries_does_not_grow_with_the_rows(project: Project, owner: User) -> None:
    counts = []
    for n_ties in (1, 20):
        decision = ruled(project, owner, n_ties)
        with CaptureQueriesContext(connection) as taken:
            moved_page(reader(project, owner.pk), decision, is_owner=True)
        counts.append(len(taken))

    assert counts[0] == counts[1]


def test_a_judge_that_wavered_stands_on_both_sides_in_part(project: Project, owner: User) -> None:
    one, other = factories.make_judges(project, 2)
    claims = [factories.make_claim(project) for _ in range(2)]
    for claim in claims:
        factories.vote_repeatedly(claim, {one: ("accept", "reject"), other: ("reject", "reject")})
    decision = factories.rule(claims[0], owner, "accept")
    move = PatternMove(propagation=decision.propagation, pattern=decision.pattern, n_claims=1)
    move.before_state = move.after_state = "open"
    move.before_label = move.after_label = "reject"
    move.save()

    page = moved_page(reader(project, owner.pk), rulings(project).get(pk=decision.pk), is_owner=True)

    assert [(camp.answer, camp.judges) for camp in page.rows[0].voters] == [
        ("Not supported", f"{one.name} (in part), {other.name}"),
        ("Supported", f"{one.name} (in part)"),
    ]
    assert page.cause.judges[0].agreed == "0.5"
