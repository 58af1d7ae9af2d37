"""What a ruling would change: costs nothing, stores nothing."""

from __future__ import annotations

from evaluation.algorithms.alignment import is_same_claim
from evaluation.algorithms.outcome import PanelOutcome, vote_table
from evaluation.algorithms.reliability import weights_of
from evaluation.errors import InvalidInputError
from evaluation.models import Claim, Outcome, VotePattern
from evaluation.selectors.neighbours import neighbours_of
from evaluation.selectors.previews import Preview, PreviewMove
from evaluation.services import patterns, track_records


def preview(*, claim: Claim, label: str) -> Preview:
    """Work out what ruling `label` on the claim would change. Raises InvalidInputError for an unknown label."""
    project, kind = claim.project, claim.kind
    if label not in project.labels(kind):
        raise InvalidInputError(f"“{label}” is not an answer here: choose one of {', '.join(project.labels(kind))}.")
    own = claim.outcome.pattern
    rulings = track_records.rulings_that_count(project, kind)
    is_open = claim.outcome.source == Outcome.Source.PANEL and not claim.is_void
    others = list(rulings) if is_open else _without(claim.outcome, rulings)
    voters = patterns.voters(project)
    after = weights_of(track_records.estimate_all(project, kind, voters, [*others, (patterns.votes_of(own), label)]))
    before = patterns.weights(project, kind)
    rows = list(project.patterns.filter(kind=kind, n_open__gt=0).exclude(votes=[]))
    table = vote_table([patterns.votes_of(row) for row in rows])
    n_labels = len(project.labels(kind))
    was = table.outcomes({voter: before[voter] for voter in table.voters}, n_labels)
    would = table.outcomes({voter: after.get(voter, before[voter]) for voter in table.voters}, n_labels)
    moves = [
        _move(row, was.outcome(i), would.outcome(i), is_own=is_open and row.pk == own.pk)
        for i, row in enumerate(rows)
        if (was.is_top[i] != would.is_top[i]).any()
    ]
    kept = tuple(move for move in moves if move.n_claims and move.is_seen)
    return Preview(
        n_moved=sum(move.n_claims for move in kept),
        n_open=sum(row.n_open for row in rows),
        n_rulings=len(rulings),
        contradicts=_contradictions(claim, label),
        moves=kept,
    )


def _without(outcome: Outcome, rulings: list[track_records.Ruling]) -> list[track_records.Ruling]:
    """The rulings without the one that settles this claim: a new one takes its place."""
    own = (patterns.votes_of(outcome.pattern), outcome.settled_label)
    others = list(rulings)
    if outcome.decision is not None and own in others:
        others.remove(own)
    return others


def _move(row: VotePattern, was: PanelOutcome, would: PanelOutcome, *, is_own: bool) -> PreviewMove:
    return PreviewMove(
        votes=row.votes,
        before_state=was.state,
        before_label=was.label or "",
        after_state=would.state,
        after_label=would.label or "",
        n_claims=row.n_open - is_own,
    )


def _contradictions(claim: Claim, label: str) -> tuple[str, ...]:
    """Sentences on standing rulings with another answer on claims that say the same, found along the graph."""
    near = neighbours_of(claim)
    others = Outcome.objects.filter(claim__in=near, source=Outcome.Source.EXPERT).exclude(settled_label=label)
    alike = [
        outcome
        for outcome in others.select_related("decision__expert", "claim")
        if outcome.decision and is_same_claim(claim.text, outcome.claim.text, near[outcome.claim_id])
    ]
    words = {key.value: word for key, word in claim.project.label_words(claim.kind).items()}
    return tuple(
        f"{outcome.decision.expert} ruled “{words.get(outcome.settled_label, outcome.settled_label)}” "
        f"on a claim with like wording: “{outcome.claim.text}”"
        for outcome in alike[:3]
        if outcome.decision
    )
