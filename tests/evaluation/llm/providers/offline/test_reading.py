"""Sources and claims as the judges read them."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.embeddings.hashing import HashingEmbedder
from evaluation.llm.providers.offline.reading import SourceReading
from evaluation.llm.providers.offline.vectors import VectorStore
from evaluation.schemas import SourceText
from tests.evaluation.llm.providers.offline.readings import claim_in

OFFER = SourceText(" Offer 2214 ", "Prices hold. Delivery takes six weeks.")
SHEET = SourceText("Data sheet", "Weight 61 kg.")


def test_a_title_is_the_first_sentence_of_its_document() -> None:
    reading = SourceReading([OFFER, SHEET], None)

    assert [(one.document, one.text, one.is_title) for one in reading.sentences] == [
        (0, "Offer 2214", True),
        (0, "Prices hold.", False),
        (0, "Delivery takes six weeks.", False),
        (1, "Data sheet", True),
        (1, "Weight 61 kg.", False),
    ]


def test_windows_are_sentences_and_neighbours_of_one_document_never_of_two() -> None:
    reading = SourceReading([OFFER, SHEET], None)

    assert reading.windows == ((0,), (1,), (2,), (3,), (4,), (0, 1), (1, 2), (3, 4))


def test_a_citation_quotes_sentences_with_their_title() -> None:
    reading = SourceReading([OFFER, SourceText("", "No title here.")], None)

    assert reading.cite(1, 2) == 'Offer 2214: "Prices hold. Delivery takes six weeks."'
    assert reading.cite(0, 1) == 'Offer 2214: "Prices hold."'
    assert reading.cite(0) == "Offer 2214 (title)"
    assert reading.cite(3) == '"No title here."'


@pytest.mark.parametrize("sources", [[], [SourceText("", "")], [SourceText("  ", "\n\n")]])
def test_empty_sources_have_no_sentence_and_no_cosine(sources: list[SourceText]) -> None:
    reading = SourceReading(sources, VectorStore(HashingEmbedder()))

    assert reading.sentences == ()
    assert reading.stems == frozenset()
    assert reading.cosines("Prices hold.") is None


def test_a_long_sentence_counts_by_its_nearest_piece() -> None:
    filler = " ".join(f"box{at}" for at in range(60))
    reading = SourceReading(
        [SourceText("", f"{filler} the harbour master thanked the crew"), SourceText("", "Weight.")],
        VectorStore(HashingEmbedder()),
    )

    cosines = reading.cosines("the harbour master thanked the crew")

    assert cosines is not None
    assert len(cosines) == len(reading.sentences) == 2
    assert cosines[0] == pytest.approx(1)
    assert cosines[1] < 0.5


def test_without_a_model_words_alone_find_the_nearest_sentence() -> None:
    claim = claim_in("Delivery takes ten weeks.", OFFER, SHEET)

    assert claim.cosines is None
    assert claim.alignments == claim.coverages
    assert claim.closest() == [2]


def test_with_a_model_a_sentence_is_near_by_words_and_meaning_alike() -> None:
    claim = claim_in("Delivery takes ten weeks.", OFFER, SHEET, has_model=True)

    expected = (np.array(claim.coverages) + np.asarray(claim.cosines)) / 2
    assert claim.alignments == pytest.approx(expected)


def test_equally_near_sentences_come_in_the_order_of_the_sources() -> None:
    claim = claim_in("Unrelated matter.", OFFER, SHEET)

    assert claim.closest(3) == [0, 1, 2]


def test_two_sentences_make_the_best_passage_only_where_one_is_not_enough() -> None:
    one = claim_in("Prices hold.", OFFER)
    two = claim_in("Prices hold and delivery takes six weeks.", OFFER)

    assert (one.best_window.places, two.best_window.places) == ((1,), (1, 2))
    assert two.best_window.coverage == pytest.approx(1)


def test_a_claim_without_content_words_covers_nothing() -> None:
    assert claim_in("It is.", OFFER).best_window.coverage == 0
