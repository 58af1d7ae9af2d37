"""Which rulings stand behind which rubric entries, and what happens when one is taken back."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from evaluation.models import Decision, Project, RubricEntry, RubricEvent
from evaluation.services import ruling_causes

POINTING_THE_SAME_WAY = 2
LIVE = (RubricEntry.Status.ACTIVE, RubricEntry.Status.DRAFT, RubricEntry.Status.UNDER_REVIEW)


@dataclass(frozen=True)
class EntryText:
    """What a person writes in an entry; an example that is empty is missing."""

    criterion: str
    boundary: str = ""
    dimension: str = ""
    positive_example: str = ""
    negative_example: str = ""
    tags: tuple[str, ...] = ()


def snapshot(entry: RubricEntry) -> dict[str, object]:
    """The entry's text as an event keeps it."""
    text = EntryText(
        entry.criterion,
        entry.boundary,
        entry.dimension,
        entry.positive_example,
        entry.negative_example,
        tuple(entry.tags),
    )
    return {**asdict(text), "tags": list(entry.tags), "status": entry.status}


def note(entry: RubricEntry, action: str, by: User | None) -> RubricEvent:
    """Append an event to the entry's history."""
    return RubricEvent.objects.create(
        entry=entry,
        action=action,
        entry_version=entry.version,
        rubric_version=entry.project.rubric_version,
        snapshot=snapshot(entry),
        by=by,
    )


def surviving(entry: RubricEntry) -> int:
    """How many rulings behind the entry were not undone."""
    return entry.decisions.filter(undo__isnull=True).count()


def withdraw(*, decision: Decision, by: User) -> None:
    """Mark every entry that rests on an undone ruling; one with no ruling left goes under review."""
    for entry in decision.rubric_entries.exclude(status=RubricEntry.Status.RETIRED):
        if surviving(entry) == 0:
            was_active = entry.status == RubricEntry.Status.ACTIVE
            entry.status = RubricEntry.Status.UNDER_REVIEW
            entry.save()
            if was_active:
                bump(entry.project)
                entry.project.refresh_from_db()
        note(entry, RubricEvent.Action.SUPPORT_LOST, by)


def bump(project: Project) -> int:
    """Give the project's rubric its next version and return it."""
    project.rubric_version += 1
    project.save(update_fields=["rubric_version"])
    return project.rubric_version


def covering_entry(decision: Decision) -> RubricEntry | None:
    """A live entry that speaks of the same tags and rests on rulings of the same cause, so that no second is drafted.

    One written by hand rests on no ruling and covers all that has its tags.
    """
    tags = vocabulary_tags(decision)
    entries = decision.project.rubric_entries.filter(kind=decision.claim.kind, status__in=LIVE)
    for entry in entries.prefetch_related("decisions__claim__instance__documents").order_by("pk"):
        rulings = entry.decisions.all()
        if (tags & set(entry.tags)) and (not rulings or any(_is_alike(decision, other) for other in rulings)):
            return entry
    return None


def like_rulings(decision: Decision) -> list[Decision]:
    """Standing rulings with the same label and cause that share a tag and support no rule; the given one among them."""
    tags = vocabulary_tags(decision)
    free = _standing(decision.project).filter(label=decision.label, claim__kind=decision.claim.kind)
    free = free.exclude(Q(rubric_entries__status__in=LIVE) & ~Q(pk=decision.pk))
    return [
        other
        for other in free
        if other.pk == decision.pk or (tags & vocabulary_tags(other) and _is_alike(decision, other))
    ]


def _is_alike(one: Decision, other: Decision) -> bool:
    return one.label == other.label and ruling_causes.is_same(one, other)


def vocabulary_tags(decision: Decision) -> set[str]:
    """The claim's tags that are in the project's vocabulary."""
    return set(decision.claim.tags) & set(decision.project.tag_vocabulary)


def _standing(project: Project) -> QuerySet[Decision]:
    return (
        Decision.objects.filter(project=project, undo__isnull=True, action=Decision.Action.RULE, outcomes__isnull=False)
        .select_related("claim__response", "claim__second_response", "claim__instance", "project")
        .prefetch_related("claim__instance__documents")
        .distinct()
        .order_by("pk")
    )


def is_worth_a_draft(decision: Decision) -> bool:
    """Whether at least two rulings point the same way and no entry covers them."""
    if decision.action != Decision.Action.RULE or not vocabulary_tags(decision):
        return False
    return covering_entry(decision) is None and len(like_rulings(decision)) >= POINTING_THE_SAME_WAY
