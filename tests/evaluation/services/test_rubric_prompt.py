"""Which rules a judge reads: those in force, like ones first, as far as they fit, and the others by name."""

from __future__ import annotations

import time

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.errors import InvalidInputError
from evaluation.methods.juryflow_rubric import rubric_tokens
from evaluation.models import Claim, Project, RubricEntry
from evaluation.schemas import Label, RubricExample
from evaluation.services import rubric, rubric_prompt, vectors
from evaluation.services.rubric_prompt import Shown
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db


def adopt(project: Project, owner: User, text: str, *tags: str, example: str = "") -> RubricEntry:
    written = rubric.write(project=project, text=EntryText(text, negative_example=example, tags=tags), by=owner)
    return rubric.adopt(entry=written, by=owner)


def leave_room(project: Project, *entries: RubricEntry) -> None:
    """Set the budget to what these entries take together."""
    tokens = sum(rubric_tokens(rubric_prompt.as_text(entry)) for entry in entries)
    project.parameters = {"rubric_characters": 4 * tokens}
    project.save()


def read(shown: Shown) -> list[str]:
    return [entry.criterion for entry in shown.entries]


def test_rules_in_force_of_the_kind_are_shown_like_ones_first(project: Project, owner: User) -> None:
    adopt(project, owner, "First.", "time")
    like = adopt(project, owner, "Second.", "negation")
    adopt(project, owner, "For all claims.")
    rubric.write(project=project, text=EntryText("A draft."), by=owner)
    rubric.retire(entry=adopt(project, owner, "Gone."), by=owner)

    shown = rubric_prompt.load(project, "statement").choose(tags={"negation"})

    assert read(shown) == ["Second.", "For all claims.", "First."]
    assert (shown.entries[0].entry_id, shown.left_out) == (like.pk, ())
    assert rubric_prompt.load(project, "preference").choose() == Shown()


def test_what_does_not_fit_is_named(project: Project, owner: User) -> None:
    first, last = adopt(project, owner, "x" * 30), adopt(project, owner, "z" * 20)
    long = adopt(project, owner, "A long\nrule about " + "y" * 400, "time")
    leave_room(project, first, last)

    shown = rubric_prompt.load(project, "statement").choose(tags={"time"})

    assert read(shown) == ["x" * 30, "z" * 20]
    assert shown.left_out == (f"rule {long.pk} (A long rule about {'y' * 42}…)",)


def test_of_many_that_do_not_fit_the_later_are_named_by_number(project: Project, owner: User) -> None:
    entries = [adopt(project, owner, f"Rule {number}.") for number in range(14)]
    project.parameters = {"rubric_characters": 0}
    project.save()

    left_out = rubric_prompt.load(project, "statement").choose().left_out

    assert left_out[11] == f"rule {entries[11].pk} (Rule 11.)"
    assert left_out[12:] == tuple(f"rule {entry.pk}" for entry in entries[12:])


def test_under_a_tight_budget_the_rule_with_the_likest_example_is_read(project: Project, owner: User) -> None:
    price, alarm = "Installation is included in the price.", "The alarm sounds after five minutes."
    claim, *_ = (factories.make_claim(project, text) for text in ("The alarm sounds after ten minutes.", price, alarm))
    about_price = adopt(project, owner, "Check prices.", "a tag", example=price)
    about_alarm = adopt(project, owner, "Check alarms.", "a tag", example=alarm)
    leave_room(project, about_alarm)

    without_vectors = rubric_prompt.load(project, "statement").choose([claim])
    vectors.embed_missing(project=project)
    by_likeness = rubric_prompt.load(project, "statement").choose([claim])
    by_tag = rubric_prompt.load(project, "statement").choose([claim], {"a tag"})

    assert (read(without_vectors), read(by_likeness), read(by_tag)) == (
        ["Check prices."],
        ["Check alarms."],
        ["Check alarms."],
    )
    assert by_likeness.left_out == (f"rule {about_price.pk} (Check prices.)",)


