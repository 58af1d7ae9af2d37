"""Takes the jobs of a run for one worker, in their order."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from evaluation.models import Job, Run
from evaluation.services import jobs
from evaluation.services.jobs import Lane, Wanted
from evaluation.services.preparing import ASKING, IN_PLACE


class Taking:
    """Takes what is free of one lane, narrowed by `only`; the run at hand is as its worker last saw it.

    It goes on after the job that it took last and starts again when it has come to the end: most of those before are
    done, and looking through them for each few jobs would take longer the longer the run is. Jobs that nobody had yet
    come first: a worker that is killed again and again does not die over the same few every time.
    """

    def __init__(self, run: Run, lane: Lane, only: Q | None = None) -> None:
        self._run = run
        self._lane = lane
        self._only = only
        self._last = 0
        self._is_fresh = True

    def next(self, n: int, not_of: Collection[int] = ()) -> list[Job]:
        """Take at most `n` jobs that ask a judge, but none of these, or else one that is done on the spot."""
        if self._run.state == Run.State.PAUSED:
            return []
        if self._run.state not in (Run.State.QUEUED, Run.State.RUNNING):
            return self._done_here((Job.Task.MERGE,))  # what was found is joined all the same when a run is stopped
        return self._asking(n, frozenset(not_of)) or self._done_here(IN_PLACE)

    def _asking(self, n: int, not_of: frozenset[int]) -> list[Job]:
        for after in sorted({self._last, 0}, reverse=True) if self._is_fresh else ():
            wanted = Wanted(self._lane, ASKING, not_of, only=self._only, after=after, is_fresh=True)
            if leased := jobs.lease(self._run, n, wanted):
                self._last = leased[-1].pk
                return leased
        if not not_of:
            self._is_fresh = False
        return jobs.lease(self._run, n, Wanted(self._lane, ASKING, not_of, only=self._only))

    def _done_here(self, tasks: tuple[str, ...]) -> list[Job]:
        return jobs.lease(self._run, 1, Wanted(self._lane, tasks))
