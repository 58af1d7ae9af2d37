"""What the stories of processes that die have in common: a run over a faulty server, and what must hold after it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Max, Sum
from django.utils import timezone

from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.faults import Faults
from evaluation.llm.local_server.journal import Entry, entries
from evaluation.llm.local_server.latency import Latency
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Call, Job, Project, Purse, Run, Verdict
from evaluation.services import bench_material, call_matching, panel_worker, preparing, prices, purses
from evaluation.services.prices import NewPrice

CONCURRENCY = panel_worker.CONCURRENCY
REASONS = {"truncated", "shape", "parse", "refused", "timeout", "rate_limit", "server"}
FAULTY = Faults(
    seed=11,
    latency=Latency(0.12, 0.3),
    rate_limited=0.05,
    retry_after=0.05,
    server_errors=0.02,
    cut=0.02,
    malformed=0.02,
    truncated=0.01,
)


def faulty_server() -> LocalServer:
    return LocalServer(behaviour=Behaviour(faults=FAULTY))


def urls_of(server: LocalServer) -> dict[str, str]:
    return {"openai_chat": server.openai_url, "anthropic_messages": server.url}


def make_project(urls: Mapping[str, str], calls: int) -> Project:
    """A project whose run takes so many calls to a server of this machine, each at a price."""
    project = bench_material.make(calls=calls, urls=urls, parameters={"max_concurrency": CONCURRENCY})
    day = timezone.now().date()
    for provider in bench_material.PROVIDERS:
        prices.set_price(
            new=NewPrice(
                provider=provider,
                model="model-*",
                host="127.0.0.1",
                input_micros=1_000_000,
                output_micros=4_000_000,
                valid_from=day,
                source="a price for this test",
            )
        )
    return project


def log_of(server: LocalServer) -> list[Entry]:
    return list(entries(server.journal.text()))


@dataclass(frozen=True)
class Kill:
    """What the ledger held when a process was killed: the newest call, and the calls that were answered."""

    newest: int
    answered: frozenset[int]

    @classmethod
    def now(cls) -> Kill:
        answered = Call.objects.filter(state=Call.State.ANSWERED).values_list("pk", flat=True)
        return cls(Call.objects.aggregate(newest=Max("pk"))["newest"] or 0, frozenset(answered))

    def asked_again(self) -> list[Call]:
        """Calls for jobs that had an answer of the asked shape when the process was killed."""
        done = Call.objects.filter(pk__in=self.answered, is_usable=True).values("job")
        return list(Call.objects.filter(job__in=done, pk__gt=self.newest))


@dataclass
class Moments:
    """Random moments of a run at which something is killed: after so many more requests, and a little later."""

    rng: random.Random
    most_calls: int

    def next(self, n_now: int) -> tuple[int, float]:
        """How many requests the server must have got by then, and the seconds to wait after that."""
        return n_now + self.rng.randint(0, self.most_calls), self.rng.uniform(0, 0.2)


def has_ended(run: Run) -> bool:
    run.refresh_from_db()
    return run.state not in Run.OPEN_STATES


def has_got_on(server: LocalServer, run: Run, n: int) -> bool:
    """Whether the server got so many requests, or no more will come."""
    return server.n_received >= n or has_ended(run)


def let_time_pass() -> None:
    """Do what time does to the leases of a worker that died."""
    Job.objects.filter(state=Job.State.LEASED).update(lease_until=timezone.now())
    Job.objects.exclude(not_before=None).update(not_before=timezone.now())


def check(run: Run, log: Sequence[Entry], kills: Iterable[Kill]) -> dict[str, int]:
    """Check what must hold when a run has ended, whatever was killed on the way; returns its figures.

    `log` is what the server got from this run.
    """
    made = list(kills)
    calls = list(call_matching.calls_of(run))
    states = Counter(call.state for call in calls)
    claims, judges = run.project.claims.count(), run.project.judges.count()
    failed = Verdict.objects.filter(run=run, state=Verdict.State.FAILED)
    assert Verdict.objects.filter(run=run).count() == claims * judges, "a vote is missing, or there twice"
    assert Verdict.objects.filter(claim__project=run.project, is_current=True).count() == claims * judges
    assert set(failed.values_list("failure_reason", flat=True)) <= REASONS
    assert not run.jobs.filter(state=Job.State.FAILED, error="").exists()
    assert [call for kill in made for call in kill.asked_again()] == []
    assert states[Call.State.SENT] == 0
    assert states[Call.State.UNCONFIRMED] <= len(made) * CONCURRENCY
    assert call_matching.disagreements(calls=calls, log=log) == []
    _check_money(run)
    return {
        "kills": len(made),
        "calls": len(calls),
        "repeats": states[Call.State.UNCONFIRMED],
        "votes": claims * judges - failed.count(),
        "failed": failed.count(),
        "given_up": run.jobs.filter(error=preparing.GIVEN_UP).count(),
    }


def _check_money(run: Run) -> None:
    """Nothing is reserved any more, and what the purses say was spent is what the calls cost."""
    calls = Call.objects.filter(job__run__project=run.project)
    for purse in Purse.objects.filter(project=run.project, key__in=[purses.PROJECT, purses.run_key(run)]):
        paid = calls if purse.run is None else calls.filter(job__run=purse.run)
        cost = paid.aggregate(sum=Sum("cost_micros"))["sum"] or 0
        assert (purse.key, purse.reserved_micros, purse.spent_micros) == (purse.key, 0, cost)
