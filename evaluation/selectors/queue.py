"""The queue: which claims a person should rule on, best first, and what is listed apart."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, F, Q, Sum, TextField
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from evaluation.algorithms.selection import PatternRow, ScoredPattern, rank_patterns
from evaluation.models import Decision, Outcome, Project, VotePattern
from evaluation.schemas import OutcomeState, SelectionPolicy
from evaluation.selectors import outcomes
from evaluation.selectors.answers import Answer, Reader, Split, answer_of, n_rulings, split_of
from evaluation.selectors.apart import Apart, FailedVotes, Kind, apart, failed_votes
from evaluation.selectors.paging import Paged, page_of

PAGE_SIZE = 25
APART_SIZE = 10
_LOT_STEP, _LOT_PRIME = 1_103_515_245, 2_147_483_647  # a fixed shuffle of ids for the random policy


@dataclass(frozen=True)
class RankedClaim:
    """A claim's place in strict rank order, from 1."""

    claim_id: int
    pattern_id: int
    score: float
    rank: int


@dataclass(frozen=True)
class QueueFilter:
    """Which candidates are shown: with a tag, or with the same split of judges as a pattern."""

    tag: str = ""
    pattern_id: int | None = None


@dataclass(frozen=True)
class QueueRow:
    """A candidate as listed."""

    claim_id: int
    rank: int
    text: str
    where: str
    tags: tuple[str, ...]
    split: Split
    answer: Answer
    n_same_split: int
    pattern_id: int


@dataclass(frozen=True)
class QueuePage(Paged):
    """One page of the queue with what is listed apart; `n_for_audit` claims can be drawn at random for this person."""

    rows: tuple[QueueRow, ...]
    n_candidates: int
    page: int
    n_pages: int
    tags: tuple[str, ...]
    thin: Apart
    unjudged: Apart
    failed: FailedVotes
    n_claims: int
    n_agreed: int
    n_for_audit: int

    @property
    def has_leaning(self) -> bool:
        """Whether some answer on the page leans, so that its shape has to be explained."""
        return any(row.answer.is_leaning for row in self.rows)


def ranked_claims(project: Project, *, limit: int, exclude: Collection[int] = ()) -> list[RankedClaim]:
    """The first `limit` open candidates in strict rank order, without those in `exclude`; at most six queries."""
    rows = _candidates(project)
    counts = {row.pk: row.n_open for row in rows}
    if exclude:
        out = outcomes.disputed().filter(project=project, claim__in=exclude).values_list("pattern_id", flat=True)
        for pattern_id, n in Counter(out).items():
            counts[pattern_id] = counts.get(pattern_id, 0) - n
    window = _Window(project, _ranked(project, rows), counts, ~Q(claim__in=exclude) if exclude else Q())
    return window.claims(0, limit)


def candidate_count(project: Project) -> int:
    """How many disputed claims nobody has settled."""
    patterns = project.patterns.filter(is_candidate=True)
    return patterns.aggregate(n=Sum("n_open"))["n"] or 0


def queue_page(reader: Reader, *, page: int = 1, only: QueueFilter | None = None) -> QueuePage:
    """One page of the queue as this person reads it; the number of queries does not grow with the claims."""
    project, only = reader.project, only or QueueFilter()
    rows = _candidates(project)
    mass = _mass(rows)
    kept = _with_split_of(rows, only.pattern_id)
    has_tag = _has_tag(only.tag) if only.tag else Q()
    counts = _counts(project, kept, has_tag) if only.tag else {row.pk: row.n_open for row in kept}
    total = sum(counts.values())
    shown = page_of(total, PAGE_SIZE, page)
    window = _Window(project, [s for s in _ranked(project, rows) if int(s.key) in counts], counts, has_tag)
    ranked = window.claims(shown.rows.start, PAGE_SIZE)
    return QueuePage(
        rows=_rows(reader, ranked, mass),
        n_candidates=total,
        page=shown.number,
        n_pages=shown.n_pages,
        tags=_tags(project),
        thin=apart(project, Kind.THIN, limit=APART_SIZE),
        unjudged=apart(project, Kind.UNJUDGED, limit=APART_SIZE),
        failed=failed_votes(project),
        n_claims=project.claims.filter(is_void=False).count(),
        n_agreed=_n_agreed(project),
        n_for_audit=audit_count(project, reader.user_id),
    )


def audit_count(project: Project, user_id: int) -> int:
    """How many claims an audit of this person draws from; none where the project has no audits."""
    return outcomes.for_audit(project, user_id).count() if project.method_parameters.audit_every else 0


def _candidates(project: Project) -> list[VotePattern]:
    return list(project.patterns.filter(is_candidate=True, n_open__gt=0))


def _ranked(project: Project, rows: Sequence[VotePattern]) -> list[ScoredPattern]:
    policy = SelectionPolicy(project.method_parameters.policy)
    ruled = project.decisions.filter(
        undo__isnull=True, action=Decision.Action.RULE, pattern__in=[row.pk for row in rows]
    )
    on_pattern = dict(ruled.order_by().values_list("pattern_id").annotate(n=Count("pk")))
    table = [
        PatternRow(
            str(row.pk), row.split, row.n_open, row.panel_entropy, row.entropy, on_pattern.get(row.pk, 0), row.is_full
        )
        for row in rows
    ]
    return rank_patterns(table, n_rulings(project), policy)


