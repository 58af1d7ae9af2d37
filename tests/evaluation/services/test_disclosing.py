"""Who reads a rule, and taking private things out of it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.errors import InvalidInputError, NotAllowedError
from evaluation.models import Project, RubricEntry
from evaluation.services import disclosing, judges, rubric
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db

TEXT = EntryText(
    'A delivery is "Supported" only if Ana Vogel signed for it.',
    boundary="Bea signed in her place",
    dimension="who",
    positive_example="We know that Ana Vogel signed; ask ana@clinic.example or +49 30 123456.",
    negative_example="We know that Anaïs signed.",
    tags=("who does what",),
)


@pytest.fixture
def entry(project: Project, owner: User) -> RubricEntry:
    return rubric.write(project=project, text=TEXT, by=owner)


def test_receivers_are_the_active_judges_of_providers(project: Project, entry: RubricEntry) -> None:
    asked, off = (factories.make_asked_judge(project, f"http://127.0.0.1:{port}/v1") for port in (9, 8))
    judges.set_active(judge=off, is_active=False)

    before = disclosing.disclosure(entry=entry)
    judges.add_offline_panel(project=project)

    assert (before.recipients, before.has_offline) == ((judges.recipient(asked),), False)
    assert disclosing.disclosure(entry=entry).has_offline
    assert 0 < before.n_tokens < before.n_tokens_for_all == 3_000


def test_what_may_be_private_is_listed_once(entry: RubricEntry) -> None:
    assert [found.text for found in disclosing.disclosure(entry=entry).private] == [
        "Ana Vogel",
        "ana@clinic.example",
        "+49 30 123456",
        "Anaïs",
    ]


def test_what_is_ticked_is_replaced_everywhere_as_a_new_wording(entry: RubricEntry, owner: User) -> None:
    ticked = ["Ana Vogel", "ana@clinic.example", "+49 30 123456", "Anaïs", "signed"]

    after = disclosing.redact(entry=entry, written=ticked, by=owner)

    assert after.criterion == 'A delivery is "Supported" only if [name A] signed for it.'
    assert after.positive_example == "We know that [name A] signed; ask [e-mail] or [phone number]."
    assert after.negative_example == "We know that [name B] signed."
    assert (after.boundary, after.dimension, after.tags, after.version) == (TEXT.boundary, "who", ["who does what"], 2)
    assert list(after.events.values_list("action", flat=True)) == ["drafted", "edited"]


def test_names_a_project_lists_are_found_and_it_is_said_that_some_is_masked_anyway(
    project: Project, entry: RubricEntry
) -> None:
    before = disclosing.disclosure(entry=entry)
    project.deidentify = {"names": ["signed"]}
    project.save()
    entry.project.refresh_from_db()

    after = disclosing.disclosure(entry=entry)

    assert (before.is_masked, after.is_masked) == (False, True)
    assert "signed" in [found.text for found in after.private]


def test_one_name_needs_no_letter_and_a_part_of_a_word_is_left_alone(entry: RubricEntry, owner: User) -> None:
    after = disclosing.redact(entry=entry, written=["Ana Vogel"], by=owner)

    assert after.criterion == 'A delivery is "Supported" only if [name] signed for it.'
    assert after.negative_example == TEXT.negative_example


def test_nothing_ticked_that_is_there_is_refused(entry: RubricEntry, owner: User) -> None:
    for written in ([], ["signed"], ["Nobody"]):
        with pytest.raises(InvalidInputError, match="Tick at least one"):
            disclosing.redact(entry=entry, written=written, by=owner)

    entry.refresh_from_db()
    assert entry.version == 1


def test_a_rule_in_force_is_an_owners_to_redact(entry: RubricEntry, owner: User) -> None:
    rubric.adopt(entry=entry, by=owner)

    with pytest.raises(NotAllowedError, match="Only an owner"):
        disclosing.redact(entry=entry, written=["Ana Vogel"], by=factories.make_member(entry.project).user)
