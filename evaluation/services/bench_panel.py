"""Times a run of the panel against a server of its own, in a database that was made for it and holds nothing else."""

from __future__ import annotations

import math
import resource
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from evaluation.errors import ConflictError, InvalidInputError
from evaluation.llm.local_server.journal import Entry, entries
from evaluation.models import Call, Project, Run, Verdict
from evaluation.services import bench_material, call_matching, panel, panel_worker

MEGABYTE = 2**20

Said = Callable[[int], None]


@dataclass(frozen=True)
class Load:
    """How many calls a run takes, how many may be out at once, and how long the server takes over one."""

    calls: int
    concurrency: int
    latency: float

    def __post_init__(self) -> None:
        if self.calls < 1 or self.concurrency < 1 or self.latency <= 0:
            raise InvalidInputError("A run needs at least 1 call, a concurrency of 1 and a latency above 0 to time.")

    @property
    def lower_bound(self) -> float:
        """Seconds that nobody can go below: full rounds, one after the other."""
        return math.ceil(self.calls / self.concurrency) * self.latency


@dataclass
class _Watch:
    """Looks at time and memory whenever answers were stored."""

    run: Run
    calls: int
    said: Said
    last_commit: float = 0.0
    memory: list[tuple[int, float]] = field(default_factory=list)

    def look(self, _: Run) -> None:
        self.last_commit = time.time()
        n_done = self.run.jobs.exclude(ended_at=None).count()
        self.memory.append((n_done, memory_mb()))
        self.said(n_done)

    def at_tenth(self) -> float:
        """Memory when a tenth of the calls was done."""
        return next((mb for n_done, mb in self.memory if n_done >= self.calls / 10), memory_mb())


def measure(*, load: Load, urls: Mapping[str, str], log: Path, said: Said) -> dict[str, object]:
    """Ask a panel at these base URLs by provider, and return what it took; `said` hears how many calls are done.

    Raises ConflictError where the database holds a project: this is for one that was made for it.
    """
    if Project.objects.exists():
        raise ConflictError("A run is timed in an empty database of its own, and this one holds projects.")
    parameters = {"max_concurrency": load.concurrency}
    project = bench_material.make(calls=load.calls, urls=urls, parameters=parameters)
    run = panel.open_run(project=project, by=None)
    watch = _Watch(run, load.calls, said)
    began, cpu = time.time(), time.process_time()
    ended = panel_worker.drive(run_id=run.pk, concurrency=load.concurrency, said=watch.look)
    while ended.state in Run.WORKING_STATES:
        ended = panel_worker.drive(run_id=run.pk, concurrency=load.concurrency, said=watch.look)
    cpu, peak = time.process_time() - cpu, peak_mb()
    calls = list(call_matching.calls_of(run))
    if not calls:
        raise ConflictError(f"No call was sent: {ended.message or ended.state}")
    first = min(call.sent_at for call in calls)
    return {
        **_times(load, began, first, watch.last_commit),
        "n_sent": len(calls),
        **_compared(calls, list(entries(log.read_text(encoding="utf-8")))),
        **_votes(run, load),
        "cpu_ms_per_call": 1000 * cpu / len(calls),
        "peak_memory_mb": peak,
        "memory_at_tenth_mb": watch.at_tenth(),
        "memory_growth_mb": watch.memory[-1][1] - watch.at_tenth(),
    }


def peak_mb() -> float:
    """The most memory that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def memory_mb() -> float:
    """Memory that this process holds now; the most it ever held where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return peak_mb()
    return pages * resource.getpagesize() / MEGABYTE


def _times(load: Load, began: float, first: datetime, last: float) -> dict[str, object]:
    seconds = last - first.timestamp()
    return {
        "ratio_to_lower_bound": seconds / load.lower_bound,
        "seconds": seconds,
        "seconds_lower_bound": load.lower_bound,
        "seconds_start_up": first.timestamp() - began,
        "calls": load.calls,
    }


def _compared(calls: list[Call], log: list[Entry]) -> dict[str, object]:
    differing = call_matching.disagreements(calls=calls, log=log)
    return {
        "n_received": len(log),
        "n_disagreeing": len(differing),
        "first_disagreement": differing[0] if differing else None,
        "n_by_server": dict(sorted(Counter(entry.done for entry in log).items())),
    }


def _votes(run: Run, load: Load) -> dict[str, object]:
    """Count the votes; one is lost if there is neither a vote nor a reason why there is none."""
    found = Verdict.objects.filter(run=run)
    n_wanted = load.calls * bench_material.CLAIMS_PER_RESPONSE
    reasons = found.filter(state=Verdict.State.FAILED).values_list("failure_reason", flat=True)
    return {
        "n_votes": found.exclude(state=Verdict.State.FAILED).count(),
        "n_lost": n_wanted - found.count(),
        "n_failed_by_reason": dict(sorted(Counter(reasons).items())),
    }
