"""Rubric examples and rulings as precedents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.embeddings.hashing import HashingEmbedder
from evaluation.llm.providers.offline.precedent import find_precedent
from evaluation.llm.providers.offline.vectors import VectorStore
from evaluation.schemas import Label, RubricExample, RubricText, Subject
from tests.evaluation.llm.providers.offline.panel import statement

CLAIM = "Installation is included in the price."


def entry(entry_id: int, *, favoured: str = "", against: str = "", label: Label = Label.REJECT) -> RubricText:
    positive = RubricExample(favoured, Label.ACCEPT) if favoured else None
    return RubricText(
        entry_id, 1, "Rule.", positive=positive, negative=RubricExample(against, label) if against else None
    )


def same_words(one: str, other: str, cosine: float) -> bool:
    return sorted(one.split()) == sorted(other.split())


def found_in(subject: Subject, text: str = CLAIM) -> tuple[int | None, Label | None] | None:
    finding = find_precedent(text, subject, same_words, None)
    return None if finding is None else (finding.entry, finding.label)


def test_no_rubric_is_no_precedent() -> None:
    assert found_in(statement(CLAIM)) is None


@pytest.mark.parametrize(
    ("rule", "expected"),
    [(entry(3, favoured=CLAIM), (3, Label.ACCEPT)), (entry(4, against=CLAIM), (4, Label.REJECT))],
)
def test_an_example_of_either_side_decides(rule: RubricText, expected: tuple[int, Label]) -> None:
    assert found_in(replace(statement(CLAIM), rubric=(rule,))) == expected


def test_an_example_that_makes_another_claim_decides_nothing() -> None:
    assert found_in(replace(statement(CLAIM), rubric=(entry(3, favoured="Delivery is included."),))) is None


def test_the_reason_quotes_the_example_with_the_label_as_people_see_it() -> None:
    subject = replace(statement(CLAIM), rubric=(entry(7, against=CLAIM),))

    finding = find_precedent(CLAIM, subject, same_words, None)

    assert finding is not None
    assert finding.rationale == f'Rule 7 has this as an example of "Not supported": "{CLAIM}"'


def test_an_example_with_a_label_the_project_lacks_is_ignored() -> None:
    labels = {Label.ACCEPT: "Yes", Label.REJECT: "No"}
    subject = replace(statement(CLAIM), labels=labels, rubric=(entry(5, against=CLAIM, label=Label.UNCERTAIN),))

    assert found_in(subject) is None


def test_the_nearest_example_decides_and_of_equally_near_ones_the_lowest_entry() -> None:
    store = VectorStore(HashingEmbedder())
    rules = (entry(3, favoured="The price tag includes it."), entry(9, against=CLAIM), entry(5, favoured=CLAIM))

    finding = find_precedent(CLAIM, replace(statement(CLAIM), rubric=rules), lambda *_: True, store)

    assert finding is not None
    assert (finding.entry, finding.label) == (5, Label.ACCEPT)


def test_the_aligner_is_told_the_cosine_and_zero_without_a_model() -> None:
    told: list[float] = []

    def listen(one: str, other: str, cosine: float) -> bool:
        told.append(cosine)
        return False

    subject = replace(statement(CLAIM), rubric=(entry(3, favoured=CLAIM),))

    for store in (None, VectorStore(HashingEmbedder())):
        find_precedent(CLAIM, subject, listen, store)

    assert told == [0.0, pytest.approx(1)]


def test_in_a_review_the_ruling_on_the_same_claim_comes_before_any_example() -> None:
    reordered = "in the price. Installation is included"
    subject = replace(
        statement(CLAIM, reordered), task="review", ruling=Label.UNCERTAIN, rubric=(entry(3, favoured=CLAIM),)
    )

    assert found_in(subject) == (None, Label.UNCERTAIN)
    assert found_in(replace(subject, task="judge")) == (3, Label.ACCEPT)


def test_a_ruling_on_the_claim_asked_about_itself_is_no_precedent_for_it() -> None:
    assert found_in(replace(statement(CLAIM), task="review", ruling=Label.REJECT)) is None


def test_a_ruling_with_a_label_the_project_lacks_is_ignored() -> None:
    subject = replace(statement(CLAIM, CLAIM), task="review", ruling=Label.TIE)

    assert found_in(subject) is None
