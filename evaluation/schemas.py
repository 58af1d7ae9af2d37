"""Enums and frozen dataclasses that cross layers; plain values, no framework."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ClaimKind(StrEnum):
    """What sort of smallest thing is voted on."""

    STATEMENT = "statement"
    PREFERENCE = "preference"


class Label(StrEnum):
    """Every label a vote or a ruling of this method can carry."""

    ACCEPT = "accept"
    REJECT = "reject"
    UNCERTAIN = "uncertain"
    FIRST = "first"
    SECOND = "second"
    TIE = "tie"


class VerdictState(StrEnum):
    """Whether a judge's answer is a vote; `not asked` is no row at all."""

    CAST = "cast"
    ABSTAINED = "abstained"
    FAILED = "failed"


class OutcomeState(StrEnum):
    """What holds true of a claim now, besides its label."""

    OPEN = "open"
    SPLIT = "split"
    THIN = "thin"
    UNJUDGED = "unjudged"
    DECIDED = "decided"
    VOID = "void"


class OutcomeSource(StrEnum):
    """Who an outcome comes from; precedence expert > reviewer > panel."""

    EXPERT = "expert"
    REVIEWER = "reviewer"
    PANEL = "panel"


class PresentationOrder(StrEnum):
    """The order in which the two answers of a pair were shown; statements are `as_given`."""

    AS_GIVEN = "as_given"
    SWAPPED = "swapped"


class SelectionPolicy(StrEnum):
    """How the next claim for a person is chosen (docs/architecture.md, Drawn)."""

    POSTERIOR_ENTROPY = "posterior_entropy"
    PANEL_ENTROPY = "panel_entropy"
    RANDOM = "random"


class UpdateRule(StrEnum):
    """What a ruling does to other claims (docs/decisions/rulings.md)."""

    REWEIGHT = "reweight"
    LOCAL = "local"
    FLIP = "flip"


LABELS: Mapping[ClaimKind, tuple[Label, ...]] = {
    ClaimKind.STATEMENT: (Label.ACCEPT, Label.REJECT, Label.UNCERTAIN),
    ClaimKind.PREFERENCE: (Label.FIRST, Label.SECOND, Label.TIE),
}


@dataclass(frozen=True)
class Vote:
    """One voter's cast label on a claim; `share` is 1/S for one of S samples."""

    voter: str
    label: str
    share: float = 1.0


@dataclass(frozen=True)
class SourceText:
    """A source document of an instance as plain data; judges may quote its title."""

    title: str
    text: str


@dataclass(frozen=True)
class ClaimText:
    """A claim as a judge sees it. For a preference `first` and `second` are the answers in given order."""

    ref: str
    kind: ClaimKind
    text: str
    tags: tuple[str, ...] = ()
    first: str = ""
    second: str = ""


@dataclass(frozen=True)
class RubricExample:
    """An example of a rubric entry: a text, the label it got, and a note on the source."""

    text: str
    label: Label
    note: str = ""


@dataclass(frozen=True)
class RubricText:
    """A rubric entry as judges read it."""

    entry_id: int
    version: int
    criterion: str
    boundary: str = ""
    tags: tuple[str, ...] = ()
    positive: RubricExample | None = None
    negative: RubricExample | None = None


@dataclass(frozen=True)
class PanelVote:
    """A judge's cast vote and reason, shown to the reviewer as supporting or opposing."""

    judge: str
    label: Label
    rationale: str