class _Window:
    """Cuts a stretch out of the strict order of claims in at most three queries, however many patterns there are."""

    def __init__(
        self, project: Project, ranked: Sequence[ScoredPattern], counts: Mapping[int, int], condition: Q
    ) -> None:
        self.claims_open = outcomes.disputed().filter(condition, project=project)
        self.is_random = project.method_parameters.policy == SelectionPolicy.RANDOM
        self.scores = {int(scored.key): scored.score for scored in ranked}
        self.ranks = {int(scored.key): scored.rank for scored in ranked}
        levels = [[int(scored.key) for scored in group] for _, group in groupby(ranked, key=lambda s: s.rank)]
        self.levels = [(level, sum(counts.get(key, 0) for key in level)) for level in levels]

    def claims(self, offset: int, limit: int) -> list[RankedClaim]:
        found: list[tuple[int, int]] = []
        for keys, start, stop in self._stretches(offset, limit):
            found += self._fetch(keys, start, stop)
        return [
            RankedClaim(claim_id, pattern_id, self.scores[pattern_id], place)
            for place, (claim_id, pattern_id) in enumerate(found, start=offset + 1)
        ]

    def _stretches(self, offset: int, limit: int) -> Iterator[tuple[list[int], int, int | None]]:
        """Pattern ids with the slice of their claims that is wanted; whole levels in a row are joined."""
        whole: list[int] = []
        seen, end = 0, offset + limit
        for keys, size in self.levels:
            start, stop = max(offset - seen, 0), min(end - seen, size)
            seen += size
            if start == 0 and stop == size:
                whole += keys
            elif start < stop:
                if whole:
                    yield whole, 0, None
                    whole = []
                yield keys, start, stop
        if whole:
            yield whole, 0, None

    def _fetch(self, keys: Sequence[int], start: int, stop: int | None) -> list[tuple[int, int]]:
        tied: list[str | Combinable] = (
            [(F("claim_id") * _LOT_STEP) % _LOT_PRIME, "claim_id"] if self.is_random else ["-claim__degree", "claim_id"]
        )
        rows = self.claims_open.filter(pattern__in=keys).order_by(*tied).values_list("claim_id", "pattern_id")
        return sorted(rows[start:stop], key=lambda row: self.ranks[row[1]])


def _mass(rows: Sequence[VotePattern]) -> Counter[str]:
    mass: Counter[str] = Counter()
    for row in rows:
        mass[row.split] += row.n_open
    return mass


def _with_split_of(rows: Sequence[VotePattern], pattern_id: int | None) -> list[VotePattern]:
    if pattern_id is None:
        return list(rows)
    wanted = {row.split for row in rows if row.pk == pattern_id}
    return [row for row in rows if row.split in wanted]


def _counts(project: Project, rows: Sequence[VotePattern], condition: Q) -> dict[int, int]:
    found = outcomes.disputed().filter(condition, project=project, pattern__in=[row.pk for row in rows]).order_by()
    return dict(found.values_list("pattern_id").annotate(n=Count("pk")))


def _has_tag(tag: str) -> Q:
    claims = Outcome.objects.annotate(tags_text=Cast("claim__tags", TextField()))
    spelled = Q(tags_text__contains=json.dumps(tag)) | Q(tags_text__contains=json.dumps(tag, ensure_ascii=False))
    return Q(pk__in=claims.filter(spelled).values("pk"))


def _rows(reader: Reader, ranked: Sequence[RankedClaim], mass: Mapping[str, int]) -> tuple[QueueRow, ...]:
    found = Outcome.objects.select_related("claim__response", "claim__instance", "pattern", "decision__expert")
    by_claim = {outcome.claim_id: outcome for outcome in found.filter(claim__in=[r.claim_id for r in ranked])}
    return tuple(_row(reader, place, by_claim[place.claim_id], mass) for place in ranked)


def _row(reader: Reader, place: RankedClaim, outcome: Outcome, mass: Mapping[str, int]) -> QueueRow:
    claim, pattern = outcome.claim, outcome.pattern
    words = reader.words(claim.kind, claim.pk)
    return QueueRow(
        claim_id=claim.pk,
        rank=place.rank,
        text=claim.text,
        where=claim.instance.prompt,
        tags=tuple(str(tag) for tag in claim.tags),
        split=split_of(pattern.votes, words),
        answer=answer_of(outcome, words, is_settling=reader.is_settling),
        n_same_split=mass[pattern.split] - 1,
        pattern_id=pattern.pk,
    )


def _tags(project: Project) -> tuple[str, ...]:
    """Tags that disputed claims carry."""
    carried = outcomes.disputed().filter(project=project).order_by().values_list("claim__tags", flat=True).distinct()
    return tuple(sorted({str(tag) for tags in carried for tag in tags}))


def _n_agreed(project: Project) -> int:
    agreed = project.patterns.filter(is_candidate=False, state=OutcomeState.OPEN)
    return agreed.aggregate(n=Sum("n_open"))["n"] or 0
