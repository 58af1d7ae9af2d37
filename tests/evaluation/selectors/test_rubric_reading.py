"""Which rules were not read in the last run."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from evaluation.methods.juryflow_rubric import rubric_tokens
from evaluation.models import Project, RubricEntry, Run
from evaluation.selectors.rubric_reading import Reading, last_run
from evaluation.services import judges, panel, panel_worker, rubric, rubric_prompt
from evaluation.services.panel import RunOptions
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def offline(project: Project) -> None:
    judges.add_offline_panel(project=project)


def adopt(project: Project, owner: User, text: str, *tags: str) -> RubricEntry:
    return rubric.adopt(entry=rubric.write(project=project, text=EntryText(text, tags=tags), by=owner), by=owner)


def leave_room(project: Project, *entries: RubricEntry) -> None:
    project.refresh_from_db()
    tokens = sum(rubric_tokens(rubric_prompt.as_text(entry)) for entry in entries)
    project.parameters = {"rubric_characters": 4 * tokens}
    project.save()


def run_panel(project: Project) -> Run:
    again = RunOptions(again=True)
    return panel_worker.drive(run_id=panel.open_run(project=project, by=None, options=again).pk)


def test_rules_that_nobody_read_are_told_from_those_read_in_part(project: Project, owner: User) -> None:
    for tag in ("time", "price"):
        factories.make_claim(project, tags=[tag])
    read_always = adopt(project, owner, "For all.", "time", "price")
    in_part = adopt(project, owner, "A rule on time.", "time")
    other_part = adopt(project, owner, "A rule on cost.", "price")
    never = adopt(project, owner, "Never comes to its turn.", "place")
    leave_room(project, read_always, in_part)

    run = run_panel(project)

    found = last_run(project)
    assert found is not None
    assert found.run == run
    assert found.unread == (Reading(never.pk, "Never comes to its turn.", 10, 0),)
    assert found.partly == (
        Reading(in_part.pk, "A rule on time.", 10, 5),
        Reading(other_part.pk, "A rule on cost.", 10, 5),
    )


def test_a_rule_adopted_after_the_run_was_not_missed(project: Project, owner: User) -> None:
    factories.make_claim(project)
    first = adopt(project, owner, "In time.")
    leave_room(project, first)
    run_panel(project)

    late = adopt(project, owner, "Too late.")
    before_it_ran = last_run(project)
    run_panel(project)

    found = last_run(project)
    assert before_it_ran is None
    assert found is not None
    assert [each.entry_id for each in found.unread] == [late.pk]


def test_rules_that_are_retired_or_of_another_kind_are_not_missed(project: Project, owner: User) -> None:
    factories.make_claim(project)
    gone, kept = adopt(project, owner, "Gone."), adopt(project, owner, "Kept.")
    RubricEntry.objects.create(project=project, kind="preference", status="active", criterion="Of pairs.")
    leave_room(project)
    run_panel(project)

    rubric.retire(entry=gone, by=owner)

    found = last_run(project)
    assert found is not None
    assert [each.entry_id for each in found.unread] == [kept.pk]


def test_before_a_run_and_where_all_was_read_there_is_nothing_to_say(project: Project, owner: User) -> None:
    factories.make_claim(project)
    adopt(project, owner, "Rule.")
    project.refresh_from_db()
    assert last_run(project) is None

    run_panel(project)

    assert last_run(project) is None


def test_the_number_of_queries_does_not_grow(
    project: Project, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        factories.make_claim(project)
        adopt(project, owner, f"Rule {number}.")
    leave_room(project)
    run_panel(project)

    with django_assert_num_queries(3):
        found = last_run(project)

    assert found is not None
    assert len(found.unread) == 5
