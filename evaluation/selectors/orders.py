"""Whether judges say the same of a pair when its answers change places: the position bias of each, in counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Count, Q

from evaluation.algorithms.voters import judge_of, leading_labels, order_of
from evaluation.models import Judge, Project
from evaluation.schemas import ClaimKind, Label, PresentationOrder


@dataclass(frozen=True)
class OrderConsistency:
    """Of the pairs a judge answered in both orders: how often it said the same, and what held where it did not.

    `n_first_shown` times it chose the answer that was shown first both times, `n_last_shown` times the one shown last.
    """

    judge: Judge
    n_both: int
    n_same: int
    n_first_shown: int
    n_last_shown: int

    @property
    def percent(self) -> int:
        return round(100 * self.n_same / self.n_both)

    @property
    def n_differing(self) -> int:
        return self.n_both - self.n_same


def may_have_pairs(project: Project) -> bool:
    """Whether a project holds pairs, or has no claim yet and may come to hold some."""
    return project.claims.filter(kind=ClaimKind.PREFERENCE).exists() or not project.claims.exists()


def consistency(project: Project) -> tuple[OrderConsistency, ...]:
    """Each judge with pairs that it answered in both orders; two queries, which read patterns and no votes.

    A judge that was asked several times in an order counts with what it said most often, and not where that is level.
    """
    found: dict[int, Counter[tuple[str, str]]] = defaultdict(Counter)
    for judge_id, given, swapped, n in _answers(project):
        found[judge_id][given, swapped] += n
    judges = project.judges.filter(pk__in=found)
    return tuple(_row(judge, found[judge.pk]) for judge in judges) if found else ()


def _answers(project: Project) -> Iterator[tuple[int, str, str, int]]:
    """Judge, what it said as given and swapped, and on how many pairs; labels are those of the given order."""
    rows = project.patterns.filter(kind=ClaimKind.PREFERENCE).annotate(
        n=Count("outcomes", filter=Q(outcomes__claim__is_void=False))
    )
    for votes, n in rows.filter(n__gt=0).values_list("votes", "n"):
        by_judge: dict[int, dict[str, str]] = defaultdict(dict)
        for voter, label in leading_labels(votes).items():
            by_judge[judge_of(voter)][order_of(voter)] = label
        for judge_id, labels in by_judge.items():
            given, swapped = (labels.get(order, "") for order in PresentationOrder)
            if given and swapped:
                yield judge_id, given, swapped, n


def _row(judge: Judge, counts: Mapping[tuple[str, str], int]) -> OrderConsistency:
    return OrderConsistency(
        judge=judge,
        n_both=sum(counts.values()),
        n_same=sum(n for (given, swapped), n in counts.items() if given == swapped),
        n_first_shown=counts.get((Label.FIRST, Label.SECOND), 0),
        n_last_shown=counts.get((Label.SECOND, Label.FIRST), 0),
    )
