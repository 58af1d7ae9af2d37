"""Figures for those who know the methods: agreement beyond chance, splits, track records and scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from django.db.models import Count, Q

from evaluation.algorithms.agreement import Agreement, cohen_kappa, krippendorff_alpha
from evaluation.algorithms.scoring.weakest_link import ClaimReading, ResponseScore, score
from evaluation.algorithms.voters import judge_of, leading_labels
from evaluation.models import Judge, Outcome, Project, Response, TrackRecord
from evaluation.schemas import ClaimKind
from evaluation.selectors.outcomes import reading_of
from evaluation.selectors.reasons import voter_name

N_SCORES = 20


@dataclass(frozen=True)
class PairAgreement:
    """Agreement of two voters."""

    first: str
    second: str
    agreement: Agreement


@dataclass(frozen=True)
class KindAgreement:
    """Agreement of the panel on claims of one kind."""

    kind: str
    alpha: Agreement
    pairs: tuple[PairAgreement, ...]


@dataclass(frozen=True)
class SplitCount:
    """How many claims have votes that split so, for example 3-2."""

    split: str
    n: int


@dataclass(frozen=True)
class ScoredResponse:
    """A response with its score and its worst claim."""

    response: Response
    score: ResponseScore
    worst: str
    worst_id: int | None

    @property
    def percent(self) -> int | None:
        return None if self.score.value is None else round(100 * self.score.value)


@dataclass(frozen=True)
class MethodDetails:
    """The folded part of the overview."""

    agreements: tuple[KindAgreement, ...]
    splits: tuple[SplitCount, ...]
    records: tuple[TrackRecord, ...]
    scores: tuple[ScoredResponse, ...]
    n_scored: int
    parameters: dict[str, object]


Votes = dict[str, str]


def method_details(*, project: Project) -> MethodDetails:
    """Compute the folded figures; the cost grows with the claims, so pages ask for it only when it is opened."""
    by_kind = _votes_by_kind(project)
    judges = {judge.pk: judge for judge in project.judges.all()}
    scores = _scores(project)
    return MethodDetails(
        agreements=tuple(_agreement(kind, units, judges) for kind, units in sorted(by_kind.items())),
        splits=_splits([votes for units in by_kind.values() for votes in units]),
        records=tuple(project.track_records.select_related("judge").order_by("kind", "judge_id", "order")),
        scores=tuple(scores[:N_SCORES]),
        n_scored=len(scores),
        parameters=asdict(project.method_parameters),
    )


def _votes_by_kind(project: Project) -> dict[str, list[Votes]]:
    """One dictionary of voter and label per claim; claims of a pattern share it."""
    counted = project.patterns.annotate(n=Count("outcomes", filter=Q(outcomes__claim__is_void=False))).filter(n__gt=0)
    by_kind: dict[str, list[Votes]] = defaultdict(list)
    for kind, stored, n in counted.values_list("kind", "votes", "n"):
        by_kind[kind] += [_leading(stored)] * n
    return by_kind


def _leading(stored: Sequence[Sequence[object]]) -> Votes:
    """Each voter's label, the most frequent one where its samples differ; a voter whose samples are level has none."""
    return {voter: label for voter, label in leading_labels(stored).items() if label}


def _agreement(kind: str, units: Sequence[Votes], judges: Mapping[int, Judge]) -> KindAgreement:
    voters = sorted({voter for votes in units for voter in votes}, key=lambda voter: (judge_of(voter), voter))
    rows = {voter: [votes.get(voter) for votes in units] for voter in voters}
    pairs = tuple(
        PairAgreement(voter_name(one, judges), voter_name(other, judges), cohen_kappa(rows[one], rows[other]))
        for one, other in combinations(voters, 2)
    )
    return KindAgreement(kind, krippendorff_alpha(list(rows.values())), pairs)


def _splits(units: Sequence[Votes]) -> tuple[SplitCount, ...]:
    counts: Counter[tuple[int, ...]] = Counter()
    for votes in units:
        if votes:
            sizes = sorted(Counter(votes.values()).values(), reverse=True)
            counts[tuple(sizes) if len(sizes) > 1 else (sizes[0], 0)] += 1
    ordered = sorted(counts.items(), key=lambda row: (-sum(row[0]), [-size for size in row[0]]))
    return tuple(SplitCount("-".join(map(str, sizes)), n) for sizes, n in ordered)


def _scores(project: Project) -> list[ScoredResponse]:
    """Responses with statements, the lowest score first."""
    outcomes = Outcome.objects.filter(project=project, claim__kind=ClaimKind.STATEMENT).select_related(
        "claim__response__system", "claim__response__instance", "pattern"
    )
    readings: dict[int, list[ClaimReading]] = defaultdict(list)
    responses: dict[int, Response] = {}
    texts: dict[int, str] = {}
    for outcome in outcomes.order_by("claim_id"):
        claim = outcome.claim
        responses[claim.response_id], texts[claim.pk] = claim.response, claim.text
        readings[claim.response_id].append(reading_of(outcome))
    scored = [_scored(responses[pk], score(found), texts) for pk, found in readings.items()]
    return sorted(scored, key=lambda row: (row.score.value is None, row.score.value, row.response.pk))


def _scored(response: Response, found: ResponseScore, texts: dict[int, str]) -> ScoredResponse:
    worst = found.errors[0] if found.errors else None
    return ScoredResponse(response, found, texts[worst] if worst else "", worst)
