"""Keeps vote patterns and outcomes in step with the verdicts that are current."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db import transaction
from django.db.models import Count

from evaluation.algorithms.entropy import is_candidate, vote_entropy
from evaluation.algorithms.outcome import PanelOutcome, panel_outcomes
from evaluation.algorithms.patterns import Pattern, pattern_of
from evaluation.algorithms.reliability import estimate
from evaluation.algorithms.voters import judge_of, voter_of
from evaluation.models import Claim, Judge, Outcome, Panel, Project, Verdict, VotePattern
from evaluation.schemas import PresentationOrder, Vote
from evaluation.services import projects

BLOCK = 2_000


def current_panel(project: Project) -> Panel:
    """The project's panel; the first one is made where there is none. Call it while the project is held."""
    panel = project.panels.filter(is_current=True).first()
    return panel or Panel.objects.create(project=project, version=1)


def renew_panel(project: Project) -> Panel:
    """Make a new panel version of the judges that are active now, unless the panel is that already."""
    with transaction.atomic():
        projects.hold(project)
        judges = set(project.judges.filter(is_active=True).values_list("pk", flat=True))
        panel = current_panel(project)
        if set(panel.judges.values_list("pk", flat=True)) == judges:
            return panel
        project.panels.filter(is_current=True).update(is_current=False)
        newest = project.panels.order_by("-version").values_list("version", flat=True).first() or 0
        panel = Panel.objects.create(project=project, version=newest + 1)
        panel.judges.set(judges)
        refresh(project=project, claim_ids=project.claims.values_list("pk", flat=True))
    return panel


def refresh(*, project: Project, claim_ids: Iterable[int]) -> None:
    """Point each of these claims to the pattern of its current votes; missing patterns and outcomes are made."""
    ids = sorted(set(claim_ids))
    with transaction.atomic():
        projects.hold(project)
        panel = current_panel(project)
        judges = set(panel.judges.values_list("pk", flat=True))
        touched: set[int] = set()
        for start in range(0, len(ids), BLOCK):
            touched |= _refresh_block(project, panel, judges, ids[start : start + BLOCK])
        recount(touched)


def _refresh_block(project: Project, panel: Panel, judges: set[int], ids: Sequence[int]) -> set[int]:
    kinds = dict(Claim.objects.filter(project=project, pk__in=ids).values_list("pk", "kind"))
    votes = _cast_votes(kinds, judges)
    wanted = {pk: pattern_of(kind, panel.version, votes.get(pk, ())) for pk, kind in kinds.items()}
    rows = _rows_for(project, panel, set(wanted.values()))
    outcomes = {outcome.claim_id: outcome for outcome in Outcome.objects.filter(claim__in=kinds)}
    touched: set[int] = set()
    fresh: list[Outcome] = []
    moved: dict[int, list[int]] = defaultdict(list)  # outcomes by the pattern they move to
    for pk, pattern in wanted.items():
        row = rows[pattern.key]
        touched.add(row.pk)
        if (outcome := outcomes.get(pk)) is None:
            fresh.append(Outcome(claim_id=pk, project=project, pattern=row))
        elif outcome.pattern_id != row.pk:
            touched.add(outcome.pattern_id)
            moved[row.pk].append(outcome.pk)
    Outcome.objects.bulk_create(fresh)
    for row_id, outcome_ids in moved.items():
        Outcome.objects.filter(pk__in=outcome_ids).update(pattern=row_id)
    return touched


def _cast_votes(claims: Collection[int], judges: set[int]) -> dict[int, list[Vote]]:
    current = Verdict.objects.filter(claim__in=claims, judge__in=judges, is_current=True)
    cast = current.filter(purpose=Verdict.Purpose.VOTE, state=Verdict.State.CAST)
    labels: dict[tuple[int, str], list[str]] = defaultdict(list)
    for claim_id, judge_id, order, label in cast.values_list("claim_id", "judge_id", "order", "label"):
        labels[claim_id, voter_of(judge_id, order)].append(label)
    votes: dict[int, list[Vote]] = defaultdict(list)
    for (claim_id, voter), cast_labels in labels.items():
        votes[claim_id] += [Vote(voter, label, 1 / len(cast_labels)) for label in cast_labels]
    return votes


def _rows_for(project: Project, panel: Panel, patterns: set[Pattern]) -> dict[str, VotePattern]:
    by_hash = {_hash(pattern.key): pattern for pattern in patterns}
    known = {row.key_hash: row for row in project.patterns.filter(key_hash__in=by_hash)}
    missing = {digest: pattern for digest, pattern in by_hash.items() if digest not in known}
    if missing:
        VotePattern.objects.bulk_create(_new_rows(project, panel, missing), ignore_conflicts=True)
        known |= {row.key_hash: row for row in project.patterns.filter(key_hash__in=missing)}
    return {pattern.key: known[digest] for digest, pattern in by_hash.items()}


