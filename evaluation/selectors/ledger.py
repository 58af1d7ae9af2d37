"""The ledger of calls as owners read it: by judge, by run and by day, and the calls behind every figure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from datetime import date

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from evaluation.models import Call, Project, Purse, Run
from evaluation.selectors.paging import Paged, page_of
from evaluation.selectors.run_words import title_of

N_RUNS = 50
N_DAYS = 60
PAGE_SIZE = 50
_SENT = Q(source=None)
_CERTAIN = Q(is_cost_certain=True)
_SHOWN = {
    "all": Q(),
    "reused": ~_SENT,
    "out": Q(state=Call.State.SENT),
    "failed": Q(state=Call.State.FAILED),
    "unconfirmed": Q(state=Call.State.UNCONFIRMED),
    "uncertain": ~_CERTAIN,
    "unpriced": Q(cost_micros=None) & ~Q(state=Call.State.SENT),
}
_FIGURES = {
    "of_n_sent": Count("pk", filter=_SENT),
    "of_n_reused": Count("pk", filter=_SHOWN["reused"]),
    "of_n_out": Count("pk", filter=_SHOWN["out"]),
    "of_n_failed": Count("pk", filter=_SHOWN["failed"]),
    "of_n_unconfirmed": Count("pk", filter=_SHOWN["unconfirmed"]),
    "of_n_uncertain": Count("pk", filter=_SHOWN["uncertain"]),
    "of_n_unpriced": Count("pk", filter=_SHOWN["unpriced"]),
    "of_input_tokens": Sum("input_tokens", default=0),
    "of_output_tokens": Sum("output_tokens", default=0),
    "of_cached_tokens": Sum("cached_tokens", default=0),
    "of_cost_micros": Sum("cost_micros", filter=_CERTAIN, default=0),
    "of_uncertain_micros": Sum("cost_micros", filter=~_CERTAIN, default=0),
}
_BY = ("judge", "judge__name", "job__run", "job__run__kind", "day")
KINDS_OF_CALLS = tuple(_SHOWN)


@dataclass(frozen=True)
class Figures:
    """What some calls came to; `uncertain_micros` is the most that calls of unknown outcome may have cost.

    A reused call is one for which nothing was sent. Calls whose price is not known are in no amount.
    """

    n_sent: int = 0
    n_reused: int = 0
    n_out: int = 0
    n_failed: int = 0
    n_unconfirmed: int = 0
    n_uncertain: int = 0
    n_unpriced: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_micros: int = 0
    uncertain_micros: int = 0

    def __add__(self, other: Figures) -> Figures:
        return Figures(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class LedgerRow:
    """The figures of one judge, run or day; `key` is its value in the address of its calls."""

    key: str
    name: str
    figures: Figures


@dataclass(frozen=True)
class Ledger:
    """All calls of a project in three cuts; runs and days are the newest ones."""

    total: Figures
    judges: tuple[LedgerRow, ...]
    runs: tuple[LedgerRow, ...]
    days: tuple[LedgerRow, ...]


@dataclass(frozen=True)
class CallFilter:
    """Which calls are listed; `shown` is one of KINDS_OF_CALLS."""

    judge_id: int | None = None
    run_id: int | None = None
    day: date | None = None
    shown: str = "all"


@dataclass(frozen=True)
class CallPage(Paged):
    """One page of the calls behind a figure, with what all of them came to."""

    calls: tuple[Call, ...]
    figures: Figures
    n: int
    page: int
    n_pages: int


def ledger(*, project: Project) -> Ledger:
    """Add up a project's calls; one query, however many calls there are."""
    cells = _calls(project).annotate(day=TruncDate("sent_at")).values(*_BY).annotate(**_FIGURES)
    total = Figures()
    judges: dict[tuple[str, int], Figures] = defaultdict(Figures)
    runs: dict[tuple[int, str], Figures] = defaultdict(Figures)
    days: dict[date, Figures] = defaultdict(Figures)
    for cell in cells:
        figures = _figures(cell)
        total += figures
        judges[cell["judge__name"], cell["judge"]] += figures
        runs[cell["job__run"], cell["job__run__kind"]] += figures
        days[cell["day"]] += figures
    return Ledger(
        total=total,
        judges=tuple(LedgerRow(str(pk), name, judges[name, pk]) for name, pk in sorted(judges)),
        runs=tuple(
            LedgerRow(str(pk), f"{title_of(kind)} {pk}", runs[pk, kind])
            for pk, kind in sorted(runs, reverse=True)[:N_RUNS]
        ),
        days=tuple(LedgerRow(day.isoformat(), _words(day), days[day]) for day in sorted(days, reverse=True)[:N_DAYS]),
    )


def judge_figures(*, run: Run) -> dict[int, Figures]:
    """What the calls of one run came to by judge; one query."""
    rows = Call.objects.filter(job__run=run).order_by("judge").values("judge").annotate(**_FIGURES)
    return {row["judge"]: _figures(row) for row in rows}


def uncertain_of(purse: Purse) -> int:
    """How much of what a run's or the project's purse has spent is the most that calls without an answer can have cost.

    Of an allowance, which holds runs of a week, nothing is told apart: 0.
    """
    uncertain = _calls(purse.project).filter(~_CERTAIN)
    if purse.run_id is not None:
        uncertain = uncertain.filter(job__run=purse.run_id)
    elif purse.key != "project":
        return 0
    return int(uncertain.aggregate(micros=Sum("cost_micros", default=0))["micros"])


def call_page(*, project: Project, only: CallFilter, page: int = 1) -> CallPage:
    """One page of calls, the newest first; two queries."""
    rows = _filtered(project, only)
    figures = _figures(rows.aggregate(**_FIGURES))
    n = figures.n_sent + figures.n_reused
    shown = page_of(n, PAGE_SIZE, page)
    wanted = rows.select_related("judge", "job__run").defer("raw_reply").order_by("-pk")
    return CallPage(tuple(wanted[shown.rows]), figures, n, shown.number, shown.n_pages)


def call_of(*, project: Project, call_id: int) -> Call | None:
    """One call of the project with what it was about, None where there is none."""
    related = ("judge", "job__run", "job__response", "source", "batch")
    return _calls(project).filter(pk=call_id).select_related(*related).prefetch_related("job__claims").first()


def _calls(project: Project) -> QuerySet[Call]:
    return Call.objects.filter(job__run__project=project).order_by()


def _filtered(project: Project, only: CallFilter) -> QuerySet[Call]:
    rows = _calls(project).filter(_SHOWN[only.shown])
    if only.judge_id is not None:
        rows = rows.filter(judge=only.judge_id)
    if only.run_id is not None:
        rows = rows.filter(job__run=only.run_id)
    if only.day is not None:
        rows = rows.filter(sent_at__date=only.day)
    return rows


def _figures(row: Mapping[str, object]) -> Figures:
    return Figures(**{name.removeprefix("of_"): row[name] for name in _FIGURES})  # type: ignore[arg-type]


def _words(day: date) -> str:
    return f"{day:%a} {day.day} {day:%b %Y}"
