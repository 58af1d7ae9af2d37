from __future__ import annotations

import json

import pytest

from evaluation.demo import larkhaven
from evaluation.models import Document
from evaluation.selectors.passages import sources_of

OFFER = (
    "One unit costs 1,940 EUR. Delivery takes six weeks.\n\nPrices hold until September. Installation is not included."
)


def document(text: str, title: str = "Offer") -> Document:
    return Document(pk=len(text) + 1, title=title, text=text)


def test_it_finds_the_sentence_that_shares_most_words() -> None:
    source = sources_of([document(OFFER)], "Installation is included in the price.")[0]

    assert source.best is not None
    assert source.best.sentence == "Installation is not included."
    assert source.best.before.strip() == "Prices hold until September."
    assert source.best.paragraph == 2


def test_the_best_document_comes_first() -> None:
    found = sources_of([document("Weight 61 kg.", "Sheet"), document(OFFER)], "Delivery takes six weeks.")

    assert [source.title for source in found] == ["Offer", "Sheet"]
    assert found[1].best is None


def test_a_figure_counts_as_a_word() -> None:
    source = sources_of([document("It weighs 61 kg. It holds 140 litres.")], "61")[0]

    assert source.best is not None
    assert source.best.sentence == "It weighs 61 kg."


def test_a_document_without_text_has_no_passage() -> None:
    assert sources_of([document("")], "Anything at all.")[0].passages == ()


def test_long_neighbours_are_cut_but_the_sentence_stays_whole() -> None:
    long = "Word " * 400 + ". Installation is not included. " + "more " * 400

    best = sources_of([document(long)], "Installation is included.")[0].best

    assert best is not None
    assert best.sentence == "Installation is not included."
    assert best.before.startswith("… ")
    assert best.after.endswith(" …")


def demo_documents() -> list[Document]:
    records = [json.loads(line) for line in larkhaven.FILE.read_text().splitlines()]
    texts = [(record["title"], record["text"]) for record in records if record["type"] == "document"]
    return [Document(pk=number, title=title, text=text) for number, (title, text) in enumerate(texts, start=1)]


def test_the_sentence_with_the_same_unit_in_the_document_that_is_named_comes_first() -> None:
    found = sources_of(demo_documents(), "The fridge holds out three hours longer than the rule asks.")

    sentences = [source.best.sentence for source in found if source.best]
    assert sentences[0] == "Stock must survive 8 hours without power."
    assert "11 hours" in sentences[1]
    assert [source.best.is_weak for source in found if source.best] == [False, False, True]


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("It runs for 11 hours.", "Cold for 11 hours."),
        ("It runs for 9 hours.", "Cold for 11 hours."),
        ("It runs for 90 minutes.", "Cold for 11 hours."),
        ("At most 61 may enter.", "There are 61 of them."),
    ],
)
def test_an_amount_a_unit_or_a_sort_of_quantity_finds_its_sentence(claim: str, sentence: str) -> None:
    source = sources_of([document("Weight 70 kg. Cold for 11 hours. There are 61 of them. Blue.")], claim)[0]

    assert source.best is not None
    assert source.best.sentence == sentence


def test_one_common_word_among_many_is_a_weak_match() -> None:
    best = sources_of([document(OFFER)], "The supplier trains every nurse on the new units before winter.")[0].best

    assert best is not None
    assert best.is_weak
