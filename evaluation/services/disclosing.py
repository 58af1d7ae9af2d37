"""What of a rule is sent to whom, what in it may be private, and taking that out before the rule is adopted."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from string import ascii_uppercase

from django.contrib.auth.models import User

from evaluation.errors import InvalidInputError
from evaluation.language.personal import EMAIL, NAME, PHONE
from evaluation.language.private import Private, find_private
from evaluation.models import Judge, Project, RubricEntry
from evaluation.services import judges, privacy, rubric, rubric_prompt
from evaluation.services.rubric_support import EntryText

TEXTS = ("criterion", "boundary", "positive_example", "negative_example")
PLACEHOLDERS = {NAME: "name", EMAIL: "e-mail", PHONE: "phone number"}


@dataclass(frozen=True)
class Disclosure:
    """Where a rule's text goes, how much room it takes among the rules in force, and what in it may be private.

    With `is_masked` the project replaces some of that anyway before it sends a text.
    """

    recipients: tuple[str, ...]
    is_masked: bool
    has_offline: bool
    n_tokens: int
    n_tokens_for_all: int
    private: tuple[Private, ...]


def disclosure(*, entry: RubricEntry) -> Disclosure:
    """Say who reads the rule and what to look at before it is adopted; one query."""
    readers = judges.askable(entry.project)
    return Disclosure(
        recipients=_recipients(readers),
        is_masked=privacy.rules_of(entry.project) is not None,
        has_offline=any(judge.is_offline for judge in readers),
        n_tokens=rubric_prompt.tokens_of(entry),
        n_tokens_for_all=rubric_prompt.budget_of(entry.project),
        private=_private(entry),
    )


def recipients(project: Project) -> tuple[str, ...]:
    """Who is sent the rules of a project: the active judges of providers, each with its model and host."""
    return _recipients(judges.askable(project))


def _recipients(readers: Iterable[Judge]) -> tuple[str, ...]:
    return tuple(judges.recipient(judge) for judge in readers if judges.is_remote(judge))


def redact(*, entry: RubricEntry, written: Collection[str], by: User) -> RubricEntry:
    """Put placeholders in the place of what is ticked, in all texts of the rule, as a new wording.

    The same name gets the same letter. Raises InvalidInputError where nothing is ticked that the rule holds.
    """
    ticked = [found for found in _private(entry) if found.text in set(written)]
    if not ticked:
        raise InvalidInputError("Tick at least one thing to replace that the rule still holds.")
    names = [found.text for found in ticked if found.kind == NAME]
    stand_ins = {found.text: f"[{PLACEHOLDERS[found.kind]}]" for found in ticked}
    if len(names) > 1:
        stand_ins |= {name: f"[name {_letter(place)}]" for place, name in enumerate(names)}
    longest_first = sorted(stand_ins, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in longest_first))
    texts = {name: pattern.sub(lambda found: stand_ins[found[0]], getattr(entry, name)) for name in TEXTS}
    before = EntryText(**{name: getattr(entry, name) for name in TEXTS}, dimension=entry.dimension)
    return rubric.edit(entry=entry, text=replace(before, **texts, tags=tuple(entry.tags)), by=by)


def _letter(place: int) -> str:
    """A letter, and a number after the last one: `[name 1]` is what masked names are called on their way."""
    return ascii_uppercase[place] if place < len(ascii_uppercase) else str(place + 1)


def _private(entry: RubricEntry) -> tuple[Private, ...]:
    """In the order of the texts, each once."""
    rules = privacy.rules_of(entry.project)
    listed = rules.names if rules else ()
    found = (private for name in TEXTS for private in find_private(getattr(entry, name), listed))
    answers = set(entry.project.label_words(entry.kind).values())  # a drafted rule quotes them: "Supported"
    return tuple({private.text: private for private in found if private.text not in answers}.values())
