from __future__ import annotations

from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import Project, RubricEntry
from evaluation.selectors.answers import reader
from evaluation.selectors.rubric import RubricFilter, entry_page, rubric_list
from evaluation.services import decisions, rubric
from evaluation.services.rubric_support import EntryText
from tests import factories


def draft(project: Project, by: User, criterion: str = "Units must match.", *tags: str) -> RubricEntry:
    return rubric.write(project=project, text=EntryText(criterion, tags=tags), by=by)


def test_rules_are_listed_by_what_can_be_done_with_them(project: Project, owner: User) -> None:
    looked_at, in_force, dropped = (draft(project, owner, f"Rule {n}") for n in range(3))
    rubric.adopt(entry=in_force, by=owner)
    rubric.drop(entry=dropped, by=owner)
    project.refresh_from_db()

    found = rubric_list(reader(project, owner.pk))

    assert [row.entry_id for row in found.to_look_at] == [looked_at.pk]
    assert [row.entry_id for row in found.in_force] == [in_force.pk]
    assert [row.entry_id for row in found.retired] == [dropped.pk]
    assert found.version == 1
    assert found.beside(in_force.pk).before == looked_at.pk
    assert found.beside(in_force.pk).after == dropped.pk


def test_a_rule_says_from_whose_rulings_it_comes_and_what_support_is_left(project: Project, owner: User) -> None:
    bea = factories.make_user("bea")
    claims = factories.make_disputed(project, factories.make_judges(project), n=3)
    ruled = [factories.rule(claims[0], owner), factories.rule(claims[1], owner), factories.rule(claims[2], bea)]
    entry = draft(project, owner)
    entry.decisions.set(ruled)
    whole = entry_page(reader(project, owner.pk), entry).from_words
    decisions.undo(decision=ruled[0], by=owner)

    page = entry_page(reader(project, owner.pk), entry)

    assert whole == "from 3 rulings (Tom 2, bea 1)"
    assert page.from_words == "2 of 3 rulings left (Tom 1, bea 1)"
    assert page.lost_words == "2 of 3 rulings left"
    assert [ruling.is_undone for ruling in page.support] == [True, False, False]
    assert rubric_list(reader(project, owner.pk)).to_look_at[0].support_words == "2 of 3 rulings left"


def test_history_is_newest_first_with_the_fields_that_changed(project: Project, owner: User) -> None:
    entry = draft(project, owner, "Old words.", "price")
    rubric.edit(entry=entry, text=EntryText("New words.", tags=("price", "time")), by=owner)

    history = entry_page(reader(project, owner.pk), entry).history

    assert [happening.title for happening in history] == ["Edited", "Drafted"]
    assert [(change.field, change.before, change.after) for change in history[0].changes] == [
        ("Rule", "Old words.", "New words."),
        ("Applies to", "price", "price, time"),
    ]


def test_a_rule_by_hand_says_so(project: Project, owner: User) -> None:
    page = entry_page(reader(project, owner.pk), draft(project, owner))

    assert (page.from_words, page.lost_words) == ("written by hand", "")
    assert page.missing == ("Example ok", "Example bad")


def test_filters_keep_mine_and_a_tag(project: Project, owner: User) -> None:
    bea = factories.make_user("bea")
    mine, other = draft(project, owner, "Mine.", "price"), draft(project, bea, "Hers.", "time")
    person = reader(project, owner.pk)

    assert [row.entry_id for row in rubric_list(person, RubricFilter(is_mine=True)).all] == [mine.pk]
    assert [row.entry_id for row in rubric_list(person, RubricFilter(tag="time")).all] == [other.pk]


def test_it_counts_claims_judged_under_each_version(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    claims = factories.make_disputed(project, judges, n=3)
    claims[0].verdicts.update(rubric_version=1)

    page = entry_page(reader(project, owner.pk), draft(project, owner))

    assert [(row.version, row.n_claims) for row in page.judged] == [(0, 2), (1, 1)]
    assert page.n_answers == 3


def test_the_number_of_queries_does_not_grow_with_the_rules(project: Project, owner: User) -> None:
    counts = []
    for n in (1, 10):
        drafts = [draft(project, owner) for _ in range(n)]
        with CaptureQueriesContext(connection) as taken:
            rubric_list(reader(project, owner.pk))
            entry_page(reader(project, owner.pk), drafts[0])
        counts.append(len(taken))

    assert counts[0] == counts[1]
