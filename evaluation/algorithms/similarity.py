"""Structural similarity of claims: shared dimension tags and close embeddings, for whole blocks of pairs at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def jaccard(first: frozenset[str], second: frozenset[str], vocabulary: frozenset[str]) -> float | None:
    """Jaccard index of two claims' tags, counting vocabulary tags only.

    Parameters
    ----------
    first, second
        Tags of the two claims; those outside the vocabulary (`other:`) are left out.
    vocabulary
        The project's tags.

    Returns
    -------
    float or None
        ``|A & B| / |A | B|``; None where either claim has no vocabulary tag, for then tags say nothing.

    References
    ----------
    P. Jaccard, "The Distribution of the Flora in the Alpine Zone", New Phytologist 11 (1912).

    Examples
    --------
    >>> jaccard(frozenset("ab"), frozenset("bc"), frozenset("abc"))
    0.3333333333333333
    """
    first, second = first & vocabulary, second & vocabulary
    if not first or not second:
        return None
    return len(first & second) / len(first | second)


def combine(cosine: float, jaccard_index: float | None, alpha: float) -> float:
    """Weight of one pair, ``alpha J + (1 - alpha) max(0, cosine)``; ``max(0, cosine)`` alone without tags.

    Examples
    --------
    >>> combine(0.5, 1.0, alpha=0.5), combine(0.5, None, alpha=0.5), combine(-0.5, 0.0, alpha=0.5)
    (0.75, 0.5, 0.0)
    """
    closeness = max(0.0, cosine)
    return closeness if jaccard_index is None else alpha * jaccard_index + (1 - alpha) * closeness


@dataclass(frozen=True, eq=False)
class Features:
    """Claims laid out for block products; `damped` is `unit` times 1 - alpha where a claim has vocabulary tags."""

    alpha: float
    unit: Floats  # (n, d), rows of length one, or zero for an empty embedding
    damped: Floats  # (n, d)
    shared: Floats  # (n, V), 0/1 per vocabulary tag
    union_left: Floats  # (n, V + 2)
    union_right: Floats  # (n, V + 2); left @ right.T = |A| + |B| - |A & B|
    is_tagged: NDArray[np.bool_]  # (n,)

    def __len__(self) -> int:
        return len(self.unit)


def features(embeddings: Floats, tags: Sequence[frozenset[str]], vocabulary: Sequence[str], alpha: float) -> Features:
    """Normalise embeddings and lay tags out as a 0/1 matrix.

    Parameters
    ----------
    embeddings
        (n, d) float32; need not have length one. A row of zeros is similar to nothing.
    tags
        Tags of each claim; those outside `vocabulary` are left out.
    vocabulary
        The project's tags.
    alpha
        Share of the tags in the weight, in [0, 1].

    Returns
    -------
    Features
        Input of `weight_block`.

    Raises
    ------
    ValueError
        If the lengths differ, `alpha` is outside [0, 1], or an embedding is not finite.
    """
    if embeddings.ndim != 2 or len(embeddings) != len(tags):
        raise ValueError(f"{len(tags)} claims need a table of {len(tags)} embeddings, not one of {embeddings.shape}")
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must be between 0 and 1, not {alpha}")
    if not np.isfinite(embeddings).all():
        raise ValueError("an embedding has a value that is not a number; embed the claims again")
    column = {tag: i for i, tag in enumerate(dict.fromkeys(vocabulary))}
    shared = np.zeros((len(tags), len(column)), dtype=np.float32)
    marks = [(row, column[tag]) for row, found in enumerate(tags) for tag in found if tag in column]
    if marks:
        shared[tuple(np.array(marks).T)] = 1.0
    sizes = shared.sum(axis=1, keepdims=True)
    ones = np.ones_like(sizes)
    lengths = np.linalg.norm(embeddings, axis=1, keepdims=True)
    unit = (embeddings / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return Features(
        alpha=alpha,
        unit=unit,
        damped=unit * np.where(sizes > 0, np.float32(1 - alpha), np.float32(1)),
        shared=shared,
        union_left=np.hstack([-shared, sizes, ones]),
        union_right=np.hstack([shared, ones, sizes]),
        is_tagged=sizes[:, 0] > 0,
    )


def row_blocks(claims: Features, max_cells: int = 2_500_000) -> list[NDArray[np.int64]]:
    """Cut the claims into blocks of rows, either all with vocabulary tags or all without.

    Parameters
    ----------
    claims
        The n claims.
    max_cells
        Largest number of pairs in one block; a block holds at least one row.

    Returns
    -------
    list of (b,) arrays
        Row numbers; every claim is in one block.
    """
    size = max(1, max_cells // max(1, len(claims)))
    groups = (np.flatnonzero(claims.is_tagged), np.flatnonzero(~claims.is_tagged))
    return [rows[start : start + size] for rows in groups for start in range(0, len(rows), size)]


def weight_block(claims: Features, rows: NDArray[np.int64]) -> Floats:
    """Weights between some claims and all claims.

    Parameters
    ----------
    claims
        The n claims.
    rows
        (b,) row numbers, all with vocabulary tags or all without (see `row_blocks`).

    Returns
    -------
    (b, n) float32
        ``w_ij = alpha J_ij + (1 - alpha) max(0, cosine_ij)``, ``max(0, cosine_ij)`` where either has no tag.

    Raises
    ------
    ValueError
        If `rows` mixes claims with and without tags.

    Notes
    -----
    Jaccard comes from two thin products: shared tags over ``|A| + |B| - shared``. The factor 1 - alpha sits in the
    embeddings of tagged claims, so that no further pass over the pairs is needed. Cost: O(b n d).
    """
    tagged = claims.is_tagged[rows]
    if tagged.any() != tagged.all():
        raise ValueError("a block of claims must be all with or all without tags")
    left = claims.unit[rows]
    if not tagged.any():
        weights: Floats = left @ claims.unit.T
        return np.maximum(weights, 0, out=weights)
    weights = left @ claims.damped.T
    np.maximum(weights, 0, out=weights)
    index = (claims.shared[rows] * np.float32(claims.alpha)) @ claims.shared.T
    index /= claims.union_left[rows] @ claims.union_right.T
    weights += index
    return weights
