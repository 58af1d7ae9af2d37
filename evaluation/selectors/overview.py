"""What the project overview shows first: what is left, what happened lately, and where it hurts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from evaluation.models import Decision, Outcome, Project, Propagation, RubricEntry, RubricEvent, VotePattern
from evaluation.schemas import OutcomeSource, OutcomeState
from evaluation.selectors import outcomes
from evaluation.selectors.answers import Reader, display_name, ruling_words
from evaluation.selectors.answers import reader as reader_of

LATELY = timedelta(days=7)
N_RECENT = 8
N_TAGS = 8
N_YARDSTICK = 10


@dataclass(frozen=True)
class Helper:
    """How many rulings one person made lately."""

    name: str
    n_rulings: int


@dataclass(frozen=True)
class WhatIsLeft:
    """Block "What is left"; the last rulings say what the next ones may bring."""

    n_claims: int
    n_disputed: int
    n_thin: int
    n_unjudged: int
    n_agreed: int
    n_settled: int
    n_void: int
    helpers: tuple[Helper, ...]
    n_yardstick: int
    n_moved_by_yardstick: int


@dataclass(frozen=True)
class RecentRuling:
    """A ruling as listed: who, what, on which claim, and how many current answers moved."""

    decision_id: int
    claim_id: int
    claim_text: str
    name: str
    words: str
    decided_at: datetime
    n_moved: int
    is_undone: bool


@dataclass(frozen=True)
class Since:
    """Block "Since": the last seven days, and the last rulings of any day with how many came before them."""

    start: datetime
    n_rulings: int
    n_moved: int
    n_adopted: int
    n_drafts: int
    recent: tuple[RecentRuling, ...]
    n_more: int


@dataclass(frozen=True)
class TagCount:
    """Disputed claims that carry a tag."""

    tag: str
    n: int


def what_is_left(*, project: Project) -> WhatIsLeft:
    """Count claims by what holds true of them now."""
    live = Q(claim__is_void=False)
    panel = live & Q(source=OutcomeSource.PANEL)
    dispute = panel & Q(pattern__is_candidate=True)
    counted = Outcome.objects.filter(project=project).aggregate(
        n_claims=Count("pk", filter=live),
        n_disputed=Count("pk", filter=dispute),
        n_thin=Count("pk", filter=panel & Q(pattern__state=VotePattern.State.THIN)),
        n_unjudged=Count("pk", filter=panel & Q(pattern__state=VotePattern.State.UNJUDGED)),
        n_agreed=Count("pk", filter=panel & Q(pattern__is_candidate=False, pattern__state=OutcomeState.OPEN)),
        n_settled=Count("pk", filter=live & ~Q(source=OutcomeSource.PANEL)),
        n_void=Count("pk", filter=~live),
    )
    lately = Propagation.objects.filter(decision__project=project, decision__undo__isnull=True).order_by("-pk")
    moved = list(lately.values_list("n_moved", flat=True)[:N_YARDSTICK])
    return WhatIsLeft(**counted, helpers=_helpers(project), n_yardstick=len(moved), n_moved_by_yardstick=sum(moved))


def since(*, project: Project, user: User) -> Since:
    """What the last seven days brought, as this person reads it."""
    start = timezone.now() - LATELY
    recent = _recent(project, user)
    standing = project.decisions.filter(undo__isnull=True, decided_at__gte=start)
    return Since(
        start=start,
        n_rulings=standing.filter(action=Decision.Action.RULE).count(),
        n_moved=standing.aggregate(n=Sum("propagation__n_moved"))["n"] or 0,
        n_adopted=RubricEvent.objects.filter(
            entry__project=project, action=RubricEvent.Action.ADOPTED, at__gte=start
        ).count(),
        n_drafts=project.rubric_entries.filter(status=RubricEntry.Status.DRAFT).count(),
        recent=recent,
        n_more=_rulings(project).count() - len(recent),
    )


def where_it_hurts(*, project: Project) -> tuple[TagCount, ...]:
    """Tags of disputed claims that nobody has settled, the most frequent first."""
    disputed = outcomes.disputed().filter(project=project)
    counts: Counter[str] = Counter()
    for tags, n in disputed.order_by().values_list("claim__tags").annotate(n=Count("pk")):
        for tag in tags:
            counts[str(tag)] += n
    return tuple(TagCount(tag, n) for tag, n in sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:N_TAGS])


def _helpers(project: Project) -> tuple[Helper, ...]:
    start = timezone.now() - LATELY
    rows = project.decisions.filter(undo__isnull=True, action=Decision.Action.RULE, decided_at__gte=start).order_by()
    names = rows.values_list("expert__first_name", "expert__last_name", "expert__username")
    found = [
        Helper(f"{first} {last}".strip() or username, n) for first, last, username, n in names.annotate(n=Count("pk"))
    ]
    return tuple(sorted(found, key=lambda helper: (-helper.n_rulings, helper.name)))


def _rulings(project: Project) -> QuerySet[Decision]:
    return project.decisions.exclude(action=Decision.Action.CANNOT_JUDGE)


def _recent(project: Project, user: User) -> tuple[RecentRuling, ...]:
    rows = _rulings(project).select_related("claim", "expert", "propagation", "undo").order_by("-pk")[:N_RECENT]
    reader = reader_of(project, user.pk)
    return tuple(_recent_row(decision, reader) for decision in rows)


def _recent_row(decision: Decision, reader: Reader) -> RecentRuling:
    propagation = getattr(decision, "propagation", None)
    return RecentRuling(
        decision_id=decision.pk,
        claim_id=decision.claim_id,
        claim_text=decision.claim.text,
        name=display_name(decision),
        words=ruling_words(reader, decision),
        decided_at=decision.decided_at,
        n_moved=propagation.n_moved if propagation else 0,
        is_undone=getattr(decision, "undo", None) is not None,
    )
