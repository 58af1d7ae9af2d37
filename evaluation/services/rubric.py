"""Rubric entries: written, edited, adopted, dropped and retired by people; drafted by a judge on request."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from evaluation.errors import ConflictError, InvalidInputError
from evaluation.models import Decision, Job, Project, RubricEntry, RubricEvent, Run
from evaluation.schemas import ClaimKind, Label, RubricDraft
from evaluation.services import projects, reviewers, rubric_support, trials
from evaluation.services.rubric_support import EntryText

MAX_CHARACTERS = 4_000
MAX_WORD = 100
NONE_GIVEN = "none was given"
WITHOUT = "Adopted without one."
MAX_REASON = 300


def write(*, project: Project, text: EntryText, by: User) -> RubricEntry:
    """Make a new draft by hand. Raises InvalidInputError where the rule is empty or a text is too long."""
    _check(text)
    with transaction.atomic():
        entry = RubricEntry(project=project, kind=_kind(project))
        if entry.kind == ClaimKind.PREFERENCE:
            entry.positive_label, entry.negative_label = Label.FIRST.value, Label.SECOND.value
        _fill(entry, text)
        entry.save()
        rubric_support.note(entry, RubricEvent.Action.DRAFTED, by)
    return entry


def edit(*, entry: RubricEntry, text: EntryText, by: User) -> RubricEntry:
    """Change an entry's text; one in force gets a new version that later calls see. Raises InvalidInputError."""
    _check(text)
    with transaction.atomic():
        projects.hold(entry.project)
        entry.refresh_from_db()
        if entry.status == RubricEntry.Status.RETIRED:
            raise ConflictError("This rule was retired: write a new one instead.")
        if entry.status == RubricEntry.Status.ACTIVE:
            projects.require_owner(entry.project, by)
        trials.stop(entry=entry)  # half of it would be about another wording
        _fill(entry, text)
        entry.version += 1
        entry.save()
        if entry.status == RubricEntry.Status.ACTIVE:
            rubric_support.bump(entry.project)
        rubric_support.note(entry, RubricEvent.Action.EDITED, by)
    return entry


def adopt(*, entry: RubricEntry, by: User) -> RubricEntry:
    """Put an entry in force: every later call of a judge reads it. Owners only."""
    projects.require_owner(entry.project, by)
    return _change(entry, RubricEntry.Status.ACTIVE, RubricEvent.Action.ADOPTED, by)


def missing_examples(entry: RubricEntry) -> tuple[str, ...]:
    """Which of the two examples the entry lacks, by their field names; who adopts it should know."""
    return tuple(name for name in ("positive_example", "negative_example") if not getattr(entry, name))


def retire(*, entry: RubricEntry, by: User) -> RubricEntry:
    """Take an entry out of force for later calls. Owners only."""
    projects.require_owner(entry.project, by)
    return _change(entry, RubricEntry.Status.RETIRED, RubricEvent.Action.RETIRED, by)


def drop(*, entry: RubricEntry, by: User) -> RubricEntry:
    """Give up a draft; it stays in the history. Raises ConflictError for an entry in force."""
    return _change(entry, RubricEntry.Status.RETIRED, RubricEvent.Action.DROPPED, by)


def propose(*, entry: RubricEntry, by: User) -> RubricEntry:
    """Note that an expert wants the draft adopted; an owner decides."""
    if entry.status not in (RubricEntry.Status.DRAFT, RubricEntry.Status.UNDER_REVIEW):
        raise ConflictError("Only a draft can be proposed.")
    rubric_support.note(entry, RubricEvent.Action.PROPOSED, by)
    return entry


def _change(entry: RubricEntry, status: str, action: str, by: User) -> RubricEntry:
    with transaction.atomic():
        projects.hold(entry.project)
        entry.refresh_from_db()
        if entry.status == status:
            return entry
        if (entry.status, action) == (RubricEntry.Status.ACTIVE, RubricEvent.Action.DROPPED):
            raise ConflictError("This rule is in force: retire it instead.")
        is_in_force = RubricEntry.Status.ACTIVE in (entry.status, status)
        entry.status = status
        if status == RubricEntry.Status.ACTIVE:
            _say_what_is_missing(entry)
        if status == RubricEntry.Status.RETIRED:
            trials.stop(entry=entry)
        entry.save()
        if is_in_force:
            rubric_support.bump(entry.project)
        rubric_support.note(entry, action, by)
    return entry


def _say_what_is_missing(entry: RubricEntry) -> None:
    for example in missing_examples(entry):
        field = example.replace("_example", "_missing")
        reason: str = getattr(entry, field).removesuffix(WITHOUT).strip()
        kept = "" if reason == NONE_GIVEN else reason[: MAX_REASON - len(WITHOUT) - 1]
        setattr(entry, field, f"{kept} {WITHOUT}".strip())


