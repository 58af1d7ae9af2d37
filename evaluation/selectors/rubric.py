"""The rubric page: rules to look at, in force and retired, with where they come from and what happened to them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from django.db.models import Count, Q, QuerySet

from evaluation.models import Decision, Outcome, Project, RubricEntry, RubricEvent, Verdict
from evaluation.selectors.answers import Reader, display_name, name_of, ruling_words
from evaluation.selectors.suspicions import SuspiciousPassage, suspicious_in_rule

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Counts(TypedDict):
        n_ever: int
        n_standing: int
        n_proposed: int

    CountedEntry: TypeAlias = WithAnnotations[RubricEntry, _Counts]

FIELDS = {
    "criterion": "Rule",
    "boundary": "Holds not when",
    "positive_example": "Example ok",
    "negative_example": "Example bad",
    "tags": "Applies to",
    "dimension": "Dimension",
}
HAPPENED = {
    RubricEvent.Action.DRAFTED: "Drafted",
    RubricEvent.Action.EDITED: "Edited",
    RubricEvent.Action.PROPOSED: "Proposed for adoption",
    RubricEvent.Action.ADOPTED: "Adopted",
    RubricEvent.Action.DROPPED: "Dropped",
    RubricEvent.Action.RETIRED: "Retired",
    RubricEvent.Action.SUPPORT_ADDED: "Another ruling supports it",
    RubricEvent.Action.SUPPORT_LOST: "A ruling behind it was undone",
}


@dataclass(frozen=True)
class RubricFilter:
    """Which rules are listed."""

    is_mine: bool = False
    tag: str = ""


@dataclass(frozen=True)
class EntryRow:
    """A rule in the list; `n_rulings` of `n_ever` rulings behind it still stand."""

    entry_id: int
    criterion: str
    status: str
    n_rulings: int
    n_ever: int
    is_proposed: bool

    @property
    def support_words(self) -> str:
        return rulings_left(self.n_rulings, self.n_ever) if self.n_ever else "by hand"


@dataclass(frozen=True)
class Beside:
    """The ids of a rule's neighbours in the list."""

    before: int | None
    after: int | None


@dataclass(frozen=True)
class RubricList:
    """All rules by state, with the rubric's version."""

    to_look_at: tuple[EntryRow, ...]
    in_force: tuple[EntryRow, ...]
    retired: tuple[EntryRow, ...]
    version: int
    version_at: datetime | None

    @property
    def all(self) -> tuple[EntryRow, ...]:
        return (*self.to_look_at, *self.in_force, *self.retired)

    @property
    def first(self) -> EntryRow | None:
        return next(iter(self.all), None)

    def beside(self, entry_id: int) -> Beside:
        """The rules before and after this one in the list."""
        ids = [row.entry_id for row in self.all]
        if entry_id not in ids:
            return Beside(None, None)
        at = ids.index(entry_id)
        return Beside(ids[at - 1] if at else None, ids[at + 1] if at + 1 < len(ids) else None)


@dataclass(frozen=True)
class Support:
    """A ruling behind a rule."""

    decision_id: int
    claim_id: int
    claim: str
    ruled: str
    expert: str
    decided_at: datetime
    is_undone: bool


@dataclass(frozen=True)
class Change:
    """A field as it was and as it became."""

    field: str
    before: str
    after: str


@dataclass(frozen=True)
class Happening:
    """Something that happened to a rule: what, who, when, and the fields it changed."""

    title: str
    by: str
    at: datetime
    version: int
    rubric_version: int
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class JudgedUnder:
    """How many claims have current votes that were made under a version of the rubric."""

    version: int
    n_claims: int


@dataclass(frozen=True)
class EntryPage:
    """One rule with its provenance and history."""

    entry: RubricEntry
    support: tuple[Support, ...]
    from_words: str
    lost_words: str
    missing: tuple[str, ...]
    history: tuple[Happening, ...]
    judged: tuple[JudgedUnder, ...]
    n_answers: int
    is_proposed: bool
    suspicious: tuple[SuspiciousPassage, ...]


def entries(project: Project) -> QuerySet[CountedEntry]:
    """Rules of the project with how many rulings ever stood and still stand behind each."""
    return project.rubric_entries.annotate(
        n_ever=Count("decisions", distinct=True),
        n_standing=Count("decisions", filter=Q(decisions__undo__isnull=True), distinct=True),
        n_proposed=Count("events", filter=Q(events__action=RubricEvent.Action.PROPOSED), distinct=True),
    )


