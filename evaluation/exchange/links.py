"""Checks what records say about each other: ids once, references known, labels of the right scheme, spans in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import chain, islice

from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import (
    Bundle,
    ClaimRecord,
    DecisionRecord,
    DocumentRecord,
    ExistingIndex,
    Key,
    KnownResponse,
    OutcomeRecord,
    Record,
    RecordType,
    record_key,
)
from evaluation.exchange.spans import place_span
from evaluation.exchange.votes import check_gold, check_outcome_label, check_verdict
from evaluation.schemas import ClaimKind

MAX_LOOKS, MAX_COMPARED, LIKE = 20, 2_000, 0.75
RESPONSES_OF = {ClaimKind.STATEMENT: 1, ClaimKind.PREFERENCE: 2}


def link(bundle: Bundle, existing: ExistingIndex, log: ProblemLog) -> Bundle:
    """Check the bundle against itself and what is stored; returns it with instances and spans of claims filled in."""
    return _Linker(bundle, existing, log).run()


class _Linker:
    def __init__(self, bundle: Bundle, existing: ExistingIndex, log: ProblemLog) -> None:
        self.bundle = bundle
        self.existing = existing
        self.log = log
        self.first: dict[Key, Record] = {}
        self.responses: dict[str, KnownResponse] = {}
        self.kinds: dict[str, ClaimKind] = {}
        self.n_looks = 0

    def run(self) -> Bundle:
        bundle = replace(self.bundle, documents=self._documents())
        self._register_all(bundle.instances, bundle.responses, bundle.claims)
        self.responses = {each.external_id: KnownResponse(each.instance_id, each.text) for each in bundle.responses}
        self.kinds = {claim.external_id: claim.kind for claim in bundle.claims}
        self._check_references(bundle)
        claims = tuple(self._claim(claim) for claim in bundle.claims)
        linked = replace(bundle, claims=claims)
        self._register_all(bundle.verdicts, bundle.decisions, bundle.outcomes)
        self._check_labels(linked)
        self._warn_of_textless(linked)
        return linked

    def _documents(self) -> tuple[DocumentRecord, ...]:
        """The documents, each once: the same one may be written inside every instance that uses it."""
        kept: dict[str, DocumentRecord] = {}
        for document in self.bundle.documents:
            first = kept.setdefault(document.external_id, document)
            if first != document:
                reason = f"Row {first.at.row} brings the document “{document.external_id}” with another title or text."
                self.log.refuse(document.at, "id", reason)
        self.first.update({record_key(document): document for document in kept.values()})
        return tuple(kept.values())

    def _register_all(self, *groups: Sequence[Record]) -> None:
        for group in groups:
            for record in group:
                self._register(record)

    def _register(self, record: Record) -> None:
        key = record_key(record)
        first = self.first.setdefault(key, record)
        if first is not record and record.external_id:
            place = f"row {first.at.row}" if first.at.row is not None else "the file"
            reason = f"The {key[0]} “{record.external_id}” is there already, in {place}; every id may come once."
            self.log.refuse(record.at, "id", reason)

    def _knows(self, kind: RecordType, external_id: str) -> bool:
        key = (kind, external_id)
        return not external_id or key in self.first or key in self.existing.hashes

    def _refer(self, record: Record, kind: RecordType, external_id: str, field: str) -> bool:
        if self._knows(kind, external_id):
            return True
        reason = f"There is no {kind} “{external_id}”, neither in this file nor in the project."
        near = self._near(kind, external_id)
        self.log.refuse(record.at, field, f"{reason} Did you mean “{near}”?" if near else reason)
        return False

    def _near(self, kind: RecordType, external_id: str) -> str:
        """The known id that is most alike; looked for a few times only, since every look goes through many ids."""
        self.n_looks += 1
        if self.n_looks > MAX_LOOKS:
            return ""
        known = (str(key[1]) for key in chain(self.first, self.existing.hashes) if key[0] == kind)
        return next(iter(get_close_matches(external_id, islice(known, MAX_COMPARED), n=1, cutoff=LIKE)), "")

    def _check_references(self, bundle: Bundle) -> None:
        for instance in bundle.instances:
            for document_id in instance.document_ids:
                self._refer(instance, RecordType.DOCUMENT, document_id, "sources")
        for response in bundle.responses:
            self._refer(response, RecordType.INSTANCE, response.instance_id, "instance")

    def _claim(self, claim: ClaimRecord) -> ClaimRecord:
        expected = RESPONSES_OF[claim.kind]
        if len(claim.response_ids) != expected or len(set(claim.response_ids)) != expected:
            reason = f"A {claim.kind} names {expected} different responses, this one names {len(claim.response_ids)}."
            self.log.refuse(claim.at, "responses", reason)
            return claim
        known = [self._response(claim, response_id) for response_id in claim.response_ids]
        found = [response for response in known if response is not None]
        if len(found) < expected:
            return claim
        placed = self._place_instance(claim, found)
        return place_span(placed, found[0].text, self.log)

    def _response(self, claim: ClaimRecord, response_id: str) -> KnownResponse | None:
        if not self._refer(claim, RecordType.RESPONSE, response_id, "responses"):
            return None
        return self.responses.get(response_id) or self.existing.responses.get(response_id)

    def _place_instance(self, claim: ClaimRecord, responses: list[KnownResponse]) -> ClaimRecord:
        instances = {response.instance_id for response in responses}
        instances |= {claim.instance_id} if claim.instance_id else set()
        if len(instances) > 1:
            names = " and ".join(sorted(instances))
            self.log.refuse(
                claim.at, "responses", f"The responses of one claim belong to one instance, not to {names}."
            )
        return replace(claim, instance_id=responses[0].instance_id)

    def _warn_of_textless(self, bundle: Bundle) -> None:
        """One warning for all, since a file of bare votes has no texts at all."""
        silent = [claim for claim in bundle.claims if claim.kind is ClaimKind.STATEMENT and not claim.text.strip()]
        if silent:
            reason = (
                f"Claims without text: {len(silent):,}, this is the first. Their votes count; nobody can read them."
            )
            self.log.warn(silent[0].at, "text", reason)

    def _check_labels(self, bundle: Bundle) -> None:
        for claim in bundle.claims:
            check_gold(claim, bundle.project_hints, self.log)
        for verdict in bundle.verdicts:
            if self._refer(verdict, RecordType.CLAIM, verdict.claim_id, "claim"):
                check_verdict(verdict, self._kind(verdict.claim_id), bundle.project_hints, self.log)
        rulings: tuple[DecisionRecord | OutcomeRecord, ...] = (*bundle.decisions, *bundle.outcomes)
        for record in rulings:
            if self._refer(record, RecordType.CLAIM, record.claim_id, "claim"):
                check_outcome_label(record, self._kind(record.claim_id), bundle.project_hints, self.log)

    def _kind(self, claim_id: str) -> ClaimKind | None:
        return self.kinds.get(claim_id) or self.existing.claim_kinds.get(claim_id)
