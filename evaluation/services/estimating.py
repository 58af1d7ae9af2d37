"""Says beforehand what a run takes, from counts the database makes: pages call it, however large the project is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Sum
from django.db.models.functions import Coalesce, Length

from evaluation.models import Instance, Judge, Project, Response
from evaluation.selectors.judges import family_warnings
from evaluation.selectors.reasons import joined
from evaluation.services import counting, judges
from evaluation.services.counting import Counted, Portion, Wish

PROMPT_TOKENS = 900
CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class JudgeAsking:
    """What one judge takes in a run: calls at least and at most, the votes they bring, and the tokens it is sent.

    `n_cuts` of the calls cut a response into claims; the votes that follow are in the most there can be.
    `input_tokens` are those of the `n_calls`; none are counted where nothing leaves this machine.
    """

    judge: Judge
    n_calls: int
    n_calls_high: int
    n_votes: int
    n_cuts: int
    input_tokens: int


@dataclass(frozen=True)
class RunEstimate:
    """What a run takes: calls as a range, tokens sent to other machines and to whom, and what stands in its way."""

    n_responses: int
    n_claims: int
    n_judges: int
    n_samples: int
    n_calls_low: int
    n_calls_high: int
    input_tokens: int
    remote_providers: tuple[str, ...]
    recipients: tuple[str, ...]
    notes: tuple[str, ...]
    blockers: tuple[str, ...]


@dataclass(frozen=True)
class _Sizes:
    """Characters per response of its own text with its sources, and of its claims; and the number of claims."""

    texts: Mapping[int, int]
    claims: Mapping[int, int]
    n_claims: Mapping[int, int]

    def of(self, asked: Portion) -> int:
        share = asked.n_votes / max(1, self.n_claims.get(asked.response_id, 0))
        texts = self.texts.get(asked.response_id, 0)
        return asked.n_calls * texts + round(share * self.claims.get(asked.response_id, 0))


def estimate(
    *, project: Project, decompose: str = "", again: bool = False, samples: int = 0, only_failed: bool = False
) -> RunEstimate:
    """Say what a run over everything that is not judged yet would take; `again` counts what is judged, too.

    With `only_failed` it is only what judges were asked for in vain. The counts are those of `planning.plan`, without
    reading a claim; 0 samples are as many as the project says.
    """
    return with_askings(project=project, wish=Wish(decompose, again, samples, only_failed))[0]


def with_askings(*, project: Project, wish: Wish) -> tuple[RunEstimate, tuple[JudgeAsking, ...]]:
    """What `estimate` says, and what it asks of each judge that can be asked: a row of zeros where nothing is to do."""
    panel = judges.askable(project)
    if not wish.decompose:
        wish = replace(wish, decompose=project.method_parameters.decompose)
    counted = counting.count(project, panel, wish)
    shares = _per_judge(project, panel, counted)
    busy = _busy(panel, counted)
    sent_to = [judge for judge in busy if judges.is_remote(judge)]
    found = RunEstimate(
        n_responses=len({asked.response_id for asked in counted.asked}),
        n_claims=counted.n_claims,
        n_judges=len(panel),
        n_samples=counted.scope.samples,
        n_calls_low=sum(share.n_calls for share in shares),
        n_calls_high=sum(share.n_calls_high for share in shares),
        input_tokens=sum(share.input_tokens for share in shares),
        remote_providers=tuple(sorted({judge.provider for judge in sent_to})),
        recipients=tuple(map(judges.recipient, sent_to)),
        notes=(*notes(busy, counted), *family_warnings(project)) if counted.asked else (),
        blockers=tuple(blockers(project, busy, has_work=bool(counted.asked), only_failed=wish.only_failed)),
    )
    return found, shares


def _per_judge(project: Project, panel: Sequence[Judge], counted: Counted) -> tuple[JudgeAsking, ...]:
    by_judge: dict[int, list[Portion]] = defaultdict(list)
    for asked in counted.asked:
        by_judge[asked.judge.pk].append(asked)
    sizes = _sizes(project) if any(judges.is_remote(asked.judge) for asked in counted.asked) else _Sizes({}, {}, {})
    # each response that is cut brings gaps that every judge is asked about once more for each sample
    n_cut = len({asked.response_id for asked in counted.asked if asked.is_cutting})
    return tuple(_share(judge, by_judge[judge.pk], sizes, n_cut * counted.scope.samples_of(judge)) for judge in panel)


def _busy(panel: Sequence[Judge], counted: Counted) -> list[Judge]:
    """Judges that are asked; what is cut is voted on by all, and where nothing is to do all are spoken of."""
    asked = {each.judge.pk for each in counted.asked}
    if not asked or any(each.is_cutting for each in counted.asked):
        return list(panel)
    return [judge for judge in panel if judge.pk in asked]


def _share(judge: Judge, asked: Sequence[Portion], sizes: _Sizes, n_gaps: int) -> JudgeAsking:
    n_calls = sum(each.n_calls for each in asked)
    tokens = n_calls * PROMPT_TOKENS + sum(map(sizes.of, asked)) // CHARACTERS_PER_TOKEN
    return JudgeAsking(
        judge=judge,
        n_calls=n_calls,
        n_calls_high=2 * (n_calls + n_gaps),  # any reply may be asked for again
        n_votes=sum(each.n_votes for each in asked),
        n_cuts=sum(each.is_cutting for each in asked),
        input_tokens=tokens if judges.is_remote(judge) else 0,
    )


def notes(panel: Sequence[Judge], counted: Counted) -> Iterator[str]:
    """Sentences on what asking several times will not bring."""
    n = counted.scope.samples
    if n < 2:
        return
    if any(judge.is_offline for judge in panel):
        yield "Offline judges say the same every time: they are asked once."
    if cold := [judge.name for judge in panel if not judge.is_offline and judge.parameters.get("temperature") == 0]:
        yield (
            f"{joined(cold)} would be asked {n} times at temperature 0, where a model says nearly the same each time: "
            "raise the temperature on the Judges page, or ask once."
        )


def blockers(project: Project, panel: Sequence[Judge], *, has_work: bool, only_failed: bool = False) -> Iterator[str]:
    """Sentences about what stands in the way of a run."""
    if not panel:
        yield "No judge can be asked: add the offline panel or a judge of a provider on the Judges page."
    if not project.responses.exists():
        yield "There is nothing to judge yet: import responses first."
    elif panel and not has_work and only_failed:
        yield "No vote failed: there is nothing to run again."
    elif panel and not has_work:
        yield "Every judge has voted on everything: import more, add a judge, or ask everything again."
    for judge in panel:
        if problem := judges.key_problem(judge):
            yield problem
        if problem := judges.permission_problem(judge, project):
            yield problem


def _sizes(project: Project) -> _Sizes:
    instances = Instance.objects.filter(project=project).annotate(n=Coalesce(Sum(Length("documents__text")), 0))
    sources = dict(instances.values_list("pk", "n"))
    rows = Response.objects.filter(project=project).values_list("pk", "instance_id", Length("text"))
    texts = {pk: sources.get(instance_id, 0) + (length or 0) for pk, instance_id, length in rows}
    claims = counting.live(project).order_by().values_list("response").annotate(c=Sum(Length("text")), n=Count("pk"))
    found = {response_id: (characters or 0, n) for response_id, characters, n in claims}
    return _Sizes(texts, {pk: c for pk, (c, _) in found.items()}, {pk: n for pk, (_, n) in found.items()})
