"""Which rules in force the judges did not read in the last run, because others took the room."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max, Q

from evaluation.models import Project, RubricEntry, RubricEvent, Run, Verdict


@dataclass(frozen=True)
class Reading:
    """A rule and in how many of the votes that were cast while it was in force the judge had read it."""

    entry_id: int
    criterion: str
    n_votes: int
    n_read: int


@dataclass(frozen=True)
class LastRun:
    """The last run of the panel: rules that no judge read in it, and rules read for a part of the votes only."""

    run: Run
    unread: tuple[Reading, ...]
    partly: tuple[Reading, ...]


@dataclass(frozen=True)
class _Group:
    """Votes of one kind that were cast under one version of the rubric with the same entries read."""

    kind: str
    rubric_version: int
    read: frozenset[int]
    n: int


def last_run(project: Project) -> LastRun | None:
    """What was not read in the last run of the panel that brought votes; None where there is nothing to say.

    A rule counts where it was in force when the vote was stored and still is. Three queries, however many votes.
    """
    in_force = _in_force(project)
    votes = Verdict.objects.filter(
        run__project=project, run__kind=Run.Kind.PANEL, purpose=Verdict.Purpose.VOTE, prompt_version__gt=0
    )
    newest = votes.order_by("-run_id").select_related("run").first() if in_force else None
    if newest is None:
        return None
    groups = _groups(newest.run)
    readings = [_reading(entry, since, groups) for entry, since in in_force]
    unread = tuple(each for each in readings if each.n_votes and not each.n_read)
    partly = tuple(each for each in readings if 0 < each.n_read < each.n_votes)
    return LastRun(newest.run, unread, partly) if unread or partly else None


def _groups(run: Run) -> list[_Group]:
    rows = run.verdicts.filter(purpose=Verdict.Purpose.VOTE, prompt_version__gt=0).order_by()
    counted = rows.values_list("claim__kind", "rubric_version", "rubric_entries").annotate(n=Count("pk"))
    return [
        _Group(kind, version, frozenset(entry_id for entry_id, _ in entries), n)
        for kind, version, entries, n in counted
    ]


def _in_force(project: Project) -> list[tuple[RubricEntry, int]]:
    """Entries in force with the version of the rubric since which they are."""
    adopted = Q(events__action=RubricEvent.Action.ADOPTED)
    active = project.rubric_entries.filter(status=RubricEntry.Status.ACTIVE)
    entries = active.annotate(since=Max("events__rubric_version", filter=adopted)).order_by("pk")
    return [(entry, entry.since) for entry in entries if entry.since is not None]


def _reading(entry: RubricEntry, since: int, groups: Iterable[_Group]) -> Reading:
    own = [group for group in groups if group.kind == entry.kind and group.rubric_version >= since]
    n_read = sum(group.n for group in own if entry.pk in group.read)
    return Reading(entry.pk, entry.criterion, sum(group.n for group in own), n_read)
