"""What the judges of a process share."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from evaluation.algorithms.alignment import is_same_claim
from evaluation.embeddings.hashing import HashingEmbedder
from evaluation.llm.providers.offline.library import Library, shared_library
from evaluation.llm.providers.offline.model import OfflineModel
from evaluation.schemas import SourceText
from tests.evaluation.llm.providers.offline.panel import Panel
from tests.evaluation.llm.providers.offline.readings import CountingEmbedder

SOURCES = (SourceText("Offer", "Prices hold until 30 September."),)


def test_the_same_sources_are_read_once() -> None:
    library = Library(None)

    assert library.sources(SOURCES) is library.sources((SourceText("Offer", "Prices hold until 30 September."),))
    assert library.sources(SOURCES) is not library.sources((SourceText("Other", "Prices hold until 30 September."),))


def test_threads_that_ask_at_once_get_one_reading() -> None:
    library = Library(None)

    with ThreadPoolExecutor(8) as pool:
        readings = list(pool.map(lambda _: library.sources(SOURCES), range(32)))

    assert len({id(reading) for reading in readings}) == 1


def test_judges_with_one_embedder_share_a_library_and_others_do_not() -> None:
    one, other = HashingEmbedder(), HashingEmbedder()

    assert shared_library(one) is shared_library(one)
    assert shared_library(one) is not shared_library(other)
    assert shared_library(None) is shared_library(None)
    assert shared_library(None).store is None


def test_libraries_of_embedders_long_gone_are_forgotten() -> None:
    first = shared_library(embedder := HashingEmbedder())

    for _ in range(10):
        shared_library(HashingEmbedder())

    assert shared_library(embedder) is not first


def test_each_text_is_embedded_once_for_all_judges() -> None:
    embedder = CountingEmbedder()

    for claim in ("Prices hold until 30 September.", "Installation is included.", "Installation is included."):
        Panel(OfflineModel(embedder, is_same_claim)).votes(claim)

    assert len(embedder.texts) == len(set(embedder.texts)) > 0
