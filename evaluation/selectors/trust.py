"""How often the judges agreed with experts: on random audit picks, and on disputed claims, which are hard cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from evaluation.algorithms.voters import judge_of
from evaluation.models import Judge, Project, Verdict
from evaluation.selectors import outcomes

AUDIT_NEEDED = 30
LEVEL = 1e-9


@dataclass(frozen=True)
class Tally:
    """Right so often, out of so many votes; the samples of a voter are one vote together."""

    right: float
    n: float


@dataclass(frozen=True)
class Said:
    """How often a judge was right when it gave one label."""

    words: str
    tally: Tally


@dataclass(frozen=True)
class Ruled:
    """How many rulings gave one label: beside it a judge that always says the same does not look good."""

    words: str
    n: int


@dataclass(frozen=True)
class JudgeRecord:
    """One judge's agreement with experts; only the audit tally says how good it is overall."""

    judge: Judge
    audit: Tally
    disputed: Tally
    said: tuple[Said, ...]
    n_asked: int
    n_no_vote: int

    @property
    def no_vote_percent(self) -> int | None:
        return round(100 * self.n_no_vote / self.n_asked) if self.n_asked else None


@dataclass(frozen=True)
class Trust:
    """Block "Can the judges be trusted?"; `balanced` counts each label equally, on audit rulings only.

    About thirty audit rulings are needed, fewer only where fewer claims are left to draw from.
    """

    n_audit: int
    n_undecided: int
    n_rulings: int
    majority: Tally
    balanced: float | None
    records: tuple[JudgeRecord, ...]
    ruled: tuple[Ruled, ...]
    is_offline_only: bool

    @property
    def n_needed(self) -> int:
        return min(AUDIT_NEEDED, self.n_audit + self.n_undecided)

    @property
    def n_left(self) -> int:
        return max(0, self.n_needed - self.n_audit)

    @property
    def is_known(self) -> bool:
        return self.n_audit > 0 and not self.n_left

    @property
    def is_small(self) -> bool:
        """Whether there are too few audit rulings to speak of claims that are still to come."""
        return self.n_audit < AUDIT_NEEDED


@dataclass(frozen=True)
class _Ruling:
    kind: str
    label: str
    votes: tuple[tuple[int, str, float], ...]
    is_audit: bool
    is_disputed: bool


def trust(*, project: Project) -> Trust:
    """Compare every judge's votes, as they stood, with the rulings that stand; five queries."""
    rulings = _rulings(project)
    audit = [ruling for ruling in rulings if ruling.is_audit]
    judges = list(project.judges.filter(is_active=True))
    asked = _asked(project)
    hits = [(ruling.label, _majority_share(ruling)) for ruling in audit if ruling.votes]
    return Trust(
        n_audit=len(audit),
        n_undecided=outcomes.undecided(project).count(),
        n_rulings=len(rulings),
        majority=Tally(sum(share for _, share in hits), len(hits)),
        balanced=balanced_share(hits),
        records=tuple(_record(project, judge, rulings, asked.get(judge.pk, (0, 0))) for judge in judges),
        ruled=_ruled(rulings, _words(project)),
        is_offline_only=bool(judges) and all(judge.is_offline for judge in judges),
    )


def balanced_share(hits: Iterable[tuple[str, float]]) -> float | None:
    """Mean over ruled labels of the share that was right; None unless two labels occur."""
    by_label: dict[str, list[float]] = defaultdict(list)
    for label, share in hits:
        by_label[label].append(share)
    if len(by_label) < 2:
        return None
    return sum(sum(shares) / len(shares) for shares in by_label.values()) / len(by_label)


def _rulings(project: Project) -> list[_Ruling]:
    rows = outcomes.ruled(project).values_list(
        "claim__kind",
        "decision__label",
        "decision__votes",
        "decision__draw__is_audit",
        "decision__pattern__is_candidate",
    )
    return [
        _Ruling(kind, label, _votes(votes), is_audit, is_candidate and not is_audit)
        for kind, label, votes, is_audit, is_candidate in rows
    ]


def _ruled(rulings: Iterable[_Ruling], words: Mapping[str, str]) -> tuple[Ruled, ...]:
    counts = Counter(ruling.label for ruling in rulings)
    return tuple(Ruled(words[label], counts[label]) for label in words if counts[label])


def _votes(stored: Sequence[Sequence[object]]) -> tuple[tuple[int, str, float], ...]:
    return tuple((judge_of(str(voter)), str(label), float(str(share))) for voter, label, share in stored)


def _majority_share(ruling: _Ruling) -> float:
    """1 where the most frequent label is the ruled one, a share of it where several tie."""
    counts: dict[str, float] = defaultdict(float)
    for _, label, share in ruling.votes:
        counts[label] += share
    best = max(counts.values())
    leading = [label for label, n in counts.items() if n > best - LEVEL]
    return 1 / len(leading) if ruling.label in leading else 0.0


def _asked(project: Project) -> dict[int, tuple[int, int]]:
    rows = Verdict.objects.filter(claim__project=project, purpose=Verdict.Purpose.VOTE, is_current=True).order_by()
    counted = rows.values_list("judge_id").annotate(
        n=Count("pk"), n_no_vote=Count("pk", filter=~Q(state=Verdict.State.CAST))
    )
    return {judge_id: (n, n_no_vote) for judge_id, n, n_no_vote in counted}


def _record(project: Project, judge: Judge, rulings: Sequence[_Ruling], asked: tuple[int, int]) -> JudgeRecord:
    return JudgeRecord(
        judge=judge,
        audit=_tally(judge.pk, [ruling for ruling in rulings if ruling.is_audit]),
        disputed=_tally(judge.pk, [ruling for ruling in rulings if ruling.is_disputed]),
        said=_said(judge.pk, rulings, _words(project)),
        n_asked=asked[0],
        n_no_vote=asked[1],
    )


def _tally(judge_id: int, rulings: Iterable[_Ruling]) -> Tally:
    votes = ((label == ruling.label, by, share) for ruling in rulings for by, label, share in ruling.votes)
    return _tally_of([(is_right, share) for is_right, by, share in votes if by == judge_id])


def _tally_of(hits: Sequence[tuple[bool, float]]) -> Tally:
    return Tally(_tidy(sum(share for is_right, share in hits if is_right)), _tidy(sum(share for _, share in hits)))


def _tidy(shares: float) -> float:
    """A sum of thirds as people write it: whole where it is whole."""
    return round(shares, 2)


def _words(project: Project) -> Mapping[str, str]:
    sides = {"first": "first", "second": "second"}
    words = {**project.label_words("statement"), **project.label_words("preference")}
    return {str(label): sides.get(label, text) for label, text in words.items()}


def _said(judge_id: int, rulings: Iterable[_Ruling], words: Mapping[str, str]) -> tuple[Said, ...]:
    hits: dict[str, list[tuple[bool, float]]] = defaultdict(list)
    for ruling in rulings:
        for judge, label, share in ruling.votes:
            if judge == judge_id:
                hits[label].append((label == ruling.label, share))
    order = [label for label in words if label in hits]
    return tuple(Said(words[label], _tally_of(hits[label])) for label in order)
