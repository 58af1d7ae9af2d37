"""What must hold of a project's money at every moment that a database shows: purses and calls tell the same."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.models import Call, Project, Purse, Run
from evaluation.services import purses


def check_books(project: Project) -> None:
    """Check that purses hold what calls cost and may cost; once every run has ended, nothing is reserved any more."""
    calls = list(Call.objects.filter(job__run__project=project).select_related("job__run"))
    for purse in Purse.objects.filter(project=project):
        drawn = [call for call in calls if purse.key in _keys_of(call.job.run)]
        held = sum(call.reserved_micros for call in drawn if call.state == Call.State.SENT)
        assert (purse.key, purse.reserved_micros) == (purse.key, held)
        assert (purse.key, purse.spent_micros) == (purse.key, _cost(drawn))
        assert purse.cap_micros is None or purse.spent_micros + purse.reserved_micros <= purse.cap_micros
    ended = [call for call in calls if call.job.run.state not in Run.OPEN_STATES and call.batch_id is None]
    assert [call for call in ended if call.state == Call.State.SENT] == []


def _keys_of(run: Run) -> set[str]:
    keys = {purses.PROJECT, purses.run_key(run)}
    return keys | {purses.weekly_key(run.created_at)} if run.kind == Run.Kind.SECOND_LOOK else keys


def _cost(calls: Iterable[Call]) -> int:
    return sum(call.cost_micros or 0 for call in calls if call.state != Call.State.SENT)