def test_a_tag_counts_more_than_likeness(project: Project, owner: User) -> None:
    text = "The alarm sounds after ten minutes."
    claim = factories.make_claim(project, text)
    vectors.embed_missing(project=project)
    adopt(project, owner, "Same words.", "price", example=text)
    tagged = adopt(project, owner, "Same tag.", "time", example="Something else entirely is said here.")
    leave_room(project, tagged)

    assert read(rubric_prompt.load(project, "statement").choose([claim], {"time"})) == ["Same tag."]


def test_an_entry_that_is_tried_is_always_read_and_one_tried_without_never(project: Project, owner: User) -> None:
    in_force = adopt(project, owner, "In force.")
    draft = rubric.write(project=project, text=EntryText("A draft that takes more room than there is."), by=owner)
    leave_room(project, in_force)
    shelf = rubric_prompt.load(project, "statement")

    with_draft = shelf.trying(with_entry=draft.pk).choose()
    without = shelf.trying(without_entry=in_force.pk, wording=1).choose()

    assert (read(with_draft), with_draft.left_out) == ([draft.criterion], (f"rule {in_force.pk} (In force.)",))
    assert (read(without), without.left_out) == ([], ())
    assert shelf.trying() is shelf
    assert read(shelf.trying(without_entry=draft.pk).choose()) == ["In force."]
    with pytest.raises(InvalidInputError, match="is gone"):
        shelf.trying(with_entry=draft.pk + 1)


def test_an_entry_carries_its_examples_with_their_labels(project: Project) -> None:
    entry = RubricEntry.objects.create(
        project=project, criterion="Rule.", negative_example="No.", negative_label="uncertain", tags=["time"], version=3
    )

    text = rubric_prompt.as_text(entry)

    assert (text.positive, text.negative) == (None, RubricExample("No.", Label.UNCERTAIN))
    assert (text.version, text.tags) == (3, ("time",))


def test_an_edit_is_seen_by_later_calls_only_as_a_new_version(project: Project, owner: User) -> None:
    entry = adopt(project, owner, "Old.")
    before = rubric_prompt.load(project, "statement")

    rubric.edit(entry=entry, text=EntryText("New."), by=owner)
    after = rubric_prompt.load(Project.objects.get(pk=project.pk), "statement")

    shown = [*before.choose().entries, *after.choose().entries]
    assert [(each.criterion, each.version) for each in shown] == [("Old.", 1), ("New.", 2)]


def test_choosing_reads_nothing_again_and_takes_a_fraction_of_a_millisecond(project: Project, owner: User) -> None:
    texts = [f"{letter * 5} {other * 5} holds." for letter in "abcdefgh" for other in "stuvw"]
    claims = [factories.make_claim(project, text, tags=["time"]) for text in texts]
    vectors.embed_missing(project=project)
    RubricEntry.objects.bulk_create(
        RubricEntry(project=project, criterion="Rule.", status="active", negative_example=claim.text, tags=["time"])
        for claim in claims
    )
    leave_room(project, *RubricEntry.objects.all()[:10])
    calls = [claims[start : start + 3] for start in range(30)]
    with CaptureQueriesContext(connection) as loading:
        shelf = rubric_prompt.load(project, "statement")
        shelf.choose(claims, {"time"})

    with CaptureQueriesContext(connection) as choosing:
        started = time.perf_counter()
        shown = [shelf.choose(call, {"time"}) for call in calls for _ in range(10)]
        seconds = (time.perf_counter() - started) / len(shown)

    assert (len(loading), len(choosing)) == (4 + len({claim.pk // 1_000 for claim in claims}), 0)
    assert len({shown_once.entries for shown_once in shown}) > 1
    assert seconds < 0.002


def test_the_first_claims_of_a_project_come_before_there_are_vectors(project: Project, owner: User) -> None:
    one, other = adopt(project, owner, "One."), adopt(project, owner, "Other.")
    leave_room(project, one)

    shown = rubric_prompt.load(project, "statement").choose([Claim(pk=1)], set())

    assert read(shown) == ["One."]
    assert shown.left_out == (f"rule {other.pk} (Other.)",)
