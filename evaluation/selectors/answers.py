"""Votes and current answers as an expert reads them: dots, words and shapes, never a percentage."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from evaluation.algorithms.voters import leading_labels
from evaluation.models import Decision, Outcome, Project, VotePattern
from evaluation.schemas import ClaimKind, Label, OutcomeSource, OutcomeState
from evaluation.selectors import outcomes

WARM_UP = 20
WHOLE = 0.999  # a smaller share is that of one of several samples
MOSTLY, CLEARLY = 0.83, 0.995  # without rulings: one vote ahead leans, near-unanimity is clear
SET_ASIDE = {Decision.Action.VOID: "Not a claim", Decision.Action.CANNOT_JUDGE: "I cannot judge this"}
_MIRROR = {Label.FIRST: Label.SECOND, Label.SECOND: Label.FIRST}


@dataclass(frozen=True)
class Shown:
    """A label as one person sees it: `value` is what the form posts, `slot` its place and key."""

    value: str
    words: str
    slot: int


TORN = Shown("", "torn between answers", 0)


@dataclass(frozen=True)
class Split:
    """A panel's votes: one dot a voter, majority first, and the same in words.

    `wavering` says how many voters did not say the same each time they were asked; empty where all did.
    """

    dots: tuple[Shown, ...]
    words: str
    n_cast: int
    wavering: str = ""


@dataclass(frozen=True)
class Answer:
    """What holds true of a claim now, in words; hollow while track records are still settling."""

    state: str
    phrase: str
    slot: int
    is_hollow: bool

    @property
    def is_leaning(self) -> bool:
        """Whether the panel leans one way and nobody has settled the claim."""
        return self.state == OutcomeState.OPEN


@dataclass(frozen=True)
class Reader:
    """A person reading claims of a project: which words stand where, and whether leaning answers are hollow."""

    project: Project
    user_id: int
    n_rulings: int

    @property
    def is_settling(self) -> bool:
        return self.n_rulings < WARM_UP

    def sees_swapped(self, kind: str, claim_id: int) -> bool:
        """Whether this person sees the second answer of the pair on the left; the same every time."""
        if kind != ClaimKind.PREFERENCE:
            return False
        return hashlib.sha256(f"{self.user_id}:{claim_id}".encode()).digest()[0] % 2 == 1

    def words(self, kind: str, claim_id: int) -> dict[str, Shown]:
        """Each stored label of a claim as this person sees it, in the order of the keys."""
        is_swapped = self.sees_swapped(kind, claim_id)
        shown = self._shown(kind)
        return {_mirrored(value) if is_swapped else value: label for value, label in shown.items()}

    def unplaced_words(self, kind: str) -> dict[str, Shown]:
        """Labels for several claims at once: sides differ from claim to claim, so pairs say first and second."""
        names = {Label.FIRST: "First in the file", Label.SECOND: "Second in the file"}
        return {
            value: Shown(value, names.get(Label(value), label.words), label.slot)
            for value, label in self._shown(kind).items()
        }

    def stored_label(self, kind: str, claim_id: int, posted: str) -> str:
        """The label that is stored for what this person chose on the screen."""
        return _mirrored(posted) if self.sees_swapped(kind, claim_id) else posted

    def _shown(self, kind: str) -> dict[str, Shown]:
        words = self.project.label_words(kind)
        return {str(label): Shown(str(label), text, slot) for slot, (label, text) in enumerate(words.items(), start=1)}


def reader(project: Project, user_id: int) -> Reader:
    """Return how this person reads the project; one query."""
    return Reader(project, user_id, n_rulings(project))


def n_rulings(project: Project) -> int:
    """How many standing rulings count for track records; void claims and adopted opinions do not."""
    return outcomes.ruled(project).count()


def split_of(votes: Sequence[Sequence[object]], words: Mapping[str, Shown]) -> Split:
    """Dots and words for stored votes; a voter that was asked several times has the dot of what it said most often."""
    leading = leading_labels(votes)
    counts = Counter(leading.values())
    shown = {**words, "": TORN}
    order = sorted(counts, key=lambda label: (label == "", -counts[label], shown[label].slot))
    dots = tuple(shown[label] for label in order for _ in range(counts[label]))
    said = " · ".join(f"{counts[label]} {shown[label].words}" for label in order)
    n_wavering = len({str(vote[0]) for vote in votes if float(str(vote[2])) < WHOLE})
    return Split(dots, said, len(leading), f"{n_wavering} not the same each time" if n_wavering else "")


def panel_answer(state: str, label: str, strength: str, words: Mapping[str, Shown], *, is_hollow: bool) -> Answer:
    """A panel's answer in words; `strength` is leans, mostly or clearly."""
    shown = words.get(label)
    match state:
        case OutcomeState.UNJUDGED:
            return Answer(state, "not judged yet", 0, is_hollow=True)
        case OutcomeState.SPLIT:
            return Answer(state, "a tie", 0, is_hollow=True)
        case OutcomeState.THIN:
            return Answer(state, f"one vote only: {_quoted(shown)}", _slot(shown), is_hollow=True)
    return Answer(state, f"{strength} {_quoted(shown)}", _slot(shown), is_hollow)


def answer_of(outcome: Outcome, words: Mapping[str, Shown], *, is_settling: bool) -> Answer:
    """The current answer of a claim; needs `claim`, `pattern` and `decision__expert` selected."""
    if outcome.claim.is_void:
        return Answer(OutcomeState.VOID, "Not a claim", 0, is_hollow=True)
    shown = words.get(outcome.label)
    if outcome.source == OutcomeSource.EXPERT:
        who = display_name(outcome.decision) if outcome.decision else "an expert"
        return Answer(OutcomeState.DECIDED, f"settled by {who}: {_quoted(shown)}", _slot(shown), is_hollow=False)
    if outcome.source == OutcomeSource.REVIEWER:
        phrase = f"{_quoted(shown)}, from an accepted second look"
        return Answer(OutcomeState.DECIDED, phrase, _slot(shown), is_hollow=False)
    pattern = outcome.pattern
    return panel_answer(pattern.state, pattern.label, strength_of(pattern), words, is_hollow=is_settling)


def strength_of(pattern: VotePattern) -> str:
    """How far the panel's support points one way, as a word."""
    top = max((float(share) for share in pattern.support.values()), default=0.0)
    if top >= CLEARLY:
        return "clearly"
    return "mostly" if top >= MOSTLY else "leans"


def display_name(decision: Decision) -> str:
    """The name of the expert who made a ruling."""
    return name_of(decision.expert)


def ruling_words(reader: Reader, decision: Decision) -> str:
    """What an expert ruled, as this person reads it: the answer, or how the claim was set aside."""
    if decision.action != Decision.Action.RULE:
        return SET_ASIDE[Decision.Action(decision.action)]
    shown = reader.words(decision.claim.kind, decision.claim_id).get(decision.label)
    return shown.words if shown else decision.label


def name_of(user: User) -> str:
    """The name a person goes by."""
    return user.get_full_name() or user.get_username()


def _mirrored(label: str) -> str:
    return str(_MIRROR.get(Label(label), label))


def _quoted(shown: Shown | None) -> str:
    return f"“{shown.words}”" if shown else "no answer"


def _slot(shown: Shown | None) -> int:
    return shown.slot if shown else 0