def _new_rows(project: Project, panel: Panel, patterns: Mapping[str, Pattern]) -> list[VotePattern]:
    rows = []
    for kind in {pattern.kind for pattern in patterns.values()}:
        of_kind = {digest: pattern for digest, pattern in patterns.items() if pattern.kind == kind}
        n_labels = len(project.labels(kind))
        found = panel_outcomes(of_kind, weights(project, kind), n_labels)
        n_full = _n_voters_in_full(project, panel, kind)
        for digest, pattern in of_kind.items():
            row = VotePattern(project=project, kind=kind, panel_version=panel.version, key=pattern.key, key_hash=digest)
            _describe(row, pattern, n_labels, project.method_parameters.tau)
            row.is_full = pattern.n_cast >= n_full
            take(row, found[digest])
            rows.append(row)
    return rows


def _n_voters_in_full(project: Project, panel: Panel, kind: str) -> int:
    """How many voters a claim of a kind has where all judges voted: of a pair two for each, if it is shown twice."""
    n_judges = panel.judges.count()
    if kind != Claim.Kind.PREFERENCE or not project.method_parameters.both_orders:
        return n_judges
    swapped = Verdict.objects.filter(claim__project=project, order=PresentationOrder.SWAPPED)
    return n_judges * (2 if swapped.exists() else 1)


def mark_full(*, project: Project) -> None:
    """Mark anew which patterns of pairs hold the votes of all judges, after a change of the orders pairs are shown in.

    Call it while the project is held.
    """
    panel = current_panel(project)
    n_full = _n_voters_in_full(project, panel, Claim.Kind.PREFERENCE)
    rows = project.patterns.filter(kind=Claim.Kind.PREFERENCE, panel_version=panel.version)
    rows.filter(n_cast__gte=n_full).update(is_full=True)
    rows.filter(n_cast__lt=n_full).update(is_full=False)


def _describe(row: VotePattern, pattern: Pattern, n_labels: int, tau: float) -> None:
    counts = pattern.counts()
    row.votes = [[vote.voter, vote.label, vote.share] for vote in pattern.votes]
    row.split = _hash(pattern.split)
    row.n_cast = pattern.n_cast
    row.is_candidate = pattern.n_cast > 1 and is_candidate(counts, n_labels, tau)
    row.panel_entropy = vote_entropy(counts, n_labels) if counts else 0.0


def take(row: VotePattern, outcome: PanelOutcome) -> None:
    """Write an outcome into a row, which is not saved yet."""
    row.state, row.label = outcome.state.value, outcome.label or ""
    row.support, row.entropy = dict(outcome.support), outcome.entropy


def weights(project: Project, kind: str) -> dict[str, float]:
    """Voter to weight from the track records; a voter without one has the prior's weight."""
    from_records = {
        voter_of(judge_id, order): weight
        for judge_id, order, weight in project.track_records.filter(kind=kind).values_list(
            "judge_id", "order", "weight"
        )
    }
    return _WithPrior(from_records, project, kind)


class _WithPrior(dict[str, float]):
    """Weights in which a voter that was never recorded gets what its prior gives."""

    def __init__(self, known: Mapping[str, float], project: Project, kind: str) -> None:
        super().__init__(known)
        self.n_labels = len(project.labels(kind))

    def __missing__(self, voter: str) -> float:
        return prior_weight(self.n_labels)


def prior_weight(n_labels: int) -> float:
    """The weight of a voter nobody has ruled against or for; the prior's strength does not change it."""
    return estimate(0.0, 0.0, n_labels).weight


def votes_of(row: VotePattern) -> list[Vote]:
    """A pattern's votes as values."""
    return [Vote(voter, label, share) for voter, label, share in row.votes]


def recount(pattern_ids: Collection[int]) -> None:
    """Count again the open claims of these patterns."""
    open_claims = Outcome.objects.filter(pattern__in=pattern_ids, source=Outcome.Source.PANEL, claim__is_void=False)
    counts = dict(open_claims.values_list("pattern_id").annotate(n=Count("pk")))
    stored = VotePattern.objects.filter(pk__in=pattern_ids).values_list("pk", "n_open")
    changed: dict[int, list[int]] = defaultdict(list)  # patterns by their new count
    for pk, n_open in stored:
        if n_open != counts.get(pk, 0):
            changed[counts.get(pk, 0)].append(pk)
    for n_open, pks in changed.items():
        VotePattern.objects.filter(pk__in=pks).update(n_open=n_open)


def voters(project: Project) -> dict[str, Judge]:
    """Every voter that occurs in a vote pattern of the project, with its judge; reads patterns, never claims."""
    judges = {judge.pk: judge for judge in project.judges.all()}
    names = {voter for votes in project.patterns.values_list("votes", flat=True) for voter, _, _ in votes}
    return {voter: judges[judge_of(voter)] for voter in sorted(names)}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