@dataclass(frozen=True)
class Subject:
    """Everything one request to a judge is about, as plain data.

    It is never sent: methods render prompts from it, while the `replay` and `offline` providers read only it.
    `labels` maps each allowed label to its words on screen, in display order. `silence_means` and `in_between`
    are settings of the offline judges (docs/offline-judges.md).
    """

    task: str  # "decompose" | "judge" | "review" | "draft"
    kind: ClaimKind
    question: str
    labels: Mapping[Label, str]
    prompt: str = ""
    context: str = ""
    response: str = ""
    sources: tuple[SourceText, ...] = ()
    claims: tuple[ClaimText, ...] = ()
    order: PresentationOrder = PresentationOrder.AS_GIVEN
    rubric: tuple[RubricText, ...] = ()
    rubric_left_out: tuple[str, ...] = ()  # names of rules in force that did not fit
    guidelines: str = ""
    tag_vocabulary: tuple[str, ...] = ()
    votes: tuple[PanelVote, ...] = ()
    ruling: Label | None = None
    ruling_reason: str = ""
    silence_means: str = "not_supported"
    in_between: str = "abstain"
    item: str = ""  # the instance's own id; recorded verdicts are looked up by it


@dataclass(frozen=True)
class Opinion:
    """One judge's validated answer on one claim; `label` is None unless the state is cast."""

    ref: str
    state: VerdictState
    label: Label | None = None
    confidence: float | None = None
    rationale: str = ""
    tags: tuple[str, ...] = ()
    failure_reason: str = ""
    precedent_entry: int | None = None
    flags: tuple[str, ...] = ()  # what was odd about the reply, as sentences


@dataclass(frozen=True)
class FoundClaim:
    """A claim a judge found in a response; the span is in code points, None where the quote was not found."""

    text: str
    tags: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
    opinion: Opinion | None = None


@dataclass(frozen=True)
class RubricDraft:
    """A drafted rubric entry; an example is None with the reason said."""

    criterion: str
    boundary: str
    dimension: str = ""
    tags: tuple[str, ...] = ()
    positive: RubricExample | None = None
    positive_missing: str = ""
    negative: RubricExample | None = None
    negative_missing: str = ""


@dataclass(frozen=True)
class PromptStamp:
    """Which released prompt file a request was made from."""

    name: str
    version: int
    sha256: str


@dataclass(frozen=True)
class Usage:
    """Tokens a provider reported for one call; cached and written tokens are part of the input tokens.

    Cached ones were read from the provider's own cache, written ones were put into it.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0


@dataclass(frozen=True)
class RateHint:
    """What a server says of its limits with a reply: what is left, and in how many seconds it is full again.

    None means that it does not say.
    """

    requests_left: int | None = None
    tokens_left: int | None = None
    requests_reset: float | None = None
    tokens_reset: float | None = None


@dataclass(frozen=True)
class JudgeSettings:
    """A judge as the LLM layer needs it; the key is looked up from the environment by the caller."""

    name: str
    provider: str
    model: str
    base_url: str = ""
    persona: str = ""
    parameters: Mapping[str, float | int | str] = field(default_factory=dict)


@dataclass(frozen=True)
class PrivacyRules:
    """What is replaced in texts that are sent: e-mail addresses, phone numbers, listed names, names after a title."""

    emails: bool = False
    phones: bool = False
    names: tuple[str, ...] = ()
    titles: bool = False

    @classmethod
    def of(cls, stored: Mapping[str, object]) -> PrivacyRules | None:
        """Return the rules that a project keeps as JSON, None where nothing is to be replaced."""
        listed = stored.get("names")
        names = tuple(str(name) for name in listed) if isinstance(listed, list) else ()
        switches = {name: stored.get(name) is True for name in ("emails", "phones", "titles")}
        return cls(names=names, **switches) if names or any(switches.values()) else None


@dataclass(frozen=True)
class MethodParameters:
    """A project's parameters; stored as JSON, missing keys take these defaults."""

    tau: float = 0.4
    alpha: float = 0.5
    beta: float = 0.5
    neighbours: int = 10
    max_targets: int = 50
    audit_every: int = 10
    policy: str = SelectionPolicy.POSTERIOR_ENTROPY
    next_claim: str = "same_response"  # or "strict_rank"
    decompose: str = "independent"  # or "shared"
    silence_means: str = "not_supported"  # or "unsettled"
    in_between: str = "abstain"  # or "uncertain"
    show_judge_names: bool = False
    rubric_characters: int = 12_000
    samples: int = 1
    both_orders: bool = True
