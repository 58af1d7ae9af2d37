"""Plans the calls of a run: which judge is asked about which claims, read from the database in a few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from evaluation.methods.juryflow import CLAIMS_PER_CALL
from evaluation.models import Claim, Job, Judge, Project, Response
from evaluation.schemas import PresentationOrder
from evaluation.services import verdicts
from evaluation.services.verdicts import Answered

BOTH_ORDERS = (PresentationOrder.AS_GIVEN, PresentationOrder.SWAPPED)


@dataclass(frozen=True)
class Step:
    """A job that is to be made."""

    task: str
    key: str
    judge: Judge
    response: Response
    order: str = PresentationOrder.AS_GIVEN
    claims: tuple[Claim, ...] = ()


def plan(project: Project, panel: Sequence[Judge], decompose: str, *, again: bool = False) -> Iterator[Step]:
    """Every step that is missing: cut what has no claims, vote on claims without a vote of a judge.

    The number of queries does not grow with the project.
    """
    claims_of: dict[int, list[Claim]] = defaultdict(list)
    in_pairs: set[int] = set()
    for claim in project.claims.order_by("position", "pk"):
        claims_of[claim.response_id].append(claim)
        if claim.second_response_id:
            in_pairs |= {claim.response_id, claim.second_response_id}
    answered: Answered = frozenset() if again else verdicts.answered(project.claims.all())
    responses = project.responses.select_related("instance", "project").prefetch_related("instance__documents")
    for response in responses:
        claims = [claim for claim in claims_of[response.pk] if not claim.is_void]
        if claims_of[response.pk]:
            for judge in panel if claims else ():
                yield from voting_steps(response, claims, judge, answered)
        elif response.text.strip() and response.pk not in in_pairs:
            for judge in panel[:1] if decompose == "shared" else panel:
                yield Step(Job.Task.DECOMPOSE, f"decompose/{response.pk}/{judge.pk}", judge, response)


def voting_steps(
    response: Response, claims: Collection[Claim], judge: Judge, answered: Answered = frozenset()
) -> Iterator[Step]:
    """Calls in which one judge votes on claims of one response: twenty statements a call, a pair in both orders."""
    statements = [claim for claim in claims if claim.kind == Claim.Kind.STATEMENT]
    wanted = [claim for claim in statements if (claim.pk, judge.pk, PresentationOrder.AS_GIVEN) not in answered]
    for start in range(0, len(wanted), CLAIMS_PER_CALL):
        chunk = tuple(wanted[start : start + CLAIMS_PER_CALL])
        yield Step(Job.Task.JUDGE, f"judge/{judge.pk}/{chunk[0].pk}-{len(chunk)}", judge, response, claims=chunk)
    for claim in (each for each in claims if each.kind == Claim.Kind.PREFERENCE):
        for order in BOTH_ORDERS:
            if (claim.pk, judge.pk, order) not in answered:
                key = f"judge/{judge.pk}/{claim.pk}/{order}"
                yield Step(Job.Task.JUDGE, key, judge, response, order, (claim,))