def _check(text: EntryText) -> None:
    if not text.criterion.strip():
        raise InvalidInputError("A rule needs a sentence that says what counts: fill in “Rule”.")
    for name in ("criterion", "boundary", "positive_example", "negative_example"):
        value: str = getattr(text, name)
        if len(value) > MAX_CHARACTERS or "\x00" in value:
            words = name.replace("_", " ")
            raise InvalidInputError(f"The {words} may have at most {MAX_CHARACTERS:,} characters and no NUL.")
    for name, value in (("dimension", text.dimension), *(("tag", tag) for tag in text.tags)):
        if len(value) > MAX_WORD or "\x00" in value:
            raise InvalidInputError(f"A {name} may have at most {MAX_WORD} characters and no NUL.")


def _fill(entry: RubricEntry, text: EntryText) -> None:
    entry.criterion, entry.boundary, entry.dimension = text.criterion.strip(), text.boundary.strip(), text.dimension
    entry.positive_example, entry.negative_example = text.positive_example.strip(), text.negative_example.strip()
    entry.positive_missing = "" if entry.positive_example else entry.positive_missing or NONE_GIVEN
    entry.negative_missing = "" if entry.negative_example else entry.negative_missing or NONE_GIVEN
    entry.tags = list(dict.fromkeys(tag.strip() for tag in text.tags if tag.strip()))


def _kind(project: Project) -> str:
    first = project.claims.values_list("kind", flat=True).first()
    return first or ClaimKind.STATEMENT.value


def request_draft(*, decision: Decision, by: User | None) -> Run:
    """Queue the drafting of an entry from a ruling and those like it; where it is queued already, that run is returned.

    The caller sends the wake-up. Raises InvalidInputError for a ruling without an answer.
    """
    if decision.action != Decision.Action.RULE:
        raise InvalidInputError("Only a ruling with an answer can become a rule.")
    with transaction.atomic():
        projects.hold(decision.project)
        if queued := Run.objects.filter(
            kind=Run.Kind.DRAFT, state__in=Run.OPEN_STATES, jobs__decision=decision
        ).first():
            return queued
        run = Run.objects.create(project=decision.project, kind=Run.Kind.DRAFT, started_by=by)
        judge = reviewers.drafter(decision.project, decision.claim.kind)
        Job.objects.create(run=run, task=Job.Task.DRAFT, key=f"draft/{decision.pk}", decision=decision, judge=judge)
    return run


def store_draft(*, decision: Decision, draft: RubricDraft, by: User | None) -> RubricEntry:
    """Keep what a judge drafted, with the rulings behind it.

    A ruling that supports a rule already gives no second one, and a rule in the same words gains the support.
    """
    kept = decision.rubric_entries.filter(status__in=rubric_support.LIVE).first()
    if kept is not None:
        return kept
    positive, negative = draft.positive, draft.negative
    like = rubric_support.like_rulings(decision) or [decision]
    with transaction.atomic():
        if same := _same_rule(decision, draft):
            same.decisions.add(*like)
            rubric_support.note(same, RubricEvent.Action.SUPPORT_ADDED, by)
            return same
        entry = RubricEntry.objects.create(
            project=decision.project,
            kind=decision.claim.kind,
            criterion=draft.criterion[:MAX_CHARACTERS],
            boundary=draft.boundary[:MAX_CHARACTERS],
            dimension=draft.dimension[:100],
            positive_example=positive.text[:MAX_CHARACTERS] if positive else "",
            positive_label=(positive.label if positive else Label.ACCEPT).value,
            positive_missing=draft.positive_missing[:MAX_REASON],
            negative_example=negative.text[:MAX_CHARACTERS] if negative else "",
            negative_label=(negative.label if negative else Label.REJECT).value,
            negative_missing=draft.negative_missing[:MAX_REASON],
            tags=list(draft.tags) or sorted(rubric_support.vocabulary_tags(decision)),
        )
        entry.decisions.set(like)
        rubric_support.note(entry, RubricEvent.Action.DRAFTED, by)
    return entry


def _same_rule(decision: Decision, draft: RubricDraft) -> RubricEntry | None:
    """A live rule in the very same words; a draft of it applies to the new tags, too."""
    live = decision.project.rubric_entries.filter(kind=decision.claim.kind, status__in=rubric_support.LIVE)
    same = live.filter(criterion=draft.criterion[:MAX_CHARACTERS]).order_by("pk").first()
    if same is not None and same.status != RubricEntry.Status.ACTIVE:
        same.tags = list(dict.fromkeys([*same.tags, *draft.tags]))
        same.save()
    return same


def follow(decision: Decision) -> Run | None:
    """After a ruling: add it to the entry that covers it, or queue a draft where two rulings point the same way."""
    if decision.action != Decision.Action.RULE or hasattr(decision, "undo"):
        return None
    if entry := rubric_support.covering_entry(decision):
        rests_on_rulings = entry.decisions.exists()  # of one written by hand nobody knows whether it fits
        if rests_on_rulings and not entry.decisions.filter(pk=decision.pk).exists():
            entry.decisions.add(decision)
            rubric_support.note(entry, RubricEvent.Action.SUPPORT_ADDED, decision.expert)
        return None
    if rubric_support.is_worth_a_draft(decision):
        return request_draft(decision=decision, by=decision.expert)
    return None
