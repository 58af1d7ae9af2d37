"""Commits the calls for questions before they are sent: for jobs that are still held, as far as the money reaches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import accumulate
from math import ceil

from django.db import transaction
from django.utils import timezone

from evaluation.models import Call, Job, Purse
from evaluation.services import jobs, ledger
from evaluation.services.desk import Question
from evaluation.services.ledger import Sending
from evaluation.services.purses import Emptied


@dataclass
class Written:
    """Questions with their calls, which may go now; those whose job another worker has; those a purse is short for."""

    calls: list[tuple[Question, Call]] = field(default_factory=list)
    lost: list[Question] = field(default_factory=list)
    unpaid: list[Question] = field(default_factory=list)
    emptied: Emptied | None = None


def write(*, due: Sequence[Question], drawn_on: Sequence[Purse]) -> Written:
    """Commit calls for as many of the questions as can be paid for, the first ones first.

    A worker that was slow may have lost a job to another one: it must not ask about it any more.
    """
    with transaction.atomic():
        held = jobs.lock_held(question.job for question in due)
        mine = [question for question in due if question.job.pk in held]
        wanted = [_sending(question) for question in mine]
        written = Written(lost=[question for question in due if question.job.pk not in held])
        n, calls = len(mine), list[Call]()
        while n and not calls:
            made = ledger.write_sent(sending=wanted[:n], drawn_on=drawn_on)
            if isinstance(made, Emptied):
                n = min(n - 1, _n_fitting(wanted, made.purse.left_micros or 0))
                # whether there is no room for good depends on the next call alone, not on all that are due
                written.emptied = replace(made, wanted_micros=wanted[n].most_micros)
            else:
                calls = made
    written.calls, written.unpaid = list(zip(mine[:n], calls, strict=True)), mine[n:]
    return written


def give_back(taken: Iterable[tuple[Job, float]]) -> None:
    """Give jobs back that were not asked about, each for anybody to take after the seconds that its server wants."""
    by_wait: dict[int, list[Job]] = defaultdict(list)
    for job, seconds in taken:
        by_wait[ceil(seconds)].append(job)
    for wait, leased in by_wait.items():
        jobs.release(leased, not_before=timezone.now() + timedelta(seconds=wait) if wait else None)


def _sending(question: Question) -> Sending:
    attempt = question.n_calls + 1
    return Sending(question.job, question.judge, question.asking.cache_key, attempt, question.most_micros)


def _n_fitting(wanted: Sequence[Sending], left_micros: int) -> int:
    """How many of these, the first ones first, so much money is enough for."""
    return sum(total <= left_micros for total in accumulate(each.most_micros for each in wanted))
