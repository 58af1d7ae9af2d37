"""Stored rows as the records that files hold, for exports and for comparing an import with what is there."""

from __future__ import annotations

from collections.abc import Iterator

from evaluation.exchange.records import (
    ClaimRecord,
    DecisionRecord,
    DocumentRecord,
    InstanceRecord,
    OutcomeRecord,
    Record,
    ResponseRecord,
    VerdictRecord,
)
from evaluation.models import Claim, Decision, Document, Instance, Outcome, Project, Response, Verdict
from evaluation.schemas import ClaimKind, Label, OutcomeSource, OutcomeState, PresentationOrder, VerdictState

IMPORTED = "import:"
BLOCK = 1_000


def documents(project: Project) -> Iterator[DocumentRecord]:
    """The project's source documents."""
    for document in project.documents.iterator(BLOCK):
        yield document_record(document)


def document_record(document: Document) -> DocumentRecord:
    """One source document."""
    return DocumentRecord(document.external_id, document.title, document.text)


def instances(project: Project) -> Iterator[InstanceRecord]:
    """The project's instances."""
    for instance in project.instances.iterator(BLOCK):
        yield instance_record(instance)


def instance_record(instance: Instance) -> InstanceRecord:
    """One instance with the ids of its documents."""
    return InstanceRecord(
        instance.external_id,
        instance.prompt,
        instance.context,
        tuple(instance.document_ids),
        instance.gold,
        instance.metadata,
    )


def responses(project: Project) -> Iterator[ResponseRecord]:
    """The project's responses."""
    for response in project.responses.select_related("instance", "system", "batch").iterator(BLOCK):
        yield response_record(response)


def response_record(response: Response) -> ResponseRecord:
    """One response with its system and batch."""
    return ResponseRecord(
        response.external_id,
        response.instance.external_id,
        response.text,
        response.system.name if response.system else "",
        response.batch.name if response.batch else "",
        response.metadata,
    )


def claims(project: Project) -> Iterator[ClaimRecord]:
    """The project's claims, void ones among them."""
    for claim in project.claims.select_related("instance", "response", "second_response").iterator(BLOCK):
        yield claim_record(claim)


def claim_record(claim: Claim) -> ClaimRecord:
    """One claim with the ids of its one or two responses."""
    pair = (claim.second_response.external_id,) if claim.second_response else ()
    has_span = claim.span_start is not None and claim.span_end is not None
    return ClaimRecord(
        claim.external_id,
        claim.instance.external_id,
        (claim.response.external_id, *pair),
        ClaimKind(claim.kind),
        claim.text,
        (claim.span_start or 0, claim.span_end or 0) if has_span else None,
        tuple(claim.tags),
        Label(claim.gold) if claim.gold else None,
        claim.metadata,
    )


def verdicts(project: Project) -> Iterator[VerdictRecord]:
    """The current votes of the project."""
    current = Verdict.objects.filter(claim__project=project, is_current=True, purpose=Verdict.Purpose.VOTE)
    for verdict in current.select_related("claim", "judge").order_by("pk").iterator(BLOCK):
        yield verdict_record(verdict)


def verdict_record(verdict: Verdict) -> VerdictRecord:
    """One vote."""
    return VerdictRecord(
        verdict.claim.external_id,
        verdict.judge.name,
        VerdictState(verdict.state),
        Label(verdict.label) if verdict.label else None,
        PresentationOrder(verdict.order),
        verdict.sample,
        verdict.confidence,
        verdict.rationale,
        verdict.failure_reason,
    )


def decisions(project: Project) -> Iterator[DecisionRecord]:
    """Every ruling that settles or voids a claim, undone ones among them."""
    rows = project.decisions.exclude(action=Decision.Action.CANNOT_JUDGE)
    for decision in rows.select_related("claim", "expert", "draw", "undo").iterator(BLOCK):
        yield decision_record(decision)


def decision_id(decision: Decision) -> str:
    """The id a ruling has in files: its token, or the id it was imported with."""
    token = decision.token
    return token.split(":", 2)[2] if token.startswith(IMPORTED) else token


def decision_record(decision: Decision) -> DecisionRecord:
    """One ruling with how its claim was drawn."""
    draw = decision.draw
    return DecisionRecord(
        decision_id(decision),
        decision.claim.external_id,
        Label(decision.label) if decision.label else None,
        decision.expert.get_username(),
        decision.decided_at,
        decision.reason,
        decision.is_serious,
        hasattr(decision, "undo"),
        {
            "policy": draw.policy,
            "rank": draw.rank,
            "probability": draw.probability,
            "audit": draw.is_audit,
            "by_hand": draw.is_by_hand,
        },
    )


def outcomes(project: Project) -> Iterator[OutcomeRecord]:
    """What holds true of each claim now."""
    for outcome in project.outcomes.select_related("claim", "pattern").order_by("claim_id").iterator(BLOCK):
        yield outcome_record(outcome)


def outcome_record(outcome: Outcome) -> OutcomeRecord:
    """One current answer."""
    label = outcome.label
    is_panel = outcome.source == Outcome.Source.PANEL
    return OutcomeRecord(
        outcome.claim.external_id,
        OutcomeState(outcome.state),
        OutcomeSource(outcome.source),
        Label(label) if label else None,
        outcome.pattern.support.get(label) if is_panel and label else None,
    )


def everything(project: Project) -> Iterator[Record]:
    """All records of a project, in the order in which they can be stored again."""
    yield from documents(project)
    yield from instances(project)
    yield from responses(project)
    yield from claims(project)
    yield from verdicts(project)
    yield from decisions(project)
    yield from outcomes(project)
