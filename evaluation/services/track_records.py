"""Track records of voters and the re-weighting of all vote patterns that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Count

from evaluation.algorithms.outcome import vote_table
from evaluation.algorithms.reliability import Reliability, reliabilities, weights_of
from evaluation.algorithms.voters import order_of
from evaluation.models import Judge, Project, TrackRecord, VotePattern
from evaluation.schemas import Vote
from evaluation.selectors import outcomes
from evaluation.services import patterns

Ruling = tuple[list[Vote], str]
BLOCK = 1_000
NOTICEABLE = 0.01  # a smaller change of panel support is not counted as firmer or weaker


@dataclass(frozen=True)
class Move:
    """A pattern under new weights, as it was and as it is, with its open claims."""

    pattern: VotePattern
    before_state: str
    before_label: str
    before_support: Mapping[str, float]
    n_claims: int


@dataclass
class Reweighing:
    """What new weights did to open claims: answers that moved, and how many stayed and got firmer or weaker."""

    moves: list[Move] = field(default_factory=list)
    n_firmer: int = 0
    n_weaker: int = 0

    def note(self, move: Move) -> None:
        """Count a pattern that holds open claims."""
        row = move.pattern
        if (row.state, row.label) != (move.before_state, move.before_label):
            self.moves.append(move)
            return
        gain = row.support.get(row.label, 0.0) - move.before_support.get(row.label, 0.0)
        self.n_firmer += row.n_open * (gain > NOTICEABLE)
        self.n_weaker += row.n_open * (gain < -NOTICEABLE)


def rulings_that_count(project: Project, kind: str) -> list[Ruling]:
    """Votes and label of every standing ruling; adopted second opinions and void claims never count."""
    standing = outcomes.ruled(project).filter(claim__kind=kind)
    groups = list(standing.values_list("pattern_id", "settled_label").annotate(n=Count("pk")).order_by())
    rows = VotePattern.objects.in_bulk({pattern_id for pattern_id, _, _ in groups})
    found: list[Ruling] = []
    for pattern_id, label, n in groups:
        found += [(patterns.votes_of(rows[pattern_id]), label)] * n
    return found


def estimate_all(
    project: Project, kind: str, voters: Mapping[str, Judge], rulings: Iterable[Ruling]
) -> dict[str, Reliability]:
    """Reliability of every voter from these rulings, with each judge's prior strength."""
    strengths = {voter: judge.prior_strength for voter, judge in voters.items()}
    return reliabilities(rulings, strengths, len(project.labels(kind)))


def remake(*, project: Project, kind: str) -> Reweighing:
    """Make the track records of a kind anew from the rulings that stand and let all its patterns follow."""
    voters = patterns.voters(project)
    found = estimate_all(project, kind, voters, rulings_that_count(project, kind))
    _store(project, kind, voters, found)
    return reweigh(project=project, kind=kind, weights=weights_of(found))


def _store(project: Project, kind: str, voters: Mapping[str, Judge], found: Mapping[str, Reliability]) -> None:
    fields = ("agreed", "decided", "mean", "lower", "upper", "weight")
    rows = []
    for voter, reliability in found.items():
        if voter not in voters:
            continue
        values = {name: getattr(reliability, name) for name in fields}
        rows.append(TrackRecord(project=project, judge=voters[voter], order=order_of(voter), kind=kind, **values))
    TrackRecord.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["judge", "order", "kind"], update_fields=fields
    )


def reweigh(*, project: Project, kind: str, weights: Mapping[str, float]) -> Reweighing:
    """Bring every pattern of a kind to these weights; returns what that did to those that hold open claims."""
    done = Reweighing()
    known = patterns.weights(project, kind) | dict(weights)
    query = project.patterns.filter(kind=kind).exclude(votes=[]).order_by("pk")
    last = 0
    while rows := list(query.filter(pk__gt=last)[:BLOCK]):
        last = rows[-1].pk
        _reweigh_block(rows, known, len(project.labels(kind)), done)
    return done


def _reweigh_block(rows: list[VotePattern], weights: Mapping[str, float], n_labels: int, done: Reweighing) -> None:
    ballots = [patterns.votes_of(row) for row in rows]
    known = {
        vote.voter: weights.get(vote.voter, patterns.prior_weight(n_labels)) for votes in ballots for vote in votes
    }
    found = vote_table(ballots).outcomes(known, n_labels)
    for index, row in enumerate(rows):
        move = Move(row, row.state, row.label, row.support, row.n_open)
        patterns.take(row, found.outcome(index))
        if row.n_open:
            done.note(move)
    VotePattern.objects.bulk_update(rows, ["state", "label", "support", "entropy"], batch_size=200)
