"""Which rulings stand behind which entries, and what an undo does to them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Decision, Project, RubricEntry
from evaluation.services import decisions, rubric, rubric_support
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def three(project: Project, owner: User) -> list[Decision]:
    """Rulings on claims tagged alike, the last one the other way."""
    claims = factories.make_disputed(project, factories.make_judges(project), 3, tags=["negation", "other: loud"])
    return [
        factories.rule(claim, owner, label) for claim, label in zip(claims, ("reject", "reject", "accept"), strict=True)
    ]


def make_entry(project: Project, owner: User, support: list[Decision], *tags: str) -> RubricEntry:
    entry = rubric.write(project=project, text=EntryText("Rule.", tags=tags), by=owner)
    entry.decisions.set(support)
    return entry


def test_rulings_are_alike_with_the_same_answer_and_a_tag_in_common(
    project: Project, owner: User, three: list[Decision]
) -> None:
    judges = list(project.judges.all())
    (elsewhere,) = factories.make_disputed(project, judges, tags=["time"])
    other = factories.rule(elsewhere, owner, "reject")

    assert rubric_support.like_rulings(three[0]) == three[:2]
    assert rubric_support.like_rulings(other) == [other]
    assert rubric_support.vocabulary_tags(three[0]) == {"negation"}
    assert [rubric_support.is_worth_a_draft(each) for each in (*three, other)] == [True, True, False, False]


def test_a_ruling_supports_one_rule_at_most(project: Project, owner: User, three: list[Decision]) -> None:
    entry = make_entry(project, owner, three[:1], "time")

    assert rubric_support.like_rulings(three[1]) == [three[1]]
    rubric.drop(entry=entry, by=owner)
    assert rubric_support.like_rulings(three[1]) == three[:2]


def test_rulings_against_other_judges_have_another_cause(project: Project, owner: User, three: list[Decision]) -> None:
    judges = list(project.judges.order_by("pk"))
    claim = factories.make_claim(project, tags=["negation"])
    factories.vote(claim, {judges[0]: "reject", judges[1]: "reject", judges[2]: "accept"})
    other = factories.rule(claim, owner, "reject")

    assert rubric_support.like_rulings(other) == [other]
    assert not rubric_support.is_worth_a_draft(other)
    assert rubric_support.covering_entry(other) is None


def test_an_undone_or_overruled_ruling_is_no_support(project: Project, owner: User, three: list[Decision]) -> None:
    decisions.undo(decision=three[0], by=owner)
    factories.rule(three[1].claim, owner, "uncertain")

    assert rubric_support.like_rulings(three[2]) == [three[2]]
    assert not rubric_support.is_worth_a_draft(three[2])


def test_an_entry_covers_rulings_that_point_its_way(project: Project, owner: User, three: list[Decision]) -> None:
    entry = make_entry(project, owner, three[:1], "negation")

    assert [rubric_support.covering_entry(each) for each in three] == [entry, entry, None]
    assert not rubric_support.is_worth_a_draft(three[1])


def test_an_entry_goes_under_review_when_its_last_ruling_is_undone(
    project: Project, owner: User, three: list[Decision]
) -> None:
    entry = rubric.adopt(entry=make_entry(project, owner, three[:2], "negation"), by=owner)

    decisions.undo(decision=three[0], by=owner)
    status_after_one = RubricEntry.objects.get(pk=entry.pk).status
    decisions.undo(decision=three[1], by=owner)

    entry.refresh_from_db()
    events = list(entry.events.values_list("action", "rubric_version"))
    assert (status_after_one, entry.status) == ("active", "under_review")
    assert events == [("drafted", 0), ("adopted", 1), ("support_lost", 1), ("support_lost", 2)]
    assert rubric_support.surviving(entry) == 0
    assert Project.objects.get(pk=project.pk).rubric_version == 2


def test_a_retired_entry_is_left_in_peace(project: Project, owner: User, three: list[Decision]) -> None:
    entry = rubric.drop(entry=make_entry(project, owner, three[:1], "negation"), by=owner)

    decisions.undo(decision=three[0], by=owner)

    entry.refresh_from_db()
    assert (entry.status, entry.events.last().action) == ("retired", "dropped")  # type: ignore[union-attr]
    assert rubric_support.covering_entry(three[1]) is None


def test_a_snapshot_holds_the_whole_text(project: Project, owner: User) -> None:
    text = EntryText("Rule.", "never.", "scope", "Yes.", "No.", ("time",))
    entry = rubric.write(project=project, text=text, by=owner)

    assert rubric_support.snapshot(entry) == {
        "criterion": "Rule.",
        "boundary": "never.",
        "dimension": "scope",
        "positive_example": "Yes.",
        "negative_example": "No.",
        "tags": ["time"],
        "status": "draft",
    }
