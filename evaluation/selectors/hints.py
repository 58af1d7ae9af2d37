"""What a person could do next besides ruling: told now and then, never after each ruling."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.models import RubricEntry
from evaluation.selectors.answers import Reader

RULES_EVERY, OWN_DATA_EVERY = 5, 10


@dataclass(frozen=True)
class Hint:
    """Drafts that wait to be read, and whether the demo has shown enough to go on with one's own data."""

    n_drafts: int
    is_for_own_data: bool


def hint_after(reader: Reader, n_today: int) -> Hint | None:
    """After every fifth ruling of the day the drafts, after every tenth on the demo one's own data."""
    if n_today == 0 or n_today % RULES_EVERY:
        return None
    drafts = reader.project.rubric_entries.filter(status=RubricEntry.Status.DRAFT).count()
    is_for_own_data = reader.project.is_demo and n_today % OWN_DATA_EVERY == 0
    return Hint(drafts, is_for_own_data) if drafts or is_for_own_data else None
