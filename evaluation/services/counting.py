"""Counts what a run would ask, as `planning.plan` would plan it, in the database and without reading a claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Trim

from evaluation.methods.juryflow import CLAIMS_PER_CALL
from evaluation.models import Claim, Judge, Project, Verdict
from evaluation.schemas import PresentationOrder
from evaluation.services import planning
from evaluation.services.planning import Scope

_Kind = tuple[int, str]  # response and kind of claim
_Votes = tuple[int, str, int, str, int]  # response, kind, judge, order, sample


@dataclass(frozen=True)
class Wish:
    """What a run is to do: see `planning.plan`; 0 samples are as many as the project says."""

    decompose: str
    again: bool = False
    samples: int = 0
    only_failed: bool = False


@dataclass(frozen=True)
class Portion:
    """What one judge is to be asked about one response: calls, and the votes they bring; cutting brings none yet."""

    judge: Judge
    response_id: int
    n_calls: int
    n_votes: int = 0
    is_cutting: bool = False


@dataclass(frozen=True)
class Counted:
    """What a run would ask, and how many claims there are of which some vote is missing."""

    asked: tuple[Portion, ...]
    n_claims: int
    scope: Scope


def count(project: Project, panel: Sequence[Judge], wish: Wish) -> Counted:
    """Count the calls of a run; the number of queries does not grow with the project."""
    if wish.only_failed:
        scope = planning.failed_scope(project)
        missing, n_claims = _failed(project, panel, scope)
    else:
        scope = planning.scope_of(project, samples=wish.samples)
        missing = _missing(project, panel, scope, again=wish.again)
        n_claims = _n_claims(project, panel, scope, again=wish.again)
    asked = [*_votes(panel, missing), *_cuts(project, panel, scope, wish.decompose)]
    return Counted(tuple(asked), n_claims, scope)


def live(project: Project) -> QuerySet[Claim]:
    """Claims that can be voted on."""
    return project.claims.filter(is_void=False)


def _votes(panel: Sequence[Judge], missing: Mapping[_Votes, int]) -> Iterator[Portion]:
    """Statements of a response go together into calls; a pair makes a call of its own."""
    judges = {judge.pk: judge for judge in panel}
    for (response_id, kind, judge_id, _, _), n in missing.items():
        n_calls = ceil(n / CLAIMS_PER_CALL) if kind == Claim.Kind.STATEMENT else n
        yield Portion(judges[judge_id], response_id, n_calls, n)


def _missing(project: Project, panel: Sequence[Judge], scope: Scope, *, again: bool) -> dict[_Votes, int]:
    rows = live(project).order_by().values_list("response_id", "kind").annotate(n=Count("pk"))
    per_kind: dict[_Kind, int] = {(response_id, kind): n for response_id, kind, n in rows}
    answered = {} if again else _answered(project)
    missing: dict[_Votes, int] = {}
    for (response_id, kind), n in per_kind.items():
        for judge in panel:
            for order in _orders(kind, scope):
                for sample in range(scope.samples_of(judge)):
                    key = (response_id, kind, judge.pk, str(order), sample)
                    if left := n - answered.get(key, 0):
                        missing[key] = left
    return missing


def _orders(kind: str, scope: Scope) -> Collection[PresentationOrder]:
    return scope.orders if kind == Claim.Kind.PREFERENCE else (PresentationOrder.AS_GIVEN,)


def _answered(project: Project) -> dict[_Votes, int]:
    """How many claims of each response have an answer of each judge in each order and sample."""
    votes = Verdict.objects.filter(claim__project=project, is_current=True, claim__is_void=False)
    by = ("claim__response_id", "claim__kind", "judge_id", "order", "sample")
    rows = votes.exclude(state=Verdict.State.FAILED).order_by().values_list(*by).annotate(n=Count("pk"))
    return {(response_id, kind, judge, order, sample): n for response_id, kind, judge, order, sample, n in rows}


def _n_claims(project: Project, panel: Sequence[Judge], scope: Scope, *, again: bool) -> int:
    """Claims that at least one judge of the panel is to be asked about."""
    if not panel:
        return 0
    if again:
        return live(project).count()
    sampled = [judge.pk for judge in panel if scope.samples_of(judge) > 1]
    counts = Q(verdicts__is_current=True, verdicts__judge__in=panel) & ~Q(verdicts__state=Verdict.State.FAILED)
    counts &= Q(verdicts__sample=0) | Q(verdicts__judge__in=sampled, verdicts__sample__lt=scope.samples)
    n = 0
    for kind in Claim.Kind:
        orders = _orders(kind, scope)
        expected = len(orders) * sum(map(scope.samples_of, panel))
        have = Count("verdicts", filter=counts & Q(verdicts__order__in=orders))
        n += live(project).filter(kind=kind).annotate(have=have).filter(have__lt=expected).count()
    return n


def _failed(project: Project, panel: Sequence[Judge], scope: Scope) -> tuple[dict[_Votes, int], int]:
    """Votes that judges were asked for in vain, counted, and how many claims they are on."""
    judges = {judge.pk: judge for judge in panel}
    wanted = [vote for vote in scope.failed or () if vote[1] in judges]
    claims = {pk: (response_id, kind) for pk, response_id, kind in _places(project)} if wanted else {}
    missing: Counter[_Votes] = Counter()
    on_claims = set()
    for claim_id, judge_id, order, sample in wanted:
        if claim_id not in claims:
            continue
        response_id, kind = claims[claim_id]
        if order in _orders(kind, scope) and sample < scope.samples_of(judges[judge_id]):
            missing[response_id, kind, judge_id, order, sample] += 1
            on_claims.add(claim_id)
    return missing, len(on_claims)


def _places(project: Project) -> Iterator[tuple[int, int, str]]:
    return live(project).order_by().values_list("pk", "response_id", "kind").iterator()


def _cuts(project: Project, panel: Sequence[Judge], scope: Scope, decompose: str) -> Iterator[Portion]:
    """Responses with a text that no claim speaks of yet."""
    bare = project.responses.filter(claims=None, claims_as_second=None).annotate(trimmed=Trim("text"))
    for response_id in bare.exclude(trimmed="").values_list("pk", flat=True):
        for judge in panel[:1] if decompose == "shared" else panel:
            if scope.is_to_cut(response_id, judge):
                yield Portion(judge, response_id, 1, is_cutting=True)
