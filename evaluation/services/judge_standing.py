"""How each judge stands: whether it can be asked, with which key, where its text goes and at what price."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.errors import MissingPieceError
from evaluation.llm.pricing import PriceCard
from evaluation.models import Judge, Project
from evaluation.services import judges, prices, receivers

KEPT, FOUND, MISSING, UNREADABLE, NONE = "kept", "found", "missing", "unreadable", ""


@dataclass(frozen=True)
class Standing:
    """A judge as owners see it; `key` is kept, found, missing, unreadable or "", `card` None where no price is known.

    `receiver` is empty for a judge that sends nothing to anybody.
    """

    receiver: str
    may_see_text: bool
    key: str
    key_problem: str
    card: PriceCard | None


def standings(project: Project) -> dict[int, Standing]:
    """How every judge of the project stands, by id; three queries."""
    rows = list(project.judges.all())
    allowed = Project.objects.values_list("allowed_providers", flat=True).get(pk=project.pk)
    cards = prices.cards(rows)
    return {
        judge.pk: Standing(
            receiver=receivers.receiver_of(judge),
            may_see_text=receivers.is_allowed(judge, allowed),
            key=_key(judge),
            key_problem=judges.key_problem(judge),
            card=cards[judge.pk],
        )
        for judge in rows
    }


def _key(judge: Judge) -> str:
    if not judges.is_remote(judge):
        return NONE
    if judge.encrypted_key:
        return UNREADABLE if _is_unreadable(judge) else KEPT
    if not judge.key_name:
        return NONE
    return FOUND if judges.key_of(judge) else MISSING


def _is_unreadable(judge: Judge) -> bool:
    try:
        return judges.key_of(judge) is None
    except MissingPieceError:
        return True
