"""Plans the calls of a run: which judge is asked about which claims, read from the database in a few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from evaluation.methods.juryflow import CLAIMS_PER_CALL
from evaluation.models import Claim, Job, Judge, Project, Response, Run, Verdict
from evaluation.schemas import PresentationOrder
from evaluation.services import verdicts
from evaluation.services.verdicts import Answered

BOTH_ORDERS = (PresentationOrder.AS_GIVEN, PresentationOrder.SWAPPED)
NOBODY: Answered = frozenset()


@dataclass(frozen=True)
class Step:
    """A job that is to be made; `sample` counts from 0, the second time a judge is asked the same is 1."""

    task: str
    key: str
    judge: Judge
    response: Response
    order: str = PresentationOrder.AS_GIVEN
    claims: tuple[Claim, ...] = ()
    sample: int = 0


@dataclass(frozen=True)
class Scope:
    """Which votes are asked for: in which orders and how often, without those there are.

    With `failed` set it is only these votes, and with `failed_cuts` only these cuttings (response and judge).
    """

    orders: tuple[PresentationOrder, ...] = BOTH_ORDERS
    samples: int = 1
    answered: Answered = NOBODY
    failed: Answered | None = None
    failed_cuts: frozenset[tuple[int, int]] | None = None

    def samples_of(self, judge: Judge) -> int:
        """How often a judge votes on a claim; offline judges say the same every time and are asked once."""
        return 1 if judge.is_offline else self.samples

    def is_missing(self, claim_id: int, judge: Judge, order: str, sample: int) -> bool:
        """Whether this vote is to be asked for."""
        vote = (claim_id, judge.pk, str(order), sample)
        return vote not in self.answered if self.failed is None else vote in self.failed

    def is_to_cut(self, response_id: int, judge: Judge) -> bool:
        """Whether this judge is to cut a response that has no claims."""
        return self.failed_cuts is None or (response_id, judge.pk) in self.failed_cuts


def scope_of(project: Project, *, answered: Answered = NOBODY, samples: int = 0) -> Scope:
    """What a run of the project asks for, without what is answered; 0 samples are as many as the project says."""
    parameters = project.method_parameters
    orders = BOTH_ORDERS if parameters.both_orders else BOTH_ORDERS[:1]
    return Scope(orders, max(1, samples or parameters.samples), answered)


def plan(
    project: Project,
    panel: Sequence[Judge],
    decompose: str,
    *,
    again: bool = False,
    samples: int = 0,
    only_failed: bool = False,
) -> Iterator[Step]:
    """Every step that is missing: cut what has no claims, vote on claims without a vote of a judge.

    With `only_failed` only votes and cuttings that a judge was asked for in vain. The number of queries does not grow
    with the project.
    """
    if only_failed:
        scope = failed_scope(project)
    else:
        known = NOBODY if again else verdicts.answered(project.claims.all())
        scope = scope_of(project, answered=known, samples=samples)
    claims_of: dict[int, list[Claim]] = defaultdict(list)
    in_pairs: set[int] = set()
    for claim in project.claims.order_by("position", "pk"):
        claims_of[claim.response_id].append(claim)
        if claim.second_response_id:
            in_pairs |= {claim.response_id, claim.second_response_id}
    responses = project.responses.select_related("instance", "project").prefetch_related("instance__documents")
    for response in responses:
        if known_claims := claims_of[response.pk]:
            live = [claim for claim in known_claims if not claim.is_void]
            for judge in panel if live else ():
                yield from voting_steps(response, live, judge, scope)
        elif response.text.strip() and response.pk not in in_pairs:
            yield from _cutting_steps(response, panel[:1] if decompose == "shared" else panel, scope)


def _cutting_steps(response: Response, cutters: Iterable[Judge], scope: Scope) -> Iterator[Step]:
    for judge in cutters:
        if scope.is_to_cut(response.pk, judge):
            yield Step(Job.Task.DECOMPOSE, f"decompose/{response.pk}/{judge.pk}", judge, response)


def voting_steps(response: Response, claims: Collection[Claim], judge: Judge, scope: Scope = Scope()) -> Iterator[Step]:
    """Calls in which one judge votes on claims of one response: twenty statements a call, a pair in both orders."""
    for sample in range(scope.samples_of(judge)):
        yield from _statement_steps(response, claims, judge, scope, sample)
        for claim in (each for each in claims if each.kind == Claim.Kind.PREFERENCE):
            for order in scope.orders:
                if scope.is_missing(claim.pk, judge, order, sample):
                    key = f"judge/{judge.pk}/{claim.pk}/{order}{_mark(sample)}"
                    yield Step(Job.Task.JUDGE, key, judge, response, order, (claim,), sample)


def _statement_steps(
    response: Response, claims: Collection[Claim], judge: Judge, scope: Scope, sample: int
) -> Iterator[Step]:
    statements = [claim for claim in claims if claim.kind == Claim.Kind.STATEMENT]
    order = PresentationOrder.AS_GIVEN
    missing = [claim for claim in statements if scope.is_missing(claim.pk, judge, order, sample)]
    for start in range(0, len(missing), CLAIMS_PER_CALL):
        chunk = tuple(missing[start : start + CLAIMS_PER_CALL])
        key = f"judge/{judge.pk}/{chunk[0].pk}-{len(chunk)}{_mark(sample)}"
        yield Step(Job.Task.JUDGE, key, judge, response, order, chunk, sample)


def _mark(sample: int) -> str:
    """What a key says of the sample; nothing for the first, so that projects without samples keep their keys."""
    return f"/s{sample + 1}" if sample else ""


def failed_scope(project: Project) -> Scope:
    """The votes that judges were asked for in vain: the current one failed, or the step failed that should bring it."""
    votes = Verdict.objects.filter(claim__project=project, is_current=True)
    failed = _tuples(votes.filter(state=Verdict.State.FAILED))
    steps = Job.objects.filter(run__project=project, run__kind=Run.Kind.PANEL, state=Job.State.FAILED)
    asked = steps.filter(task=Job.Task.JUDGE, claims__isnull=False).order_by()
    if lost := set(asked.values_list("claims", "judge_id", "order", "sample")):
        failed |= lost - _tuples(votes)
    cuts = steps.filter(task=Job.Task.DECOMPOSE).order_by().values_list("response_id", "judge_id")
    samples = 1 + max((sample for *_, sample in failed), default=0)
    return Scope(scope_of(project).orders, samples, failed=frozenset(failed), failed_cuts=frozenset(cuts))


def _tuples(votes: QuerySet[Verdict]) -> set[tuple[int, int, str, int]]:
    return set(votes.order_by().values_list("claim_id", "judge_id", "order", "sample"))
