"""Holds the records of one reading until they make a bundle."""

from __future__ import annotations

from evaluation.exchange.records import (
    Bundle,
    ClaimRecord,
    DecisionRecord,
    DocumentRecord,
    InstanceRecord,
    OutcomeRecord,
    ProjectHints,
    ResponseRecord,
    VerdictRecord,
)


class Harvest:
    """Records in the order they were read."""

    def __init__(self) -> None:
        self.documents: list[DocumentRecord] = []
        self.instances: list[InstanceRecord] = []
        self.responses: list[ResponseRecord] = []
        self.claims: list[ClaimRecord] = []
        self.verdicts: list[VerdictRecord] = []
        self.decisions: list[DecisionRecord] = []
        self.outcomes: list[OutcomeRecord] = []
        self.hints: ProjectHints | None = None
        self.shared_instances: dict[str, InstanceRecord] = {}

    def share_instance(self, record: InstanceRecord) -> InstanceRecord:
        """Add an instance that several rows bring; returns the one that came first under its id."""
        first = self.shared_instances.setdefault(record.external_id, record)
        if first is record:
            self.instances.append(record)
        return first

    def bundle(self) -> Bundle:
        return Bundle(
            tuple(self.documents),
            tuple(self.instances),
            tuple(self.responses),
            tuple(self.claims),
            tuple(self.verdicts),
            tuple(self.decisions),
            tuple(self.outcomes),
            self.hints or ProjectHints(),
        )
