"""Draws the ruled claims on which a rule is tried, the same ones each time, and marks what it was made from."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.models import Claim, Decision, RubricEntry
from evaluation.selectors import outcomes

N_CLAIMS = 20
N_OWN = 5
ELSEWHERE = 4  # one claim in so many has none of the rule's tags: a rule may do harm where it does not belong


@dataclass(frozen=True)
class TrialSample:
    """Ruled claims to try a rule on; `own` are those it was made from, asked too, and counted apart."""

    claims: tuple[Claim, ...]
    own: tuple[Claim, ...]

    @property
    def all(self) -> tuple[Claim, ...]:
        return (*self.claims, *self.own)


def draw(entry: RubricEntry, n: int = N_CLAIMS) -> TrialSample:
    """Draw at most `n` ruled claims, three in four of them with a tag of the rule, and at most five of its own.

    Where one sort is short, the other fills up. The draw depends on the rule and the rulings alone, so that another
    wording is tried on the same claims.
    """
    ruled = _ruled(entry)
    made_from = set(entry.decisions.values_list("claim_id", flat=True))
    quoted = {_plain(text) for text in (entry.positive_example, entry.negative_example) if text.strip()}
    own = [claim for claim in ruled if claim.pk in made_from or _plain(claim.text) in quoted]
    others = [claim for claim in ruled if claim not in own]
    tags = set(entry.tags)
    here = [claim for claim in others if not tags or tags & set(claim.tags)]
    elsewhere = [claim for claim in others if tags and not tags & set(claim.tags)]
    dice = random.Random(entry.pk)
    for claims in (here, elsewhere, own):
        dice.shuffle(claims)
    n_elsewhere = min(len(elsewhere), max(n // ELSEWHERE, n - len(here)))
    chosen = [*here[: n - n_elsewhere], *elsewhere[:n_elsewhere]]
    return TrialSample(_sorted(chosen), _sorted(own[:N_OWN]))


def _ruled(entry: RubricEntry) -> list[Claim]:
    """Claims of the rule's kind that an expert ruled on without following an AI."""
    rows = outcomes.ruled(entry.project).filter(claim__kind=entry.kind, decision__action=Decision.Action.RULE)
    claims = Claim.objects.filter(pk__in=rows.values("claim"))
    related = ("response__project", "response__instance", "second_response", "instance", "project")
    return list(claims.select_related(*related).order_by("pk"))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _sorted(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    return tuple(sorted(claims, key=lambda claim: (claim.response_id, claim.position, claim.pk)))
