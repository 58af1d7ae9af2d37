"""Streams a project's data out: everything as JSONL that imports again, tables as CSV, the rubric to take home."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from evaluation.errors import InvalidInputError
from evaluation.exchange.export_csv import ClaimRow, CsvForm, VoteRow, claims_csv, votes_csv
from evaluation.exchange.export_jsonl import jsonl_chunks
from evaluation.exchange.export_rubric import ProvenanceRow, RubricRow, rubric_json, rubric_markdown
from evaluation.exchange.records import ProjectHints
from evaluation.models import Claim, Decision, Outcome, Project, RubricEntry, Verdict
from evaluation.schemas import (
    ClaimKind,
    Label,
    OutcomeSource,
    OutcomeState,
    PresentationOrder,
    VerdictState,
)
from evaluation.services import records, rubric_prompt

BLOCK = 1_000
STATUSES = (
    RubricEntry.Status.ACTIVE,
    RubricEntry.Status.DRAFT,
    RubricEntry.Status.UNDER_REVIEW,
    RubricEntry.Status.RETIRED,
)


@dataclass(frozen=True)
class Choice:
    """A file one can take home."""

    what: str
    fmt: str
    title: str
    suffix: str
    content_type: str

    @property
    def ending(self) -> str:
        """What the file's name ends with, after the project's: each file has a name of its own."""
        safe = "-safe" if self.fmt == "csv-safe" else ""
        return f"{self.what}{safe}.{self.suffix}"


CHOICES = (
    Choice("all", "jsonl", "Everything, to keep or to import again", "jsonl", "application/x-ndjson"),
    Choice("claims", "csv", "Claims with their current answers", "csv", "text/csv; charset=utf-8"),
    Choice("claims", "csv-safe", "The same, safe to open in a spreadsheet", "csv", "text/csv; charset=utf-8"),
    Choice("votes", "csv", "Every vote, to import again", "csv", "text/csv; charset=utf-8"),
    Choice("votes", "csv-safe", "The same, safe to open in a spreadsheet", "csv", "text/csv; charset=utf-8"),
    Choice("decisions", "jsonl", "Rulings with how each claim was drawn", "jsonl", "application/x-ndjson"),
    Choice("rubric", "markdown", "The rules the judges follow, to read", "md", "text/markdown; charset=utf-8"),
    Choice("rubric", "json", "The rules the judges follow, to process", "json", "application/json"),
)


def choice(what: str, fmt: str) -> Choice:
    """The file of that name. Raises InvalidInputError naming those there are."""
    for each in CHOICES:
        if (each.what, each.fmt) == (what, fmt):
            return each
    known = ", ".join(f"{each.what} as {each.fmt}" for each in CHOICES)
    raise InvalidInputError(f"There is no export of {what} as {fmt}. There are: {known}.")


def stream(*, project: Project, what: str, fmt: str) -> Iterator[str]:
    """The file in pieces of text. Raises InvalidInputError for an export that does not exist."""
    choice(what, fmt)
    writers: dict[tuple[str, str], Callable[[Project], Iterator[str]]] = {
        ("all", "jsonl"): _everything,
        ("claims", "csv"): lambda each: claims_csv(claim_rows(each)),
        ("claims", "csv-safe"): lambda each: claims_csv(claim_rows(each), CsvForm.SPREADSHEET),
        ("votes", "csv"): lambda each: votes_csv(vote_rows(each)),
        ("votes", "csv-safe"): lambda each: votes_csv(vote_rows(each), CsvForm.SPREADSHEET),
        ("decisions", "jsonl"): lambda each: jsonl_chunks(records.decisions(each), _hints(each)),
        ("rubric", "markdown"): lambda each: rubric_markdown(each.name, rubric_rows(each), _words(each)),
        ("rubric", "json"): lambda each: rubric_json(each.name, rubric_rows(each)),
    }
    return writers[what, fmt](project)


def _words(project: Project) -> dict[Label, str]:
    return {label: word for kind in ClaimKind for label, word in project.label_words(kind).items()}


def _everything(project: Project) -> Iterator[str]:
    return jsonl_chunks(records.everything(project), _hints(project))


def _hints(project: Project) -> ProjectHints:
    kinds = set(project.claims.values_list("kind", flat=True))
    return ProjectHints(ClaimKind(next(iter(kinds))) if len(kinds) == 1 else None, project.allow_tie)


def claim_rows(project: Project) -> Iterator[ClaimRow]:
    """One row per claim with texts, current answer and ruling."""
    outcomes = Outcome.objects.filter(project=project).select_related(
        "claim__instance",
        "claim__response__system",
        "claim__response__batch",
        "claim__second_response__system",
        "pattern",
        "decision__expert",
    )
    failed = current_votes().filter(claim=OuterRef("claim"), state=Verdict.State.FAILED).order_by()
    n_failed = Subquery(failed.values("claim").annotate(n=Count("pk")).values("n"))
    for outcome in outcomes.annotate(n_failed=Coalesce(n_failed, 0)).order_by("claim_id").iterator(BLOCK):
        yield _claim_row(outcome, outcome.n_failed)


def _claim_row(outcome: Outcome, n_failed: int) -> ClaimRow:
    claim, decision = outcome.claim, outcome.decision
    response, second = claim.response, claim.second_response
    return ClaimRow(
        item=claim.external_id,
        kind=ClaimKind(claim.kind),
        text=claim.text,
        prompt=claim.instance.prompt,
        context=claim.instance.context,
        response=response.text,
        system=response.system.name if response.system else "",
        batch=response.batch.name if response.batch else "",
        second_response=second.text if second else "",
        second_system=second.system.name if second and second.system else "",
        gold=Label(claim.gold) if claim.gold else None,
        tags=tuple(claim.tags),
        answer=Label(outcome.label) if outcome.label else None,
        answer_state=OutcomeState(outcome.state),
        answer_source=OutcomeSource(outcome.source),
        support=outcome.pattern.support.get(outcome.label) if outcome.source == OutcomeSource.PANEL else None,
        votes="; ".join(f"{label} {share:g}" for label, share in sorted(_counts(outcome).items())),
        votes_cast=outcome.pattern.n_cast,
        votes_failed=n_failed,
        entropy=outcome.pattern.panel_entropy,
        ruled_by=decision.expert.get_username() if decision else "",
        ruled_at=decision.decided_at if decision else None,
        ruling_reason=decision.reason if decision else "",
        serious=outcome.is_serious,
    )


def _counts(outcome: Outcome) -> dict[str, float]:
    counts: dict[str, float] = {}
    for _, label, share in outcome.pattern.votes:
        counts[label] = counts.get(label, 0.0) + share
    return counts


def current_votes() -> QuerySet[Verdict]:
    """What every judge says now: votes cast, abstentions and failures."""
    return Verdict.objects.filter(is_current=True, purpose=Verdict.Purpose.VOTE)


def vote_rows(project: Project) -> Iterator[VoteRow]:
    """One row per current vote with what it was about."""
    verdicts = current_votes().filter(claim__project=project)
    related = (
        "judge",
        "claim__instance",
        "claim__response__system",
        "claim__response__batch",
        "claim__second_response__system",
    )
    for verdict in (
        verdicts.select_related(*related).order_by("claim_id", "judge_id", "order", "sample").iterator(BLOCK)
    ):
        yield _vote_row(verdict, verdict.claim)


def _vote_row(verdict: Verdict, claim: Claim) -> VoteRow:
    response, second = claim.response, claim.second_response
    return VoteRow(
        item=claim.external_id,
        judge=verdict.judge.name,
        label=Label(verdict.label) if verdict.label else None,
        state=VerdictState(verdict.state),
        kind=ClaimKind(claim.kind),
        text=claim.text,
        prompt=claim.instance.prompt,
        context=claim.instance.context,
        response=response.text,
        system=response.system.name if response.system else "",
        batch=response.batch.name if response.batch else "",
        second_response=second.text if second else "",
        second_system=second.system.name if second and second.system else "",
        gold=Label(claim.gold) if claim.gold else None,
        tags=tuple(claim.tags),
        confidence=verdict.confidence,
        rationale=verdict.rationale,
        order=PresentationOrder(verdict.order),
        sample=verdict.sample,
        reason=verdict.failure_reason,
    )


def rubric_rows(project: Project) -> Iterator[RubricRow]:
    """Every entry with the rulings it rests on: those in force, drafts, those under review, retired ones."""
    entries = project.rubric_entries.prefetch_related("decisions__claim", "decisions__expert", "decisions__undo")
    for entry in sorted(entries, key=lambda each: (STATUSES.index(each.status), each.pk)):
        yield _rubric_row(entry)


def _rubric_row(entry: RubricEntry) -> RubricRow:
    text = rubric_prompt.as_text(entry)
    standing = [decision for decision in entry.decisions.all() if not hasattr(decision, "undo")]
    return RubricRow(
        entry_id=str(entry.pk),
        version=entry.version,
        status=entry.status,
        criterion=entry.criterion,
        boundary=entry.boundary,
        dimension=entry.dimension,
        weight=entry.weight,
        tags=tuple(entry.tags),
        positive=text.positive,
        positive_missing=entry.positive_missing,
        negative=text.negative,
        negative_missing=entry.negative_missing,
        provenance=tuple(_provenance(decision) for decision in standing),
    )


def _provenance(decision: Decision) -> ProvenanceRow:
    return ProvenanceRow(
        decision_id=records.decision_id(decision),
        expert=decision.expert.get_username(),
        decided_at=decision.decided_at,
        claim_id=decision.claim.external_id,
        claim_text=decision.claim.text,
        label=Label(decision.label) if decision.label else None,
        reason=decision.reason,
    )
