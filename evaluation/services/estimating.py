"""Says beforehand what a run takes, from counts the database makes: pages call it, however large the project is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Length, Trim

from evaluation.methods.juryflow import CLAIMS_PER_CALL
from evaluation.models import Claim, Instance, Judge, Project, Response, Verdict
from evaluation.schemas import PresentationOrder
from evaluation.services import judges
from evaluation.services.planning import BOTH_ORDERS

PROMPT_TOKENS = 900
CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class RunEstimate:
    """What a run takes: calls as a range, tokens sent to other machines and to whom, and what stands in its way."""

    n_responses: int
    n_claims: int
    n_judges: int
    n_calls_low: int
    n_calls_high: int
    input_tokens: int
    remote_providers: tuple[str, ...]
    recipients: tuple[str, ...]
    blockers: tuple[str, ...]


@dataclass(frozen=True)
class _Asking:
    """What one judge is to be asked about one response: calls, and the claims in them; cutting has none."""

    judge: Judge
    response_id: int
    n_calls: int
    n_claims: int = 0
    is_cutting: bool = False


@dataclass(frozen=True)
class _Sizes:
    """Characters per response of its own text with its sources, and of its claims; and the number of claims."""

    texts: Mapping[int, int]
    claims: Mapping[int, int]
    n_claims: Mapping[int, int]

    def of(self, asking: _Asking) -> int:
        share = asking.n_claims / max(1, self.n_claims.get(asking.response_id, 0))
        texts = self.texts.get(asking.response_id, 0)
        return asking.n_calls * texts + round(share * self.claims.get(asking.response_id, 0))


def estimate(*, project: Project, decompose: str = "", again: bool = False) -> RunEstimate:
    """Say what a run over everything that is not judged yet would take; `again` counts what is judged, too.

    The counts are those of `planning.plan`, without reading a claim.
    """
    panel = judges.askable(project)
    mode = decompose or project.method_parameters.decompose
    askings = list(_askings(project, panel, mode, again=again))
    sent = [asking for asking in askings if judges.is_remote(asking.judge)]
    n_calls = sum(asking.n_calls for asking in askings)
    n_cut = len({asking.response_id for asking in askings if asking.is_cutting})
    sizes = _sizes(project) if sent else _Sizes({}, {}, {})
    n_sent = sum(asking.n_calls for asking in sent)
    return RunEstimate(
        n_responses=len({asking.response_id for asking in askings}),
        n_claims=_n_claims(project, panel, again=again) if panel else 0,
        n_judges=len(panel),
        n_calls_low=n_calls,
        # each response that is cut brings gaps to be asked once more, and any reply may be asked for again
        n_calls_high=2 * (n_calls + n_cut * len(panel)),
        input_tokens=n_sent * PROMPT_TOKENS + sum(map(sizes.of, sent)) // CHARACTERS_PER_TOKEN,
        remote_providers=tuple(sorted({judge.provider for judge in panel if judges.is_remote(judge)})),
        recipients=tuple(judges.recipient(judge) for judge in panel if judges.is_remote(judge)),
        blockers=tuple(blockers(project, panel, has_work=bool(askings))),
    )


def blockers(project: Project, panel: Sequence[Judge], *, has_work: bool) -> Iterator[str]:
    """Sentences about what stands in the way of a run."""
    if not panel:
        yield "No judge can be asked: add the offline panel or a judge of a provider on the Judges page."
    if not project.responses.exists():
        yield "There is nothing to judge yet: import responses first."
    elif panel and not has_work:
        yield "Every judge has voted on everything: import more, add a judge, or ask everything again."
    for judge in panel:
        if problem := judges.key_problem(judge):
            yield problem
        if judges.is_remote(judge) and judge.provider not in project.allowed_providers:
            yield f"{judges.recipient(judge)} may not see this project's text: an owner has to allow it."


def _askings(project: Project, panel: Sequence[Judge], decompose: str, *, again: bool) -> Iterator[_Asking]:
    statements = _live(project).filter(kind=Claim.Kind.STATEMENT)
    per_response = dict(statements.order_by().values_list("response").annotate(n=Count("pk")))
    answered = {} if again else _answered(project)
    for response_id, n in per_response.items():
        for judge in panel:
            if missing := n - answered.get((response_id, judge.pk), 0):
                yield _Asking(judge, response_id, ceil(missing / CLAIMS_PER_CALL), missing)
    yield from _pair_askings(project, panel, again=again)
    for response_id in _uncut(project):
        for judge in panel[:1] if decompose == "shared" else panel:
            yield _Asking(judge, response_id, 1, is_cutting=True)


def _pair_askings(project: Project, panel: Sequence[Judge], *, again: bool) -> Iterator[_Asking]:
    pairs = list(_live(project).filter(kind=Claim.Kind.PREFERENCE).values_list("pk", "response_id"))
    found: Collection[tuple[int, int, str]] = ()
    if pairs and not again:
        votes = _votes(project).filter(claim__kind=Claim.Kind.PREFERENCE).order_by()
        found = set(votes.values_list("claim_id", "judge_id", "order"))
    for claim_id, response_id in pairs:
        for judge in panel:
            if n := sum((claim_id, judge.pk, order) not in found for order in BOTH_ORDERS):
                yield _Asking(judge, response_id, n, 1)


def _live(project: Project) -> QuerySet[Claim]:
    return project.claims.filter(is_void=False)


def _votes(project: Project) -> QuerySet[Verdict]:
    current = Verdict.objects.filter(claim__project=project, is_current=True, claim__is_void=False)
    return current.exclude(state=Verdict.State.FAILED)


def _answered(project: Project) -> dict[tuple[int, int], int]:
    """Statements of each response that each judge has answered."""
    votes = _votes(project).filter(claim__kind=Claim.Kind.STATEMENT, order=PresentationOrder.AS_GIVEN)
    rows = votes.order_by().values_list("claim__response", "judge").annotate(n=Count("claim", distinct=True))
    return {(response_id, judge_id): n for response_id, judge_id, n in rows}


def _n_claims(project: Project, panel: Sequence[Judge], *, again: bool) -> int:
    """Claims that at least one judge of the panel is to be asked about."""
    if again:
        return int(_live(project).count())
    votes = Q(verdicts__is_current=True, verdicts__judge__in=panel) & ~Q(verdicts__state=Verdict.State.FAILED)
    wanted = {Claim.Kind.STATEMENT: len(panel), Claim.Kind.PREFERENCE: 2 * len(panel)}
    n = 0
    for kind, expected in wanted.items():
        counted: dict[int, int] = defaultdict(int)
        rows = _live(project).filter(votes, kind=kind).order_by()
        for claim_id, *_ in rows.values_list("pk", "verdicts__judge", "verdicts__order").distinct():
            counted[claim_id] += 1
        n += _live(project).filter(kind=kind).count() - sum(have >= expected for have in counted.values())
    return n


def _uncut(project: Project) -> list[int]:
    """Responses with a text that no claim speaks of yet."""
    bare = project.responses.filter(claims=None, claims_as_second=None).annotate(trimmed=Trim("text"))
    return list(bare.exclude(trimmed="").values_list("pk", flat=True))


def _sizes(project: Project) -> _Sizes:
    instances = Instance.objects.filter(project=project).annotate(n=Coalesce(Sum(Length("documents__text")), 0))
    sources = dict(instances.values_list("pk", "n"))
    rows = Response.objects.filter(project=project).values_list("pk", "instance_id", Length("text"))
    texts = {pk: sources.get(instance_id, 0) + (length or 0) for pk, instance_id, length in rows}
    claims = _live(project).order_by().values_list("response").annotate(c=Sum(Length("text")), n=Count("pk"))
    found = {response_id: (characters or 0, n) for response_id, characters, n in claims}
    return _Sizes(texts, {pk: c for pk, (c, _) in found.items()}, {pk: n for pk, (_, n) in found.items()})
