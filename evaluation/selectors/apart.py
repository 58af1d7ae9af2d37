"""Claims that are listed apart from the queue: not judged, judged by one alone, or with votes that failed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Count, QuerySet

from evaluation.models import Claim, Judge, Project, Verdict
from evaluation.schemas import OutcomeSource, OutcomeState
from evaluation.selectors import failures
from evaluation.selectors.paging import Paged, page_of
from evaluation.selectors.silences import brief_sentences

PAGE_SIZE = 50


class Kind(StrEnum):
    """Why claims are listed apart; the value stands in the address."""

    UNJUDGED = "not-judged"
    THIN = "one-vote"
    FAILED = "failed"


TITLES = {
    Kind.UNJUDGED: "Not judged",
    Kind.THIN: "One vote only",
    Kind.FAILED: "Votes that failed",
}


@dataclass(frozen=True)
class ApartRow:
    """A claim with what is said of the judges that did not vote on it."""

    claim_id: int
    text: str
    why: tuple[str, ...]


@dataclass(frozen=True)
class Apart(Paged):
    """Claims of one kind: how many there are, and the first few or one page of them."""

    kind: Kind
    n: int
    rows: tuple[ApartRow, ...]
    page: int = 1
    n_pages: int = 1

    @property
    def title(self) -> str:
        return TITLES[self.kind]

    @property
    def n_more(self) -> int:
        return self.n - len(self.rows)


@dataclass(frozen=True)
class FailedVotes:
    """Votes that judges were asked for in vain and can be asked for again: on how many claims, and why in words."""

    n_votes: int
    n_claims: int
    reasons: tuple[tuple[str, int], ...]


def apart(project: Project, kind: Kind, *, limit: int) -> Apart:
    """The first claims of a kind with what their judges did; at most four queries."""
    claims = _claims(project, kind)
    n = claims.count()
    return Apart(kind, n, _rows(project, claims[:limit]) if n else ())


def apart_page(project: Project, kind: Kind, *, page: int) -> Apart:
    """One page of all claims of a kind; pages that do not exist are the nearest that does."""
    claims = _claims(project, kind)
    n = claims.count()
    shown = page_of(n, PAGE_SIZE, page)
    return Apart(kind, n, _rows(project, claims[shown.rows]), shown.number, shown.n_pages)


def failed_votes(project: Project) -> FailedVotes:
    """Count the votes that failed, of judges that can be asked; two queries."""
    failed = _failed(project).order_by()
    reasons: Counter[str] = Counter()
    for reason, n in failed.values_list("failure_reason").annotate(n=Count("pk")):
        reasons[failures.in_words(reason)] += n
    n_claims = failed.values("claim").distinct().count() if reasons else 0
    return FailedVotes(reasons.total(), n_claims, tuple(reasons.most_common()))


def _failed(project: Project) -> QuerySet[Verdict]:
    votes = Verdict.objects.filter(claim__project=project, claim__is_void=False, is_current=True)
    asked = votes.filter(state=Verdict.State.FAILED, judge__is_active=True)
    return asked.exclude(judge__provider=Judge.RECORDED)


def _claims(project: Project, kind: Kind) -> QuerySet[Claim]:
    live = project.claims.filter(is_void=False).order_by("pk")
    if kind is Kind.FAILED:
        return live.filter(pk__in=_failed(project).values("claim"))
    state = OutcomeState.THIN if kind is Kind.THIN else OutcomeState.UNJUDGED
    return live.filter(outcome__source=OutcomeSource.PANEL, outcome__pattern__state=state)


def _rows(project: Project, claims: Iterable[Claim]) -> tuple[ApartRow, ...]:
    found = list(claims)
    votes: dict[int, list[Verdict]] = defaultdict(list)
    current = Verdict.objects.filter(claim__in=found, is_current=True, purpose=Verdict.Purpose.VOTE)
    for verdict in current.select_related("judge"):
        votes[verdict.claim_id].append(verdict)
    panel = list(Judge.objects.filter(panels__project=project, panels__is_current=True))
    return tuple(ApartRow(claim.pk, claim.text, _why(votes[claim.pk], panel)) for claim in found)


def _why(votes: Sequence[Verdict], panel: Iterable[Judge]) -> tuple[str, ...]:
    """Sentences without names: whoever reads them may still have to rule on the claim."""
    return brief_sentences(votes, panel) if votes else ("No judge has been asked.",)
