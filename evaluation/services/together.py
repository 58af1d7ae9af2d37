"""Measures whether judges say the same of a claim asked alone as of the claim asked with the others of its response."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, F, QuerySet, Sum
from django.db.models.functions import Coalesce

from evaluation.algorithms.agreement import cohen_kappa
from evaluation.errors import ConflictError, InvalidInputError
from evaluation.models import Call, Claim, Job, Judge, Project, Response, Run
from evaluation.services import budgets, estimating, judges, panel, planning, projects
from evaluation.services.planning import Scope, Step

N_RESPONSES = 10
TOGETHER, REPEATED, ALONE = "together", "repeated", "alone"
_ONCE = Scope(samples=1)
_Labels = Mapping[int, str]


@dataclass(frozen=True)
class Pairwise:
    """Agreement of two askings over the `n` claims with a vote in both; `kappa` is None where it is not defined."""

    n: int
    raw: float | None
    kappa: float | None


@dataclass(frozen=True)
class Effort:
    """What one way of asking took: calls sent or reused for all claims, and tokens in and out for each claim."""

    n_calls: int
    calls_per_response: float
    tokens_per_claim: float


@dataclass(frozen=True)
class JudgeComparison:
    """One judge asked in both ways.

    `same` compares together with alone, `repeated` together with together once more: what asking twice changes by
    itself. `changed` counts the labels that differ, as "together>alone"; `n_without` are claims without a vote in
    one of the two ways.
    """

    name: str
    same: Pairwise
    repeated: Pairwise | None
    changed: Mapping[str, int]
    n_without: int
    together: Effort
    alone: Effort


@dataclass(frozen=True)
class Comparison:
    """What asking together saves and changes, over some responses with several statements."""

    n_responses: int
    n_claims: int
    judges: tuple[JudgeComparison, ...]
    run: int
    n_failed_steps: int

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return asdict(self)


def request(*, project: Project, by: User | None, n_responses: int = N_RESPONSES, seed: int = 0) -> Run:
    """Queue the questions: each judge is asked about all claims of a response, again, and about each claim alone.

    Nothing of it is a vote. Raises InvalidInputError where no response has two statements, and ConflictError with
    what else stands in the way.
    """
    if n_responses < 1:
        raise InvalidInputError("At least one response has to be asked about.")
    panel_now = judges.askable(project)
    drawn = _draw(project, n_responses, seed)
    blockers = [
        *estimating.blockers(project, panel_now, has_work=True),
        *budgets.price_blockers(judges=panel_now, caps=[project.cap_micros]),
    ]
    if blockers:
        raise ConflictError(blockers[0])
    with transaction.atomic():
        projects.hold(project)
        run = Run.objects.create(project=project, kind=Run.Kind.TRIAL, started_by=by)
        panel.add_jobs(run, (step for response in drawn for step in _steps(response, panel_now)))
    return run


def measure(*, run: Run) -> Comparison:
    """Compare what the judges said in both ways. Raises ConflictError while the run has not ended."""
    if run.state not in (Run.State.DONE, Run.State.FAILED):
        raise ConflictError(f"{run} has not ended, it is {run.state}. {run.message}".strip())
    done = run.jobs.filter(state=Job.State.DONE)
    labels: dict[tuple[int, str], dict[int, str]] = defaultdict(dict)
    for judge_id, key, result in done.values_list("judge_id", "key", "result"):
        if judge_id is not None and result is not None:
            labels[judge_id, _way(key)] |= {int(pk): label for pk, label in result["labels"].items()}
    efforts = _efforts(run)
    asked = Judge.objects.filter(jobs__run=run).distinct().order_by("pk")
    return Comparison(
        n_responses=run.jobs.values("response").distinct().count(),
        n_claims=Claim.objects.filter(jobs__run=run).distinct().count(),
        judges=tuple(_judge(judge, labels, efforts) for judge in asked),
        run=run.pk,
        n_failed_steps=run.jobs.filter(state=Job.State.FAILED).count(),
    )


def _draw(project: Project, n: int, seed: int) -> list[Response]:
    """Responses with at least two statements, drawn at random, the same ones for the same seed."""
    statements = project.claims.filter(kind=Claim.Kind.STATEMENT, is_void=False).order_by()
    counted = statements.values_list("response").annotate(n=Count("pk")).filter(n__gt=1)
    several = sorted(response_id for response_id, _ in counted)
    if not several:
        raise InvalidInputError(
            f"No response of “{project}” has two statements: only those are asked together, a pair is asked alone."
        )
    drawn = random.Random(seed).sample(several, min(n, len(several)))
    return list(project.responses.filter(pk__in=drawn).order_by("pk"))


def _steps(response: Response, panel_now: Sequence[Judge]) -> Iterator[Step]:
    claims = list(response.claims.filter(kind=Claim.Kind.STATEMENT, is_void=False).order_by("position", "pk"))
    for judge in panel_now:
        together = list(planning.voting_steps(response, claims, judge, _ONCE))
        yield from _of(TOGETHER, together)
        if not judge.is_offline:
            yield from _of(REPEATED, [replace(step, sample=1) for step in together])
        yield from _of(ALONE, [step for claim in claims for step in planning.voting_steps(response, [claim], judge)])


def _of(way: str, steps: Iterable[Step]) -> Iterator[Step]:
    return (replace(step, task=Job.Task.TRIAL, key=f"{way}/{step.key}") for step in steps)


def _way(key: str) -> str:
    return key.partition("/")[0]


def _efforts(run: Run) -> dict[tuple[int, str], Effort]:
    """What each judge took in each way; a call that was answered before counts as what it took then."""
    n_asked = _asked(run)
    calls: Counter[tuple[int, str]] = Counter()
    tokens: Counter[tuple[int, str]] = Counter()
    for judge_id, key, n, taken in _calls(run):
        calls[judge_id, _way(key)] += n
        tokens[judge_id, _way(key)] += taken
    return {
        which: Effort(calls[which], calls[which] / n_responses, tokens[which] / n_claims)
        for which, (n_responses, n_claims) in n_asked.items()
    }


def _calls(run: Run) -> QuerySet[Call, tuple[int, str, int, int]]:
    taken = Coalesce(F("source__input_tokens") + F("source__output_tokens"), F("input_tokens") + F("output_tokens"))
    calls = Call.objects.filter(job__run=run).annotate(taken=taken).order_by()
    return calls.values_list("judge_id", "job__key").annotate(n=Count("pk"), sum=Sum("taken"))


def _asked(run: Run) -> dict[tuple[int, str], tuple[int, int]]:
    """Responses and claims that each judge was asked about in each way."""
    responses: dict[tuple[int, str], set[int]] = defaultdict(set)
    claims: Counter[tuple[int, str]] = Counter()
    rows = run.jobs.values_list("judge_id", "key", "response_id").annotate(n=Count("claims"))
    for judge_id, key, response_id, n in rows.order_by():
        responses[judge_id, _way(key)].add(response_id)
        claims[judge_id, _way(key)] += n
    return {which: (len(found), claims[which]) for which, found in responses.items()}


def _judge(
    judge: Judge, labels: Mapping[tuple[int, str], _Labels], efforts: Mapping[tuple[int, str], Effort]
) -> JudgeComparison:
    together, alone = labels.get((judge.pk, TOGETHER), {}), labels.get((judge.pk, ALONE), {})
    both = [pk for pk in together if together[pk] and alone.get(pk)]
    changed = Counter(f"{together[pk]}>{alone[pk]}" for pk in both if together[pk] != alone[pk])
    return JudgeComparison(
        name=judge.name,
        same=_pairwise(together, alone),
        repeated=None if judge.is_offline else _pairwise(together, labels.get((judge.pk, REPEATED), {})),
        changed=dict(changed.most_common()),
        n_without=len({*together, *alone}) - len(both),
        together=efforts[judge.pk, TOGETHER],
        alone=efforts[judge.pk, ALONE],
    )


def _pairwise(one: _Labels, other: _Labels) -> Pairwise:
    both = sorted(pk for pk in one if one[pk] and other.get(pk))
    found = cohen_kappa([one[pk] for pk in both], [other[pk] for pk in both])
    return Pairwise(found.n_units, found.raw, found.value)
