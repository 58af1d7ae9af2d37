"""Turns claims into vectors, once each; only jobs and commands call this, never a page."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from evaluation.llm.protocol import Embedder
from evaluation.models import Claim, Embedding, Project

EMBEDDERS = {
    "sentence_transformer": ("evaluation.embeddings.sentence_transformer", "MiniLM"),
    "hashing": ("evaluation.embeddings.hashing", "HashingEmbedder"),
}
BLOCK = 512


@cache
def embedder() -> Embedder:
    """The embedder of this installation, loaded at its first use in a process."""
    module, name = EMBEDDERS[settings.EMBEDDER]
    made: Embedder = getattr(import_module(module), name)()
    return made


def text_of(claim: Claim) -> str:
    """The text that stands for a claim; a pair is what was asked and both answers."""
    if claim.kind == Claim.Kind.PREFERENCE:
        answers = [claim.response.text, claim.second_response.text if claim.second_response else ""]
        return "\n".join(part for part in (claim.instance.prompt, claim.text, *answers) if part)
    return claim.text


def embed_missing(*, project: Project) -> int:
    """Embed every claim whose text has no vector of this model yet; returns how many were made."""
    name = embedder().name
    have = dict(Embedding.objects.filter(claim__project=project, model=name).values_list("claim_id", "text_hash"))
    claims = project.claims.select_related("instance", "response", "second_response").order_by("pk")
    missing = [claim for claim in claims.iterator(2_000) if have.get(claim.pk) != _hash(text_of(claim))]
    for start in range(0, len(missing), BLOCK):
        _store(missing[start : start + BLOCK], name)
    return len(missing)


def _store(claims: Sequence[Claim], name: str) -> None:
    texts = [text_of(claim) for claim in claims]
    vectors = np.asarray(embedder().embed(texts), dtype=np.float32)
    Embedding.objects.bulk_create(
        [
            Embedding(claim=claim, model=name, text_hash=_hash(text), vector=vector.tobytes())
            for claim, text, vector in zip(claims, texts, vectors, strict=True)
        ],
        update_conflicts=True,
        unique_fields=["claim"],
        update_fields=["model", "text_hash", "vector"],
    )


def matrix(claim_ids: Iterable[int]) -> tuple[list[int], NDArray[np.float32]]:
    """Stored vectors of these claims as (ids, array of shape (n, d)) by id; claims without one are left out."""
    rows = Embedding.objects.filter(claim__in=claim_ids).order_by("claim_id").values_list("claim_id", "vector")
    ids, vectors = [], []
    for claim_id, vector in rows:
        ids.append(claim_id)
        vectors.append(np.frombuffer(vector, dtype=np.float32))
    if not ids:
        return [], np.zeros((0, 1), dtype=np.float32)
    return ids, np.stack(vectors)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
