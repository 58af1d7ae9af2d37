"""Opens, pauses, resumes and stops runs of the panel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING
from itertools import islice

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from evaluation.errors import ConflictError, InvalidInputError
from evaluation.models import Job, Project, ProviderBatch, Purse, Run
from evaluation.selectors import dollars, runs
from evaluation.selectors.ledger import uncertain_of
from evaluation.services import budgets, expecting, jobs, judges, ledger, patterns, planning, projects, purses
from evaluation.services.counting import Wish
from evaluation.services.expecting import Expected
from evaluation.services.planning import Step
from evaluation.services.purses import Emptied

BLOCK = 1_000
STOPPED = "Stopped by hand: start a new run to go on where it stopped."
HELD = "What is left to spend is reserved for calls that are on their way: this goes on when they have come back."
PAUSED = "Paused by hand: nothing is sent until it goes on."


@dataclass(frozen=True)
class RunOptions:
    """What a run is to do.

    `again` asks about what is judged, too: a question that did not change is answered from the ledger at no cost.
    `only_failed` asks just for the votes that judges were asked for in vain. `samples` is how often each judge votes
    on each claim (0: as the project says), `cap_micros` what it may cost at most (None: no limit of its own).
    """

    decompose: str = ""
    again: bool = False
    only_failed: bool = False
    samples: int = 0
    cap_micros: int | None = None
    in_batches: bool = False


def open_run(*, project: Project, by: User | None, options: RunOptions = RunOptions()) -> Run:
    """Open a run with all its jobs; where one is open already, that one is returned.

    The caller wakes a worker with `tasks.drive_run`. Raises ConflictError with the first thing that stands in its way
    and InvalidInputError for a cap below zero.
    """
    if running := runs.open_panel_run(project=project):
        return running
    budgets.check_cap(options.cap_micros)
    decompose = options.decompose or project.method_parameters.decompose
    wish = Wish(decompose, options.again, options.samples, options.only_failed)
    expected = expecting.expect(
        project=project, wish=wish, in_batches=options.in_batches, cap_micros=options.cap_micros
    )
    if expected.blockers:
        raise ConflictError(expected.blockers[0])
    try:
        with transaction.atomic():
            projects.hold(project)
            return _open(project, by, decompose, options, expected)
    except IntegrityError:
        return project.runs.filter(kind=Run.Kind.PANEL, state__in=Run.OPEN_STATES).latest("pk")


def _open(project: Project, by: User | None, decompose: str, options: RunOptions, expected: Expected) -> Run:
    run = Run.objects.create(
        project=project,
        kind=Run.Kind.PANEL,
        panel=patterns.current_panel(project),
        decompose=decompose,
        samples=options.samples or project.method_parameters.samples,
        in_batches=options.in_batches,
        estimate=expected.facts(),
        started_by=by,
    )
    Purse.objects.create(project=project, run=run, key=purses.run_key(run), cap_micros=options.cap_micros)
    steps = planning.plan(
        project,
        judges.askable(project),
        decompose,
        again=options.again,
        samples=options.samples,
        only_failed=options.only_failed,
    )
    add_jobs(run, steps)
    return run


def add_jobs(run: Run, steps: Iterable[Step]) -> list[Job]:
    """Make a job for each step, once per key, in a few queries per thousand; call it while the project is held."""
    made: list[Job] = []
    rest = iter(steps)
    while block := {step.key: step for step in islice(rest, BLOCK)}:
        known = set(run.jobs.filter(key__in=block).values_list("key", flat=True))
        made += _add_block(run, [step for key, step in block.items() if key not in known])
    return made


def _add_block(run: Run, steps: Sequence[Step]) -> list[Job]:
    made = Job.objects.bulk_create(
        Job(
            run=run,
            key=step.key,
            task=step.task,
            judge=step.judge,
            response=step.response,
            order=step.order,
            sample=step.sample,
        )
        for step in steps
    )
    link = Job.claims.through
    pairs = zip(made, steps, strict=True)
    links = (link(job_id=job.pk, claim_id=claim.pk) for job, step in pairs for claim in step.claims)
    link.objects.bulk_create(links, batch_size=BLOCK)
    return made


def pause(*, run: Run) -> Run:
    """Send nothing more until the run is resumed; what is on its way is kept. A run that has ended stays as it is."""
    return _pause(run, Run.PausedBy.HAND, PAUSED)


def pause_for_money(*, run: Run, emptied: Emptied) -> Run:
    """Pause a run whose next call may cost more than a purse has left, and say why and how to go on."""
    purse = emptied.purse
    cap = dollars.dollars(purse.cap_micros or 0)
    spent, wanted = dollars.dollars(purse.spent_micros), dollars.dollars(emptied.wanted_micros, ROUND_CEILING)
    uncertain = uncertain_of(purse)
    of_it = f" ({dollars.dollars(uncertain, ROUND_CEILING)} of it uncertain)" if uncertain else ""
    facts = f"{spent} of {cap} is spent{of_it}, and the next call may cost up to {wanted}"
    if purse.run_id is not None:
        return _pause(run, Run.PausedBy.RUN_CAP, f"The cap of this run is reached: {facts}. Raise the cap to go on.")
    if purse.key == purses.PROJECT:
        sentence = f"The cap of the project is reached: {facts}. Raise it on the page Money, then go on here."
        return _pause(run, Run.PausedBy.PROJECT_CAP, sentence)
    sentence = f"This week's allowance for second looks is used up: {facts}. Raise it on the page Money, then go on."
    return _pause(run, Run.PausedBy.ALLOWANCE, sentence)


def note_that_money_is_held(*, run: Run) -> None:
    """Say on a run why nobody works on it for the moment: the sweep finds it again."""
    Run.objects.filter(pk=run.pk, state=Run.State.RUNNING).update(message=HELD)


def _pause(run: Run, by: str, message: str) -> Run:
    Run.objects.filter(pk=run.pk, state__in=[Run.State.QUEUED, Run.State.RUNNING]).update(
        state=Run.State.PAUSED, paused_by=by, message=message
    )
    run.refresh_from_db()
    return run


def resume(*, run: Run, cap_micros: int | None = None) -> Run:
    """Go on with a paused run, with a new cap if one is given; the caller wakes a worker with `tasks.drive_run`.

    Raises InvalidInputError for a cap below what the run has spent.
    """
    budgets.check_cap(cap_micros)
    with transaction.atomic():
        if cap_micros is not None:
            spent = Purse.objects.filter(run=run).values_list("spent_micros", flat=True).first() or 0
            if cap_micros < spent:
                sentence = f"This run has spent {dollars.dollars(spent)}: its cap cannot be below that."
                raise InvalidInputError(sentence)
            purses.set_cap(project=run.project, key=purses.run_key(run), cap_micros=cap_micros)
        Run.objects.filter(pk=run.pk, state=Run.State.PAUSED).update(
            state=Run.State.QUEUED, paused_by=Run.PausedBy.NOBODY, message=""
        )
    run.refresh_from_db()
    return run


def stop(*, run: Run) -> Run:
    """Stop a run: nothing new is sent; what came and what is on its way is kept, and claims found so far are joined."""
    Run.objects.filter(pk=run.pk, state__in=[Run.State.QUEUED, Run.State.RUNNING, Run.State.PAUSED]).update(
        state=Run.State.STOPPING, paused_by=Run.PausedBy.NOBODY, message=STOPPED
    )
    jobs.cancel_asking(run)
    jobs.queue_merges(run)
    run.batches.filter(state=ProviderBatch.State.SUBMITTED).update(next_poll_at=timezone.now())  # to be cancelled
    run.refresh_from_db()
    if not jobs.unfinished(run).exists():
        close(run, Run.State.STOPPED, STOPPED)
    return run


def close(run: Run, state: str, message: str = "") -> bool:
    """End an open run once, with all its money settled; False where it was ended already."""
    changes = {"state": state, "message": message, "paused_by": Run.PausedBy.NOBODY, "ended_at": timezone.now()}
    with transaction.atomic():
        closed = Run.objects.filter(pk=run.pk, state__in=Run.OPEN_STATES).update(**changes)
        if closed:
            ledger.give_up_lost(run=run)
    run.refresh_from_db()
    return bool(closed)
