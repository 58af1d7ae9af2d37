"""Stores what an import brings: all of it in one transaction, in the order in which records refer to one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from django.contrib.auth.models import User
from django.db import models
from django.utils import timezone

from evaluation.exchange.fingerprint import content_hash, payload
from evaluation.exchange.records import (
    TYPE_OF,
    Bundle,
    ClaimRecord,
    DecisionRecord,
    DocumentRecord,
    ExistingIndex,
    InstanceRecord,
    Record,
    ResponseRecord,
    VerdictRecord,
    record_key,
)
from evaluation.models import (
    Batch,
    Claim,
    Decision,
    Document,
    Draw,
    Import,
    Instance,
    Judge,
    Project,
    Response,
    Revision,
    Run,
    System,
    Undo,
    Verdict,
)
from evaluation.services import judges, patterns, records, settling, verdicts

BLOCK = 1_000
R = TypeVar("R", bound=Record)
M = TypeVar("M", bound=models.Model)


@dataclass
class Storing:
    """One import being stored: what is in the project already decides what is new, changed or left."""

    project: Project
    record: Import
    existing: ExistingIndex
    replaces: bool
    run: Run
    touched: set[int] = field(default_factory=set)

    def new(self, found: Iterable[R]) -> list[R]:
        """Records the project does not hold."""
        return [record for record in found if record_key(record) not in self.existing.hashes]

    def changed(self, found: Iterable[R]) -> list[R]:
        """Records the project holds with other content, where they are to be replaced."""
        if not self.replaces:
            return []
        hashes = self.existing.hashes
        return [each for each in found if hashes.get(record_key(each), content_hash(each)) != content_hash(each)]

    def keep_before(self, before: Record) -> None:
        """Keep what a record was before it is replaced."""
        Revision.objects.create(
            import_record=self.record,
            record_type=TYPE_OF[type(before)].value,
            external_id=before.external_id,
            before=payload(before),
        )


def store(storing: Storing, bundle: Bundle) -> None:
    """Store a bundle and bring patterns and outcomes in line; call it inside a transaction."""
    _documents(storing, bundle.documents)
    _instances(storing, bundle.instances)
    _responses(storing, bundle.responses)
    _claims(storing, bundle.claims)
    _verdicts(storing, bundle.verdicts)
    patterns.refresh(project=storing.project, claim_ids=storing.touched)
    _decisions(storing, bundle.decisions)


def by_id(model: type[M], project: Project, names: Iterable[str]) -> dict[str, M]:
    """Rows of a project by external id, fetched in blocks."""
    wanted, found = sorted(set(names)), {}
    for start in range(0, len(wanted), BLOCK):
        rows = model._default_manager.filter(project=project, external_id__in=wanted[start : start + BLOCK])
        found.update({row.external_id: row for row in rows})  # type: ignore[attr-defined]
    return found


def _documents(storing: Storing, found: Iterable[DocumentRecord]) -> None:
    Document.objects.bulk_create(
        (
            Document(
                project=storing.project,
                external_id=record.external_id,
                title=record.title,
                text=record.text,
                content_hash=content_hash(record),
            )
            for record in storing.new(found)
        ),
        batch_size=BLOCK,
    )
    changed = storing.changed(found)
    rows = by_id(Document, storing.project, [record.external_id for record in changed])
    for record in changed:
        row = rows[record.external_id]
        storing.keep_before(records.document_record(row))
        row.title, row.text, row.content_hash = record.title, record.text, content_hash(record)
        row.save()


def _instances(storing: Storing, found: Iterable[InstanceRecord]) -> None:
    new, changed = storing.new(found), storing.changed(found)
    rows = by_id(Instance, storing.project, [record.external_id for record in changed])
    for record in changed:
        storing.keep_before(records.instance_record(rows[record.external_id]))
    rows |= {record.external_id: Instance(project=storing.project, external_id=record.external_id) for record in new}
    for record in (*new, *changed):
        row = rows[record.external_id]
        row.prompt, row.context, row.gold = record.prompt, record.context, record.gold
        row.metadata, row.content_hash = dict(record.metadata), content_hash(record)
        row.document_ids = list(record.document_ids)
    Instance.objects.bulk_create([rows[record.external_id] for record in new], batch_size=BLOCK)
    fields = ["prompt", "context", "gold", "metadata", "content_hash", "document_ids"]
    Instance.objects.bulk_update([rows[record.external_id] for record in changed], fields, batch_size=200)
    documents = by_id(Document, storing.project, [name for record in (*new, *changed) for name in record.document_ids])
    for record in (*new, *changed):
        if record.document_ids or record in changed:
            rows[record.external_id].documents.set([documents[name] for name in record.document_ids])


def _named(model: type[M], project: Project, names: Iterable[str]) -> dict[str, M]:
    return {
        name: model._default_manager.get_or_create(project=project, name=name)[0] for name in sorted(set(names)) if name
    }


def _responses(storing: Storing, found: Iterable[ResponseRecord]) -> None:
    project = storing.project
    new, changed = storing.new(found), storing.changed(found)
    instances = by_id(Instance, project, [record.instance_id for record in new])
    systems = _named(System, project, [record.system for record in (*new, *changed)])
    batches = _named(Batch, project, [record.batch for record in (*new, *changed)])
    rows = by_id(Response, project, [record.external_id for record in changed])
    for record in changed:
        storing.keep_before(records.response_record(rows[record.external_id]))
        storing.touched |= set(rows[record.external_id].claims.values_list("pk", flat=True))
    for record in new:
        rows[record.external_id] = Response(
            project=project, external_id=record.external_id, instance=instances[record.instance_id]
        )
    for record in (*new, *changed):
        row = rows[record.external_id]
        row.text, row.metadata, row.content_hash = record.text, dict(record.metadata), content_hash(record)
        row.system, row.batch = systems.get(record.system), batches.get(record.batch)
    Response.objects.bulk_create([rows[record.external_id] for record in new], batch_size=BLOCK)
    fields = ["text", "metadata", "content_hash", "system", "batch"]
    Response.objects.bulk_update([rows[record.external_id] for record in changed], fields, batch_size=200)


def _claims(storing: Storing, found: Iterable[ClaimRecord]) -> None:
    project = storing.project
    new, changed = storing.new(found), storing.changed(found)
    responses = by_id(Response, project, [name for record in (*new, *changed) for name in record.response_ids])
    rows = by_id(Claim, project, [record.external_id for record in changed])
    for record in changed:
        storing.keep_before(records.claim_record(rows[record.external_id]))
    for number, record in enumerate(new):
        rows[record.external_id] = Claim(project=project, external_id=record.external_id, position=number)
    for record in (*new, *changed):
        _fill_claim(rows[record.external_id], record, responses)
    Claim.objects.bulk_create([rows[record.external_id] for record in new], batch_size=BLOCK)
    fields = ["text", "span_start", "span_end", "tags", "gold", "metadata", "content_hash"]
    Claim.objects.bulk_update([rows[record.external_id] for record in changed], fields, batch_size=200)
    storing.touched |= {rows[record.external_id].pk for record in (*new, *changed)}


def _fill_claim(row: Claim, record: ClaimRecord, responses: Mapping[str, Response]) -> None:
    first, *rest = (responses[name] for name in record.response_ids)
    row.instance_id, row.response, row.second_response = first.instance_id, first, rest[0] if rest else None
    row.kind, row.text, row.tags = record.kind.value, record.text, list(record.tags)
    row.span_start, row.span_end = record.span or (None, None)
    row.gold, row.metadata = record.gold.value if record.gold else "", dict(record.metadata)
    row.content_hash = content_hash(record)


def _verdicts(storing: Storing, found: Iterable[VerdictRecord]) -> None:
    wanted = [*storing.new(found), *storing.changed(found)]
    if not wanted:
        return
    claims = by_id(Claim, storing.project, [record.claim_id for record in wanted])
    named = judges.recorded(project=storing.project, names=list(dict.fromkeys(record.judge for record in wanted)))
    for start in range(0, len(wanted), BLOCK):
        rows = [_verdict(storing.run, record, claims, named) for record in wanted[start : start + BLOCK]]
        verdicts.make_current(Verdict.objects.bulk_create(rows))
    storing.touched |= {claims[record.claim_id].pk for record in wanted}


def _verdict(run: Run, record: VerdictRecord, claims: Mapping[str, Claim], named: Mapping[str, Judge]) -> Verdict:
    judge = named[record.judge]
    return Verdict(
        run=run,
        claim=claims[record.claim_id],
        judge=judge,
        order=record.order.value,
        sample=record.sample,
        state=record.state.value,
        label=record.label.value if record.label else "",
        confidence=record.confidence,
        rationale=record.rationale,
        failure_reason=record.reason[:200],
        model_name=judge.model,
    )


def _decisions(storing: Storing, found: Iterable[DecisionRecord]) -> None:
    new = storing.new(found)
    claims = by_id(Claim, storing.project, [record.claim_id for record in new])
    experts = {name: _expert(name) for name in {record.expert for record in new}}
    for record in new:
        _decision(storing, record, claims[record.claim_id], experts[record.expert])
    for claim in {claims[record.claim_id] for record in new}:
        settling.settle(claim)


def _expert(name: str) -> User:
    """The member of that name; somebody who is not known here gets an account that cannot sign in."""
    user, is_new = User.objects.get_or_create(username=name[:150], defaults={"is_active": False})
    if is_new:
        user.set_unusable_password()
        user.save()
    return user


def _decision(storing: Storing, record: DecisionRecord, claim: Claim, expert: User) -> None:
    drawn, project = record.draw, storing.project
    rank, probability = drawn.get("rank"), drawn.get("probability")
    draw = Draw.objects.create(
        project=project,
        claim=claim,
        expert=expert,
        policy=str(drawn.get("policy") or "imported")[:30],
        rank=rank if isinstance(rank, int) else None,
        probability=probability if isinstance(probability, float) and 0 < probability <= 1 else None,
        is_audit=drawn.get("audit") is True,
        is_by_hand=drawn.get("by_hand") is True,
        is_open=False,
    )
    pattern = claim.outcome.pattern
    decision = Decision.objects.create(
        project=project,
        claim=claim,
        expert=expert,
        draw=draw,
        action=Decision.Action.RULE if record.label else Decision.Action.VOID,
        label=record.label.value if record.label else "",
        reason=record.reason,
        is_serious=record.is_serious,
        pattern=pattern,
        votes=pattern.votes,
        token=f"{records.IMPORTED}{project.pk}:{record.external_id}"[:64],
    )
    # what follows from a ruling that was made elsewhere followed there
    Decision.objects.filter(pk=decision.pk).update(decided_at=record.decided_at, followed_up_at=timezone.now())
    if record.is_undone:
        Undo.objects.create(decision=decision, expert=expert)
