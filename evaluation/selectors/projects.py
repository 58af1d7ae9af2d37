"""Projects as a person sees them: which ones, as what, and how much is in them."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from evaluation.models import Claim, Decision, Invitation, Membership, Outcome, Project, Response
from evaluation.selectors import outcomes

Person = AbstractBaseUser | AnonymousUser


@dataclass(frozen=True)
class ProjectRow:
    """One project in a person's list."""

    project: Project
    role: str
    n_responses: int
    n_claims: int
    n_disputed: int


@dataclass(frozen=True)
class FirstPage:
    """The figures of the first page; `n_disputed` counts claims on which the judges split, ruled on or not."""

    n_responses: int
    n_claims: int
    n_disputed: int
    n_judges: int
    n_rulings: int
    first_claim_id: int | None


def memberships(*, user: Person) -> QuerySet[Membership]:
    """The person's memberships with their projects, by name of the project."""
    rows = Membership.objects.select_related("project", "user").order_by("project__name", "pk")
    return rows.filter(user_id=user.pk) if user.pk else rows.none()


def project_rows(*, user: Person) -> list[ProjectRow]:
    """The person's projects with their sizes, in four queries however many there are."""
    found = list(memberships(user=user))
    ids = [membership.project_id for membership in found]
    responses = _counts(Response.objects.filter(project__in=ids))
    claims = _counts(Claim.objects.filter(project__in=ids, is_void=False))
    disputed = _counts(outcomes.disputed().filter(project__in=ids))
    return [
        ProjectRow(
            project=membership.project,
            role=membership.get_role_display(),
            n_responses=responses.get(membership.project_id, 0),
            n_claims=claims.get(membership.project_id, 0),
            n_disputed=disputed.get(membership.project_id, 0),
        )
        for membership in found
    ]


def first_page(*, project: Project) -> FirstPage:
    """Count what the first page speaks of and find the claim that its tour opens."""
    live = Outcome.objects.filter(project=project, claim__is_void=False)
    counted = live.aggregate(n_claims=Count("pk"), n_disputed=Count("pk", filter=Q(pattern__is_candidate=True)))
    ref = project.first_claim_ref
    first = project.claims.filter(external_id=ref).values_list("pk", flat=True).first() if ref else None
    return FirstPage(
        n_responses=project.responses.count(),
        n_claims=counted["n_claims"],
        n_disputed=counted["n_disputed"],
        n_judges=project.judges.filter(is_active=True).count(),
        n_rulings=project.decisions.filter(undo__isnull=True, action=Decision.Action.RULE).count(),
        first_claim_id=first,
    )


def members(*, project: Project) -> list[Membership]:
    """Who is in the project, with `n_rulings` that stand, owners first."""
    counted = Count(
        "user__decisions",
        filter=Q(
            user__decisions__project=project,
            user__decisions__undo__isnull=True,
            user__decisions__action=Decision.Action.RULE,
        ),
        distinct=True,
    )
    rows = project.memberships.select_related("user").annotate(n_rulings=counted)
    return sorted(rows, key=lambda row: (row.role != Membership.Role.OWNER, row.user.get_username()))


def invitation(*, token: str) -> Invitation | None:
    """The invitation with this token if somebody can still use it."""
    usable = Invitation.objects.filter(token=token, used_at__isnull=True, expires_at__gt=timezone.now())
    return usable.select_related("project", "created_by").first()


def joined_by(*, token: str, user: Person) -> Membership | None:
    """The membership that this person got by this invitation; None for anybody else."""
    used = Invitation.objects.filter(token=token, used_by_id=user.pk).values("project") if user.pk else None
    return memberships(user=user).filter(project__in=used).first() if used is not None else None


def open_invitations(*, project: Project) -> QuerySet[Invitation]:
    """Links that somebody can still use."""
    return project.invitations.filter(used_at__isnull=True, expires_at__gt=timezone.now()).select_related("created_by")


def _counts(rows: QuerySet[Response] | QuerySet[Claim] | QuerySet[Outcome]) -> dict[int, int]:
    return dict(rows.order_by().values_list("project_id").annotate(n=Count("pk")))
