"""Track records of voters and the re-weighting of all vote patterns that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count

from evaluation.algorithms.outcome import vote_table
from evaluation.algorithms.reliability import Reliability, reliabilities, weights_of
from evaluation.models import Decision, Judge, Outcome, Project, TrackRecord, VotePattern
from evaluation.schemas import Vote
from evaluation.services import patterns

Ruling = tuple[list[Vote], str]
BLOCK = 1_000


@dataclass(frozen=True)
class Move:
    """A pattern whose current answer moved, as it was and as it is."""

    pattern: VotePattern
    before_state: str
    before_label: str
    n_claims: int


def rulings_that_count(project: Project, kind: str) -> list[Ruling]:
    """Votes and label of every standing ruling; adopted second opinions and void claims never count."""
    standing = Outcome.objects.filter(
        project=project,
        source=Outcome.Source.EXPERT,
        claim__kind=kind,
        claim__is_void=False,
        decision__source=Decision.Source.OWN,
    )
    groups = list(standing.values_list("pattern_id", "settled_label").annotate(n=Count("pk")).order_by())
    rows = VotePattern.objects.in_bulk({pattern_id for pattern_id, _, _ in groups})
    found: list[Ruling] = []
    for pattern_id, label, n in groups:
        found += [(patterns.votes_of(rows[pattern_id]), label)] * n
    return found


def count_rulings(project: Project) -> int:
    """How many rulings count so far, over all kinds."""
    return sum(len(rulings_that_count(project, kind)) for kind in project.questions)


def estimate_all(
    project: Project, kind: str, voters: Mapping[str, Judge], rulings: Iterable[Ruling]
) -> dict[str, Reliability]:
    """Reliability of every voter from these rulings, with each judge's prior strength."""
    strengths = {voter: judge.prior_strength for voter, judge in voters.items()}
    return reliabilities(rulings, strengths, len(project.labels(kind)))


def remake(*, project: Project, kind: str) -> list[Move]:
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
        order = voter.partition("/")[2] or "as_given"
        values = {name: getattr(reliability, name) for name in fields}
        rows.append(TrackRecord(project=project, judge=voters[voter], order=order, kind=kind, **values))
    TrackRecord.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["judge", "order", "kind"], update_fields=fields
    )


def reweigh(*, project: Project, kind: str, weights: Mapping[str, float]) -> list[Move]:
    """Bring every pattern of a kind to these weights; returns those whose answer moved and that hold open claims."""
    moves: list[Move] = []
    known = patterns.weights(project, kind) | dict(weights)
    query = project.patterns.filter(kind=kind).exclude(votes=[]).order_by("pk")
    last = 0
    while rows := list(query.filter(pk__gt=last)[:BLOCK]):
        last = rows[-1].pk
        moves += _reweigh_block(rows, known, len(project.labels(kind)))
    return moves


def _reweigh_block(rows: list[VotePattern], weights: Mapping[str, float], n_labels: int) -> list[Move]:
    ballots = [patterns.votes_of(row) for row in rows]
    known = {
        vote.voter: weights.get(vote.voter, patterns.prior_weight(n_labels)) for votes in ballots for vote in votes
    }
    found = vote_table(ballots).outcomes(known, n_labels)
    moves = []
    for index, row in enumerate(rows):
        before = (row.state, row.label)
        if patterns.take(row, found.outcome(index)) and row.n_open:
            moves.append(Move(row, *before, n_claims=row.n_open))
    VotePattern.objects.bulk_update(rows, ["state", "label", "support", "entropy"], batch_size=200)
    return moves
