"""Which rubric entries a judge reads: those in force, the likest first, as far as they fit; the others are named."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from evaluation.errors import InvalidInputError
from evaluation.methods.juryflow_rubric import fitting, rubric_tokens
from evaluation.models import Claim, Project, RubricEntry
from evaluation.schemas import Label, RubricExample, RubricText
from evaluation.services.rubric_likeness import Likeness

CHARACTERS_PER_TOKEN = 4
NAME_CHARACTERS = 60
NAMED_IN_WORDS = 12
MAX_REMEMBERED = 4_096


@dataclass(frozen=True)
class Shown:
    """What a judge reads: entries in full, and the names of those in force that did not fit."""

    entries: tuple[RubricText, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Rule:
    """An entry as it stands on the shelf, with the room it takes in a prompt."""

    text: RubricText
    tokens: int

    def distance(self, tags: Set[str]) -> int:
        """0: it shares a tag with the claims. 1: it applies to all claims. 2: it speaks of something else."""
        if not self.text.tags:
            return 1
        return 2 if tags.isdisjoint(self.text.tags) else 0


class Shelf:
    """The entries in force for one kind of claim, read once and chosen from for every call."""

    def __init__(
        self, project: Project, rules: Sequence[_Rule], likeness: Likeness | None, tried: _Rule | None = None
    ) -> None:
        self._project = project
        self._rules = tuple(rules)
        self._tried = tried
        self._budget = budget_of(project)
        self._likeness = likeness
        self._remembered: dict[frozenset[str], Shown] = {}

    def choose(self, claims: Sequence[Claim] = (), tags: Set[str] = frozenset()) -> Shown:
        """Entries for a call about these claims: by tag, then by likeness of wording, then by age."""
        likeness = self._likeness.to_claims([claim.pk for claim in claims]) if self._likeness and claims else None
        if likeness is not None:
            return self._chosen(tags, likeness)
        key = frozenset(tags)
        if key not in self._remembered:
            if len(self._remembered) >= MAX_REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = self._chosen(tags, {})
        return self._remembered[key]

    def trying(self, *, with_entry: int | None = None, without_entry: int | None = None, **_others: object) -> Shelf:
        """The shelf as it would be with an entry that is tried, which is always read, or without one.

        Takes the options of a job as they are. Raises InvalidInputError where the entry is gone.
        """
        if with_entry is None and without_entry is None:
            return self
        rules = [rule for rule in self._rules if rule.text.entry_id not in (with_entry, without_entry)]
        tried = None
        if with_entry is not None:
            entry = self._project.rubric_entries.filter(pk=with_entry).first()
            if entry is None:
                raise InvalidInputError(f"Rule {with_entry} is gone: start the trial again with another one.")
            tried = _rule(entry)
        return Shelf(self._project, rules, self._likeness, tried)

    def _chosen(self, tags: Set[str], likeness: dict[int, float]) -> Shown:
        ordered = sorted(
            self._rules,
            key=lambda rule: (rule.distance(tags), -likeness.get(rule.text.entry_id, 0.0), rule.text.entry_id),
        )
        if self._tried is not None:
            ordered.insert(0, self._tried)
        tokens = [rule.tokens for rule in ordered]
        if self._tried is not None:
            tokens[0] = min(tokens[0], self._budget)
        fits = fitting(tokens, self._budget)
        entries = tuple(rule.text for rule, is_in in zip(ordered, fits, strict=True) if is_in)
        return Shown(entries, names_of([rule.text for rule, is_in in zip(ordered, fits, strict=True) if not is_in]))


def load(project: Project, kind: str) -> Shelf:
    """Read the entries in force for a kind of claim; vectors are read only where not every entry fits."""
    active = project.rubric_entries.filter(status=RubricEntry.Status.ACTIVE, kind=kind).order_by("pk")
    rules = [_rule(entry) for entry in active]
    is_tight = sum(rule.tokens for rule in rules) > budget_of(project)
    likeness = Likeness(project, [rule.text for rule in rules]) if is_tight else None
    return Shelf(project, rules, likeness)


def budget_of(project: Project) -> int:
    """How many tokens of a prompt the rules may take together."""
    return project.method_parameters.rubric_characters // CHARACTERS_PER_TOKEN


def tokens_of(entry: RubricEntry) -> int:
    """About how many tokens of a prompt an entry takes."""
    return rubric_tokens(as_text(entry))


def names_of(entries: Sequence[RubricText]) -> tuple[str, ...]:
    """How entries that are not shown are named: by number, the first ones with their opening words, too."""
    return tuple(
        f"rule {entry.entry_id} ({shortened(entry.criterion)})" if place < NAMED_IN_WORDS else f"rule {entry.entry_id}"
        for place, entry in enumerate(entries)
    )


def shortened(criterion: str) -> str:
    """The opening words of a rule, on one line."""
    words = " ".join(criterion.split())
    return words if len(words) <= NAME_CHARACTERS else f"{words[:NAME_CHARACTERS].rstrip()}…"


def as_text(entry: RubricEntry) -> RubricText:
    """An entry as judges read it."""
    positive = RubricExample(entry.positive_example, Label(entry.positive_label)) if entry.positive_example else None
    negative = RubricExample(entry.negative_example, Label(entry.negative_label)) if entry.negative_example else None
    tags = tuple(entry.tags)
    return RubricText(entry.pk, entry.version, entry.criterion, entry.boundary, tags, positive, negative)


def _rule(entry: RubricEntry) -> _Rule:
    text = as_text(entry)
    return _Rule(text, rubric_tokens(text))
