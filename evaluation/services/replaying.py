"""Replays recorded votes with a simulated expert; reads files only and never opens the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.algorithms.claim_graph import ClaimGraph, GraphSettings, build
from evaluation.algorithms.simulation.recorded import RecordedItem
from evaluation.algorithms.simulation.replay import ReplayResult, ReplaySettings, replay
from evaluation.errors import InvalidInputError
from evaluation.exchange import detect
from evaluation.exchange.detect import ReadOptions
from evaluation.exchange.records import Bundle, VerdictRecord
from evaluation.schemas import ClaimKind, PresentationOrder, UpdateRule, VerdictState, Vote
from evaluation.services import vectors

FIRST_ORDER = (PresentationOrder.AS_GIVEN,)
REFUSALS_SHOWN = 3


@dataclass(frozen=True)
class Recording:
    """Items with gold and votes, the judge of each voter, and what a claim graph over the items needs."""

    items: tuple[RecordedItem, ...]
    judge_of: Mapping[str, str]
    texts: tuple[str, ...]
    tags: tuple[frozenset[str], ...]


def read(*, path: Path, fmt: str = "", options: ReadOptions = detect.NO_OPTIONS) -> Recording:
    """Read a file or tree with votes and gold. Raises InvalidInputError for what is refused or cannot be replayed."""
    parsed = detect.read(path, fmt or None, options)
    if parsed.refusals:
        first = "\n".join(f"  {refusal}" for refusal in parsed.refusals[:REFUSALS_SHOWN])
        raise InvalidInputError(f"The votes cannot be read; refused places: {len(parsed.refusals)}. First:\n{first}")
    return recording(bundle=parsed.bundle, orders=options.orders)


def recording(*, bundle: Bundle, orders: Sequence[PresentationOrder] = FIRST_ORDER) -> Recording:
    """Lay out the claims that have gold with their votes in these orders, a voter per judge and order.

    Raises InvalidInputError without such a claim or vote, or where claims of several kinds have gold.
    """
    claims = [claim for claim in bundle.claims if claim.gold is not None]
    kinds = {claim.kind for claim in claims}
    if len(kinds) > 1:
        raise InvalidInputError(f"The file has gold for {' and '.join(sorted(kinds))} claims: give one kind at a time.")
    votes: dict[str, list[VerdictRecord]] = defaultdict(list)
    for verdict in bundle.verdicts:
        if verdict.order in orders:
            votes[verdict.claim_id].append(verdict)
    judged = [claim for claim in claims if votes[claim.external_id]]
    if not judged:
        raise InvalidInputError("No claim of the file has both gold and votes: nothing can be compared.")
    prompts = {instance.external_id: instance.prompt for instance in bundle.instances}
    is_pair = ClaimKind.PREFERENCE in kinds
    return Recording(
        items=tuple(_item(claim.external_id, str(claim.gold), votes[claim.external_id]) for claim in judged),
        judge_of={_voter(verdict): verdict.judge for of_claim in votes.values() for verdict in of_claim},
        texts=tuple((prompts.get(claim.instance_id, "") if is_pair else "") or claim.text for claim in judged),
        tags=tuple(frozenset(claim.tags) for claim in judged),
    )


def _voter(verdict: VerdictRecord) -> str:
    is_swapped = verdict.order is PresentationOrder.SWAPPED
    return f"{verdict.judge} · swapped" if is_swapped else verdict.judge


def _item(name: str, gold: str, verdicts: Sequence[VerdictRecord]) -> RecordedItem:
    said: dict[str, list[str]] = defaultdict(list)
    for verdict in verdicts:
        if verdict.state is VerdictState.CAST and verdict.label is not None:
            said[_voter(verdict)].append(str(verdict.label))
    votes = tuple(Vote(voter, label, 1 / len(labels)) for voter, labels in said.items() for label in labels)
    failed = dict.fromkeys(_voter(verdict) for verdict in verdicts if verdict.state is VerdictState.FAILED)
    return RecordedItem(name, gold, votes, tuple(voter for voter in failed if voter not in said))


def run(*, recording: Recording, settings: ReplaySettings, graph: GraphSettings | None = None) -> ReplayResult:
    """Let a simulated expert reveal gold; the rule `flip` embeds the items' texts and joins them in a graph first.

    Raises InvalidInputError where there is nothing to simulate, or `flip` has an item without a text.
    """
    joined = _graph(recording, graph or GraphSettings()) if settings.update is UpdateRule.FLIP else None
    try:
        return replay(recording.items, settings, recording.judge_of, joined)
    except ValueError as error:
        raise InvalidInputError(f"This cannot be replayed: {error}.") from error


def summary(*, recording: Recording) -> ReplayResult:
    """Majority, judges and disagreement before any ruling; what follows the first ruling is of no interest here."""
    return run(recording=recording, settings=ReplaySettings(decisions=1, seeds=1))


def _graph(recording: Recording, settings: GraphSettings) -> ClaimGraph:
    if not all(text.strip() for text in recording.texts):
        raise InvalidInputError("The rule flip follows likeness of texts, and the file has items without one.")
    embeddings = np.asarray(vectors.embedder().embed(list(recording.texts)), dtype=np.float32)
    vocabulary = sorted(frozenset().union(*recording.tags))
    return build(embeddings, recording.tags, vocabulary, settings)
