"""The claims that the current graph joins to one."""

from __future__ import annotations

from django.db.models import Q

from evaluation.models import Claim, ClaimEdge


def neighbours_of(claim: Claim) -> dict[int, float]:
    """Ids of the claims with similar wording with the weights of their edges, the most similar first; one query."""
    edges = ClaimEdge.objects.filter(Q(source=claim) | Q(target=claim), graph__is_current=True)
    rows = edges.order_by("-weight", "pk").values_list("source_id", "target_id", "weight")
    return {target if source == claim.pk else source: weight for source, target, weight in rows}
