"""Compares judges and their majority with gold labels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from evaluation.algorithms.agreement import cohen_kappa
from evaluation.errors import InvalidInputError
from evaluation.models import Project, Verdict
from evaluation.selectors.trust import balanced_share

LEVEL = 1e-9


@dataclass(frozen=True)
class Measured:
    """A judge, or the majority, against gold; shares are over the `n` votes cast, kappa over those without a tie.

    `recall` is the share found of each gold label; balanced accuracy is its mean, None unless two labels occur.
    """

    name: str
    n: int
    n_abstained: int
    n_failed: int
    abstained: float
    accuracy: float | None
    balanced_accuracy: float | None
    kappa: float | None
    recall: Mapping[str, float]


@dataclass(frozen=True)
class Validation:
    """What labelled claims say about the panel; in the majority's row ties count in shares, of two one half."""

    kind: str
    n_gold: int
    gold: Mapping[str, int]
    n_ties: int
    majority: Measured
    judges: tuple[Measured, ...]

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class _Said:
    claim_id: int
    judge: str
    voter: tuple[str, str]
    state: str
    label: str


def validate(*, project: Project, kind: str = "") -> Validation:
    """Measure the active judges on the project's labelled claims of one kind.

    Raises InvalidInputError without a labelled claim or a vote on one, or where two kinds have labels.
    """
    chosen = kind or _only_kind(project)
    labelled = project.claims.filter(kind=chosen, is_void=False).exclude(gold="")
    gold = dict(labelled.values_list("pk", "gold"))
    if not gold:
        raise InvalidInputError(f"No {chosen} of “{project}” has a gold label: import claims with the field gold.")
    said = _said(project, chosen)
    if not said:
        raise InvalidInputError(f"Nobody has voted on the labelled claims of “{project}”: run the panel first.")
    by_judge: dict[str, list[_Said]] = defaultdict(list)
    for each in said:
        by_judge[each.judge].append(each)
    leading = _leading(said)
    return Validation(
        kind=chosen,
        n_gold=len(gold),
        gold=dict(sorted(Counter(gold.values()).items())),
        n_ties=sum(len(labels) > 1 for labels in leading.values()),
        majority=_majority(leading, gold),
        judges=tuple(_judge(name, by_judge[name], gold) for name in by_judge),
    )


def _only_kind(project: Project) -> str:
    labelled = project.claims.filter(is_void=False).exclude(gold="")
    kinds = sorted(set(labelled.order_by().values_list("kind", flat=True)))
    if not kinds:
        raise InvalidInputError(f"No claim of “{project}” has a gold label: import claims with the field gold.")
    if len(kinds) > 1:
        raise InvalidInputError(f"“{project}” has labels for several kinds: choose --kind {' or '.join(kinds)}.")
    return kinds[0]


def _said(project: Project, kind: str) -> list[_Said]:
    votes = Verdict.objects.filter(
        claim__project=project,
        claim__kind=kind,
        claim__is_void=False,
        judge__is_active=True,
        purpose=Verdict.Purpose.VOTE,
        is_current=True,
    ).exclude(claim__gold="")
    rows = votes.order_by("judge_id", "claim_id", "order", "sample")
    return [
        _Said(claim_id, judge, (judge, order), state, label)
        for claim_id, judge, order, state, label in rows.values_list(
            "claim_id", "judge__name", "order", "state", "label"
        )
    ]


def _judge(name: str, said: Sequence[_Said], gold: Mapping[int, str]) -> Measured:
    cast = [(gold[each.claim_id], each.label) for each in said if each.state == Verdict.State.CAST]
    states = Counter(each.state for each in said)
    n_abstained, n_failed = states[Verdict.State.ABSTAINED], states[Verdict.State.FAILED]
    hits = [(truth, float(truth == label)) for truth, label in cast]
    return _measured(name, hits, cast, (n_abstained, n_failed))


def _majority(leading: Mapping[int, Sequence[str]], gold: Mapping[int, str]) -> Measured:
    hits = [(gold[pk], 1 / len(labels) if gold[pk] in labels else 0.0) for pk, labels in leading.items()]
    clear = [(gold[pk], labels[0]) for pk, labels in leading.items() if len(labels) == 1]
    return _measured("majority", hits, clear, (len(gold) - len(leading), 0))


def _measured(
    name: str, hits: Sequence[tuple[str, float]], pairs: Sequence[tuple[str, str]], without: tuple[int, int]
) -> Measured:
    by_label: dict[str, list[float]] = defaultdict(list)
    for truth, share in hits:
        by_label[truth].append(share)
    n_asked = len(hits) + sum(without)
    return Measured(
        name=name,
        n=len(hits),
        n_abstained=without[0],
        n_failed=without[1],
        abstained=without[0] / n_asked if n_asked else 0.0,
        accuracy=sum(share for _, share in hits) / len(hits) if hits else None,
        balanced_accuracy=balanced_share(hits),
        kappa=cohen_kappa([label for _, label in pairs], [truth for truth, _ in pairs]).value,
        recall={label: sum(shares) / len(shares) for label, shares in sorted(by_label.items())},
    )


def _leading(said: Iterable[_Said]) -> dict[int, list[str]]:
    """The labels with most votes of each claim; samples of a voter share its one vote."""
    cast: dict[int, dict[tuple[str, str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for each in said:
        if each.state == Verdict.State.CAST:
            cast[each.claim_id][each.voter].append(each.label)
    found = {}
    for claim_id, voters in cast.items():
        counts: dict[str, float] = defaultdict(float)
        for labels in voters.values():
            for label in labels:
                counts[label] += 1 / len(labels)
        most = max(counts.values())
        found[claim_id] = sorted(label for label, count in counts.items() if count > most - LEVEL)
    return found
