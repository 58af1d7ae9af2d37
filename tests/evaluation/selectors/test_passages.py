from __future__ import annotations

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