def rubric_list(reader: Reader, only: RubricFilter | None = None) -> RubricList:
    """The rules by state; two queries."""
    only = only or RubricFilter()
    rows = entries(reader.project)
    if only.is_mine:
        mine = RubricEntry.objects.filter(
            Q(decisions__expert=reader.user_id) | Q(events__by=reader.user_id), project=reader.project
        )
        rows = rows.filter(pk__in=mine.values("pk"))
    kept = [entry for entry in rows if not only.tag or only.tag in entry.tags]
    statuses = RubricEntry.Status
    last = RubricEvent.objects.filter(entry__project=reader.project, rubric_version=reader.project.rubric_version)
    return RubricList(
        to_look_at=_rows(kept, statuses.DRAFT, statuses.UNDER_REVIEW),
        in_force=_rows(kept, statuses.ACTIVE),
        retired=_rows(kept, statuses.RETIRED),
        version=reader.project.rubric_version,
        version_at=last.order_by("pk").values_list("at", flat=True).first() if reader.project.rubric_version else None,
    )


def entry_page(reader: Reader, entry: RubricEntry) -> EntryPage:
    """A rule with the rulings behind it, its history, and what was judged under which version; four queries."""
    decisions = list(entry.decisions.select_related("claim", "expert", "undo").order_by("pk"))
    support = tuple(_support(reader, decision) for decision in decisions)
    events = list(entry.events.select_related("by"))
    return EntryPage(
        entry=entry,
        support=support,
        from_words=_from_words(support),
        lost_words=_lost_words(support),
        missing=tuple(FIELDS[name] for name in ("positive_example", "negative_example") if not getattr(entry, name)),
        history=tuple(reversed(_history(events))),
        judged=_judged(reader.project),
        n_answers=Outcome.objects.filter(project=reader.project, pattern__n_cast__gt=0).count(),
        is_proposed=any(event.action == RubricEvent.Action.PROPOSED for event in events),
        suspicious=suspicious_in_rule(entry),
    )


def _rows(kept: list[CountedEntry], *statuses: str) -> tuple[EntryRow, ...]:
    return tuple(
        EntryRow(
            entry.pk,
            entry.criterion,
            entry.status,
            entry.n_standing,
            entry.n_ever,
            bool(entry.n_proposed),
        )
        for entry in kept
        if entry.status in statuses
    )


def _support(reader: Reader, decision: Decision) -> Support:
    return Support(
        decision_id=decision.pk,
        claim_id=decision.claim_id,
        claim=decision.claim.text,
        ruled=ruling_words(reader, decision),
        expert=display_name(decision),
        decided_at=decision.decided_at,
        is_undone=hasattr(decision, "undo"),
    )


def rulings_left(n_left: int, n_ever: int) -> str:
    """How many rulings stand behind a rule: "3 rulings", or "2 of 3 rulings left" after an undo."""
    noun = "ruling" if n_ever == 1 else "rulings"
    return f"{n_ever} {noun}" if n_left == n_ever else f"{n_left} of {n_ever} {noun} left"


def _from_words(support: tuple[Support, ...]) -> str:
    """Where a rule comes from, by the rulings that stand: "from 3 rulings (Ana 2, Bea 1)"."""
    if not support:
        return "written by hand"
    by = Counter(ruling.expert for ruling in support if not ruling.is_undone)
    people = ", ".join(f"{name} {n}" for name, n in by.most_common())
    said = rulings_left(by.total(), len(support))
    start = "from " if by.total() == len(support) else ""
    return f"{start}{said} ({people})" if people else said


def _lost_words(support: tuple[Support, ...]) -> str:
    n_left = sum(1 for ruling in support if not ruling.is_undone)
    return rulings_left(n_left, len(support)) if n_left < len(support) else ""


def _history(events: list[RubricEvent]) -> list[Happening]:
    found: list[Happening] = []
    before: dict[str, object] = {}
    for event in events:
        by = name_of(event.by) if event.by else "a judge"
        changes = _changes(before, event.snapshot) if before else ()
        title = HAPPENED[RubricEvent.Action(event.action)]
        found.append(Happening(title, by, event.at, event.entry_version, event.rubric_version, changes))
        before = event.snapshot
    return found


def _changes(before: dict[str, object], after: dict[str, object]) -> tuple[Change, ...]:
    changed = (name for name in FIELDS if before.get(name) != after.get(name))
    return tuple(Change(FIELDS[name], _plain(before.get(name)), _plain(after.get(name))) for name in changed)


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _judged(project: Project) -> tuple[JudgedUnder, ...]:
    current = project.claims.filter(
        verdicts__is_current=True, verdicts__state=Verdict.State.CAST, verdicts__purpose=Verdict.Purpose.VOTE
    )
    versions = current.order_by("verdicts__rubric_version").values_list("verdicts__rubric_version")
    return tuple(JudgedUnder(version, n) for version, n in versions.annotate(n=Count("pk", distinct=True)))
