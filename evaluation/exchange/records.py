"""The records an import brings and an export writes: frozen, plain, each knowing its place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from evaluation.schemas import ClaimKind, Label, OutcomeSource, OutcomeState, PresentationOrder, VerdictState

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = "dict[str, JsonValue]"


class RecordType(StrEnum):
    """What a record is; also the value of `type` in a line of our JSONL."""

    DOCUMENT = "document"
    INSTANCE = "instance"
    RESPONSE = "response"
    CLAIM = "claim"
    VERDICT = "verdict"
    DECISION = "decision"
    OUTCOME = "outcome"


@dataclass(frozen=True)
class Position:
    """Where something stands: the file's name and the 1-based line; None is the file as a whole."""

    file: str = ""
    row: int | None = None


NOWHERE = Position()


@dataclass(frozen=True)
class Refusal:
    """Why something was not taken: a sentence with its file, row and field (empty: not about one field)."""

    file: str
    row: int | None
    field: str
    reason: str

    def __str__(self) -> str:
        place = [self.file, f"row {self.row}" if self.row is not None else "", self.field]
        return f"{', '.join(part for part in place if part)}: {self.reason}"


@dataclass(frozen=True)
class Notice(Refusal):
    """Something odd that does not stop an import: a warning with its place."""


@dataclass(frozen=True)
class DocumentRecord:
    """A source document; several instances may refer to one."""

    external_id: str
    title: str
    text: str
    at: Position = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class InstanceRecord:
    """A prompt with its context and sources; `gold` is a reference answer in words, if the file brings one."""

    external_id: str
    prompt: str
    context: str = ""
    document_ids: tuple[str, ...] = ()
    gold: str = ""
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    at: Position = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class ResponseRecord:
    """One system's answer to one instance; the text is empty where a file of votes did not bring it."""

    external_id: str
    instance_id: str
    text: str
    system: str = ""
    batch: str = ""
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    at: Position = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class ClaimRecord:
    """A claim: a statement in one response, or a preference between two (in given order: first, second).

    `span` counts code points of the response's text. `quote` is only used while reading, to find or check the span.
    """

    external_id: str
    instance_id: str
    response_ids: tuple[str, ...]
    kind: ClaimKind
    text: str = ""
    span: tuple[int, int] | None = None
    tags: tuple[str, ...] = ()
    gold: Label | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    quote: str = field(default="", compare=False, repr=False)
    at: Position = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class VerdictRecord:
    """One judge's vote; `label` is None unless cast, and names the answer in given order even when shown swapped."""

    claim_id: str
    judge: str
    state: VerdictState
    label: Label | None = None
    order: PresentationOrder = PresentationOrder.AS_GIVEN
    sample: int = 0
    confidence: float | None = None
    rationale: str = ""
    reason: str = ""
    at: Position = field(default=NOWHERE, compare=False, repr=False)

    @property
    def external_id(self) -> str:
        return f"{self.claim_id} · {self.judge} · {self.order} · {self.sample}"


@dataclass(frozen=True)
class DecisionRecord:
    """An expert's ruling; no label means the claim was made void ("not a claim"). `draw` says how it was drawn."""

    external_id: str
    claim_id: str
    label: Label | None
    expert: str
    decided_at: datetime
    reason: str = ""
    is_serious: bool = False
    is_undone: bool = False
    draw: Mapping[str, JsonValue] = field(default_factory=dict)
    at: Position = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class OutcomeRecord:
    """What held true of a claim at export; it follows from votes and rulings, so an import does not store it."""

    claim_id: str
    state: OutcomeState
    source: OutcomeSource
    label: Label | None = None
    support: float | None = None
    at: Position = field(default=NOWHERE, compare=False, repr=False)

    @property
    def external_id(self) -> str:
        return self.claim_id


Record: TypeAlias = (
    DocumentRecord | InstanceRecord | ResponseRecord | ClaimRecord | VerdictRecord | DecisionRecord | OutcomeRecord
)

TYPE_OF: Mapping[type, RecordType] = {
    DocumentRecord: RecordType.DOCUMENT,
    InstanceRecord: RecordType.INSTANCE,
    ResponseRecord: RecordType.RESPONSE,
    ClaimRecord: RecordType.CLAIM,
    VerdictRecord: RecordType.VERDICT,
    DecisionRecord: RecordType.DECISION,
    OutcomeRecord: RecordType.OUTCOME,
}

Key: TypeAlias = "tuple[RecordType, str | tuple[str, ...]]"


def record_key(record: Record) -> Key:
    """What makes a record the same one again: its type and id; for a verdict claim, judge, order and sample."""
    if isinstance(record, VerdictRecord):
        return verdict_key(record.claim_id, record.judge, record.order, record.sample)
    return TYPE_OF[type(record)], record.external_id


def verdict_key(claim_id: str, judge: str, order: PresentationOrder, sample: int) -> Key:
    """The key of a verdict, for an index of what is stored."""
    return RecordType.VERDICT, (claim_id, judge, str(order), str(sample))


@dataclass(frozen=True)
class ProjectHints:
    """What the file says about the project: the one kind of claim it holds, and whether a tie is a label."""

    kind: ClaimKind | None = None
    allow_tie: bool | None = None


@dataclass(frozen=True)
class Bundle:
    """Everything one import brings, in the order it has to be stored."""

    documents: tuple[DocumentRecord, ...] = ()
    instances: tuple[InstanceRecord, ...] = ()
    responses: tuple[ResponseRecord, ...] = ()
    claims: tuple[ClaimRecord, ...] = ()
    verdicts: tuple[VerdictRecord, ...] = ()
    decisions: tuple[DecisionRecord, ...] = ()
    outcomes: tuple[OutcomeRecord, ...] = ()
    project_hints: ProjectHints = ProjectHints()

    def records(self) -> Iterator[Record]:
        yield from self.documents
        yield from self.instances
        yield from self.responses
        yield from self.claims
        yield from self.verdicts
        yield from self.decisions
        yield from self.outcomes


@dataclass(frozen=True)
class KnownResponse:
    """A stored response that a file may refer to without bringing it."""

    instance_id: str
    text: str


@dataclass(frozen=True)
class ExistingIndex:
    """What the project holds already, so that a file may refer to it and be compared with it.

    `hashes` maps record keys to content hashes, `near` near-duplicate keys to ids. `responses` and `claim_kinds`
    may be lazy mappings; they are asked only for ids that the file names and does not bring.
    """

    hashes: Mapping[Key, str] = field(default_factory=dict)
    near: Mapping[str, str] = field(default_factory=dict)
    responses: Mapping[str, KnownResponse] = field(default_factory=dict)
    claim_kinds: Mapping[str, ClaimKind] = field(default_factory=dict)


@dataclass(frozen=True)
class Parsed:
    """What reading a file gave: with any refusal nothing of the bundle may be stored."""

    bundle: Bundle
    refusals: tuple[Refusal, ...]
    warnings: tuple[Notice, ...]
    sha256: str
    format: str
