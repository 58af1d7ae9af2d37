"""How like claims are to the cases behind rubric entries, by stored vectors; nothing is embedded here."""

from __future__ import annotations

import hashlib
from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from evaluation.models import Embedding, Project
from evaluation.schemas import RubricText

CLAIMS_PER_BLOCK = 1_000
BLOCKS_KEPT = 64

Vectors = NDArray[np.float32]
Raw = bytes | memoryview


class Likeness:
    """Cosines between claims of a project and the cases behind entries.

    The cases of an entry are the claims it was made from and claims in the very words of its examples: their vectors
    are stored with the claims. Claims' vectors are read in blocks when one of a block is asked for, and only the
    cosines are kept.
    """

    def __init__(self, project: Project, entries: Sequence[RubricText]) -> None:
        self._project = project
        self._model = _newest_model(project)
        cases = _cases(project, entries, self._model) if self._model else {}
        self._known = [entry.entry_id for entry in entries if entry.entry_id in cases]
        self._unknown = [entry.entry_id for entry in entries if entry.entry_id not in cases]
        self._cases = [cases[entry_id] for entry_id in self._known]
        self._blocks: OrderedDict[int, Mapping[int, Vectors]] = OrderedDict()

    def to_claims(self, claim_ids: Sequence[int]) -> dict[int, float] | None:
        """Entry id to its greatest likeness to one of the claims; None where no stored vector tells.

        An entry without a stored case stands in the middle of the others: nothing speaks for or against it.
        """
        if not self._known:
            return None
        rows = [row for row in map(self._row, claim_ids) if row is not None]
        if not rows:
            return None
        best = np.max(rows, axis=0).tolist()
        middle = sorted(best)[len(best) // 2]
        return dict(zip(self._known, best, strict=True)) | dict.fromkeys(self._unknown, middle)

    def _row(self, claim_id: int) -> Vectors | None:
        number = claim_id // CLAIMS_PER_BLOCK
        if number not in self._blocks:
            self._blocks[number] = self._read(number)
            if len(self._blocks) > BLOCKS_KEPT:
                self._blocks.popitem(last=False)
        return self._blocks[number].get(claim_id)

    def _read(self, number: int) -> dict[int, Vectors]:
        """The cosines of every claim of a block that has a vector: one number for each entry with a case."""
        start = number * CLAIMS_PER_BLOCK
        rows = _stored(self._project, self._model).filter(claim__gte=start, claim__lt=start + CLAIMS_PER_BLOCK)
        found = dict(rows.values_list("claim_id", "vector"))
        if not found:
            return {}
        claims = np.stack([_vector(raw) for raw in found.values()])
        columns = [np.max(claims @ cases.T, axis=1) for cases in self._cases]
        return dict(zip(found, np.stack(columns, axis=1), strict=True))


def _newest_model(project: Project) -> str:
    newest = Embedding.objects.filter(claim__project=project).order_by("-pk")
    return newest.values_list("model", flat=True).first() or ""


def _stored(project: Project, model: str) -> QuerySet[Embedding]:
    return Embedding.objects.filter(claim__project=project, model=model)


def _cases(project: Project, entries: Sequence[RubricText], model: str) -> dict[int, Vectors]:
    """Entry id to the vectors of the claims behind it; two queries."""
    found: dict[int, list[Vectors]] = defaultdict(list)
    for entry_id, raw in (*_ruled(project, entries, model), *_quoted(project, entries, model)):
        found[entry_id].append(_vector(raw))
    return {entry_id: np.stack(vectors) for entry_id, vectors in found.items()}


def _ruled(project: Project, entries: Sequence[RubricText], model: str) -> list[tuple[int, Raw]]:
    standing = _stored(project, model).filter(
        claim__decisions__rubric_entries__in=[entry.entry_id for entry in entries], claim__decisions__undo__isnull=True
    )
    return list(standing.values_list("claim__decisions__rubric_entries", "vector"))


def _quoted(project: Project, entries: Sequence[RubricText], model: str) -> Iterator[tuple[int, Raw]]:
    by_hash: dict[str, list[int]] = defaultdict(list)
    for entry in entries:
        for example in (entry.positive, entry.negative):
            if example is not None:
                by_hash[hashlib.sha256(example.text.encode()).hexdigest()].append(entry.entry_id)
    for digest, raw in _stored(project, model).filter(text_hash__in=by_hash).values_list("text_hash", "vector"):
        for entry_id in by_hash[digest]:
            yield entry_id, raw


def _vector(raw: Raw) -> Vectors:
    return np.frombuffer(raw, dtype=np.float32)
