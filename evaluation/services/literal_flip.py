"""What the paper's literal propagation would turn over after a ruling; for comparison only, it stores nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evaluation.algorithms.outcome import panel_outcome
from evaluation.algorithms.propagation import flip
from evaluation.algorithms.reliability import weights_of
from evaluation.errors import InvalidInputError
from evaluation.models import Decision, Outcome
from evaluation.schemas import Vote
from evaluation.selectors import outcomes
from evaluation.selectors.neighbours import neighbours_of
from evaluation.services import patterns, track_records


@dataclass(frozen=True)
class Turned:
    """A neighbour that would be turned over."""

    claim_id: str
    text: str
    before: str
    after: str


@dataclass(frozen=True)
class LiteralFlip:
    """The ruled claim's answer as the other rulings leave it, the ruling, and what would follow for its neighbours."""

    before: str
    ruling: str
    n_neighbours: int
    turned: tuple[Turned, ...]
    n_defended: int


def would_flip(*, decision: Decision) -> LiteralFlip:
    """Work out which disputed neighbours a ruling would flip or defend, with the panel as the other rulings leave it.

    Raises InvalidInputError for what is no ruling with an answer.
    """
    if decision.action != Decision.Action.RULE:
        raise InvalidInputError(f"Ruling {decision.pk} set the claim aside: there is no answer to pass on.")
    neighbours = _neighbours(decision)
    weights = _weights_without(decision)
    votes = {outcome.claim_id: patterns.votes_of(outcome.pattern) for outcome in neighbours}
    own = [Vote(voter, label, share) for voter, label, share in decision.votes]
    n_labels = len(decision.project.labels(decision.claim.kind))
    labels = {
        pk: panel_outcome(ballot, _known(weights, ballot, n_labels), n_labels).label
        for pk, ballot in {decision.claim_id: own, **votes}.items()
    }
    change = flip(labels, decision.claim_id, decision.label, list(votes))
    turned = [
        Turned(each.claim.external_id, each.claim.text, labels[each.claim_id] or "", change.labels[each.claim_id])
        for each in neighbours
        if each.claim_id in change.labels
    ]
    before = labels[decision.claim_id] or "split"
    return LiteralFlip(before, decision.label, len(votes), tuple(turned), len(change.defended))


def _neighbours(decision: Decision) -> list[Outcome]:
    claim = decision.claim
    disputed = outcomes.disputed().filter(claim__in=neighbours_of(claim), claim__kind=claim.kind)
    return list(disputed.select_related("claim", "pattern").order_by("claim_id"))


def _weights_without(decision: Decision) -> Mapping[str, float]:
    project, kind = decision.project, decision.claim.kind
    rulings = track_records.rulings_that_count(project, kind)
    own = Outcome.objects.filter(decision=decision, source=Outcome.Source.EXPERT).select_related("pattern").first()
    if own is not None and (mine := (patterns.votes_of(own.pattern), own.settled_label)) in rulings:
        rulings.remove(mine)
    return weights_of(track_records.estimate_all(project, kind, patterns.voters(project), rulings))


def _known(weights: Mapping[str, float], votes: Iterable[Vote], n_labels: int) -> dict[str, float]:
    return {vote.voter: weights.get(vote.voter, patterns.prior_weight(n_labels)) for vote in votes}
