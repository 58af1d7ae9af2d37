"""How like claims are to the cases behind rules, from stored vectors alone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import Claim, Embedding, Project
from evaluation.schemas import Label, RubricExample, RubricText
from evaluation.services import decisions, rubric, rubric_prompt, vectors
from evaluation.services.rubric_likeness import CLAIMS_PER_BLOCK, Likeness
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db

ALARM = "The alarm sounds after five minutes without power."
PRICE = "Installation is included in the price of the fridge."
NEAR_ALARM = "The alarm sounds after ten minutes without power."


def quoting(number: int, example: str) -> RubricText:
    return RubricText(number, 1, "Rule.", negative=RubricExample(example, Label.REJECT))


def embedded(project: Project, *texts: str) -> list[Claim]:
    made = [factories.make_claim(project, text) for text in texts]
    vectors.embed_missing(project=project)
    return made


def test_an_entry_is_as_like_as_the_claim_its_example_quotes(project: Project) -> None:
    near, _, _ = embedded(project, NEAR_ALARM, ALARM, PRICE)

    found = Likeness(project, [quoting(1, PRICE), quoting(2, ALARM)]).to_claims([near.pk])

    assert found is not None
    assert found[2] > 0.7 > found[1]


def test_of_several_claims_the_likest_counts(project: Project) -> None:
    near, far, _ = embedded(project, NEAR_ALARM, PRICE, ALARM)
    likeness = Likeness(project, [quoting(2, ALARM)])

    assert likeness.to_claims([near.pk, far.pk]) == likeness.to_claims([near.pk])


def test_the_claims_an_entry_was_made_from_are_its_cases_while_their_rulings_stand(
    project: Project, owner: User
) -> None:
    judges = factories.make_judges(project)
    (ruled,) = factories.make_disputed(project, judges)
    Claim.objects.filter(pk=ruled.pk).update(text=ALARM)
    (near,) = embedded(project, NEAR_ALARM)
    decision = factories.rule(ruled, owner, "reject")
    entry = rubric.write(project=project, text=EntryText("Check times."), by=owner)
    entry.decisions.add(decision)
    text = rubric_prompt.as_text(entry)

    standing = Likeness(project, [text]).to_claims([near.pk])
    decisions.undo(decision=decision, by=owner)

    assert standing is not None
    assert standing[entry.pk] > 0.7
    assert Likeness(project, [text]).to_claims([near.pk]) is None


def test_an_entry_without_a_case_stands_in_the_middle(project: Project) -> None:
    near, *_ = embedded(project, NEAR_ALARM, ALARM, PRICE, "The door is red.")
    entries = [quoting(1, ALARM), quoting(2, PRICE), quoting(3, "The door is red."), quoting(4, "Never said.")]

    found = Likeness(project, entries).to_claims([near.pk])

    assert found is not None
    assert found[4] == sorted([found[1], found[2], found[3]])[1]


def test_without_vectors_nothing_is_told(project: Project) -> None:
    claim = factories.make_claim(project, ALARM)
    assert Likeness(project, [quoting(1, ALARM)]).to_claims([claim.pk]) is None

    vectors.embed_missing(project=project)
    Embedding.objects.filter(claim=claim).delete()

    assert Likeness(project, [quoting(1, ALARM)]).to_claims([claim.pk]) is None


def test_vectors_of_an_older_model_are_not_compared(project: Project) -> None:
    old, new = embedded(project, ALARM, NEAR_ALARM)
    Embedding.objects.filter(claim=old).update(model="an older one", vector=b"\x00" * 8)

    assert Likeness(project, [quoting(1, ALARM)]).to_claims([old.pk, new.pk]) is None


def test_claims_are_read_in_blocks(project: Project) -> None:
    claims = embedded(project, *(f"Claim {number} holds." for number in range(20)), ALARM)
    likeness = Likeness(project, [quoting(1, ALARM)])

    with CaptureQueriesContext(
        connection,
    ) as queries:
        for claim in claims:
            likeness.to_claims([claim.pk])

    assert len(queries) == len({claim.pk // CLAIMS_PER_BLOCK for claim in claims})
