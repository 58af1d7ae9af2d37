"""Scores responses and systems by their weakest links, from what holds true of each claim now."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.algorithms.scoring.weakest_link import ResponseScore, compare, score
from evaluation.models import Outcome, Project, Response
from evaluation.schemas import ClaimKind, Label, OutcomeState
from evaluation.selectors.outcomes import reading_of
from evaluation.selectors.trust import trust


@dataclass(frozen=True)
class ScoredResponse:
    """A response with its score, and the ids in files of the claims that cost something or are serious errors."""

    external_id: str
    system: str
    score: ResponseScore
    errors: tuple[str, ...]
    serious: tuple[str, ...]


@dataclass(frozen=True)
class ScoredPair:
    """Two responses and who wins: by score, by the direct vote, or nobody (empty)."""

    external_id: str
    first_system: str
    second_system: str
    winner: str
    decided_by: str


@dataclass(frozen=True)
class ScoredSystem:
    """A system over its responses: mean score of those assessed (None: not assessed), and its pairs."""

    name: str
    value: float | None
    n_assessed: int
    n_responses: int
    n_serious: int
    n_won: int
    n_lost: int
    n_level: int


@dataclass(frozen=True)
class Scores:
    """All scores of a project; `ranking` is a sentence, or why there is none."""

    responses: tuple[ScoredResponse, ...]
    pairs: tuple[ScoredPair, ...]
    systems: tuple[ScoredSystem, ...]
    is_ranked: bool
    ranking: str


def scores(*, project: Project) -> Scores:
    """Score every response by its statements, decide every pair, and sum both up by system."""
    outcomes = list(Outcome.objects.filter(project=project).select_related("claim", "pattern").order_by("claim_id"))
    statements = [each for each in outcomes if each.claim.kind == ClaimKind.STATEMENT]
    found = _responses(project, statements)
    pairs = _pairs([each for each in outcomes if each.claim.kind == ClaimKind.PREFERENCE], found)
    systems = _systems(list(found.values()), pairs)
    is_ranked, ranking = _ranking(project, systems)
    if not is_ranked:
        systems.sort(key=lambda each: each.name)  # an order by score would be read as a ranking
    return Scores(tuple(found.values()), tuple(pairs), tuple(systems), is_ranked, ranking)


def _responses(project: Project, statements: Iterable[Outcome]) -> dict[int, ScoredResponse]:
    by_response: dict[int, list[Outcome]] = defaultdict(list)
    for outcome in statements:
        by_response[outcome.claim.response_id].append(outcome)
    responses = Response.objects.filter(project=project).select_related("system").order_by("pk")
    return {each.pk: _response(each, by_response[each.pk]) for each in responses}


def _response(response: Response, outcomes: Sequence[Outcome]) -> ScoredResponse:
    names = {outcome.claim_id: outcome.claim.external_id for outcome in outcomes}
    found = score(reading_of(outcome) for outcome in outcomes)
    return ScoredResponse(
        external_id=response.external_id,
        system=response.system.name if response.system else "",
        score=found,
        errors=tuple(names[pk] for pk in found.errors),
        serious=tuple(names[pk] for pk in found.serious),
    )


def _pairs(outcomes: Iterable[Outcome], found: Mapping[int, ScoredResponse]) -> list[ScoredPair]:
    return [
        _pair(outcome, found[outcome.claim.response_id], found[outcome.claim.second_response_id])
        for outcome in outcomes
        if outcome.claim.second_response_id is not None and not outcome.claim.is_void
    ]


def _pair(outcome: Outcome, first: ScoredResponse, second: ScoredResponse) -> ScoredPair:
    by_score = compare(first.score, second.score)
    preference = Label(outcome.label) if outcome.label and outcome.state != OutcomeState.SPLIT else None
    winner = compare(first.score, second.score, preference)
    decided_by = "score" if by_score else "vote" if winner else ""
    return ScoredPair(
        outcome.claim.external_id, first.system, second.system, winner.value if winner else "", decided_by
    )


def _systems(responses: Sequence[ScoredResponse], pairs: Sequence[ScoredPair]) -> list[ScoredSystem]:
    by_system: dict[str, list[ResponseScore]] = defaultdict(list)
    for response in responses:
        if response.system:
            by_system[response.system].append(response.score)
    results: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in pairs:
        for name, side in ((pair.first_system, Label.FIRST), (pair.second_system, Label.SECOND)):
            is_decided = pair.winner in (Label.FIRST, Label.SECOND)
            results[name]["won" if pair.winner == side else "lost" if is_decided else "level"] += 1
    systems = [_system(name, by_system[name], results[name]) for name in by_system]
    return sorted(systems, key=lambda each: (each.value is None, -(each.value or 0.0), -each.n_won, each.name))


def _system(name: str, found: Sequence[ResponseScore], results: Mapping[str, int]) -> ScoredSystem:
    values = [each.value for each in found if each.value is not None]
    return ScoredSystem(
        name=name,
        value=sum(values) / len(values) if values else None,
        n_assessed=len(values),
        n_responses=len(found),
        n_serious=sum(bool(each.serious) for each in found),
        n_won=results["won"],
        n_lost=results["lost"],
        n_level=results["level"],
    )


def _ranking(project: Project, systems: Sequence[ScoredSystem]) -> tuple[bool, str]:
    assessed = [system for system in systems if system.value is not None]
    if len(assessed) < 2:
        return False, "No ranking: it takes scores of at least two systems; name them in the field system."
    known = trust(project=project)
    if known.is_offline_only and not known.n_audit:
        return False, (
            "No ranking: every vote comes from offline judges, which are heuristics, and no random check ruling says "
            "how far to trust them. Rule on claims, or add judges of a provider."
        )
    order = ", ".join(f"{system.name} {system.value:.2f}" for system in assessed)
    checked = f"{known.n_audit} random check rulings of the {known.n_needed} that show how far to trust the judges"
    return True, f"By mean score: {order}. Behind it stand {checked}."
