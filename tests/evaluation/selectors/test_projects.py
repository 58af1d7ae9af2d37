"""Projects as a person sees them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from evaluation.models import Decision, Invitation
from evaluation.selectors import projects
from evaluation.services import decisions
from evaluation.services import projects as project_services
from evaluation.services.decisions import Ruling
from tests.factories import (
    make_claim,
    make_disputed,
    make_draw,
    make_judges,
    make_member,
    make_project,
    make_user,
    rule,
    vote,
)

pytestmark = pytest.mark.django_db


def test_a_row_counts_what_is_still_disputed() -> None:
    user = make_user()
    project = make_project(owner=user)
    claims = make_disputed(project, make_judges(project), 3)
    rule(claims[0], user)

    row = projects.project_rows(user=user)[0]

    assert (row.role, row.n_claims, row.n_responses, row.n_disputed) == ("Owner", 3, 3, 2)


def test_nobody_has_no_projects() -> None:
    make_project(owner=make_user())

    assert projects.project_rows(user=AnonymousUser()) == []


def test_first_page_counts_disputed_claims_ruled_on_or_not() -> None:
    user = make_user()
    project = make_project(owner=user)
    judges = make_judges(project)
    claims = make_disputed(project, judges, 2)
    vote(make_claim(project), dict.fromkeys(judges, "accept"))
    rule(claims[0], user)

    figures = projects.first_page(project=project)

    assert (figures.n_claims, figures.n_disputed, figures.n_judges, figures.n_rulings) == (3, 2, 3, 1)
    assert figures.first_claim_id is None


def test_owners_are_listed_first() -> None:
    project = make_project()
    make_member(project, make_user("ana"))
    make_member(project, make_user("zoe"), role="owner")

    assert [row.user.username for row in projects.members(project=project)] == ["zoe", "ana"]


@pytest.mark.parametrize("change", [{"used_at": timezone.now()}, {"expires_at": timezone.now() - timedelta(hours=1)}])
def test_used_and_expired_invitations_are_not_open(change: dict[str, object]) -> None:
    owner = make_user()
    project = make_project(owner=owner)
    fields = {"expires_at": timezone.now() + timedelta(days=1), **change}
    made = Invitation.objects.create(project=project, role="expert", created_by=owner, **fields)

    assert not projects.open_invitations(project=project).exists()
    assert projects.invitation(token=made.token) is None


def test_members_are_counted_with_rulings_only() -> None:
    owner = make_user()
    project = make_project(owner=owner)
    ruled, passed = make_disputed(project, make_judges(project), 2)
    rule(ruled, owner)
    decisions.record(draw=make_draw(passed, owner), ruling=Ruling(action=Decision.Action.CANNOT_JUDGE))

    members = projects.members(project=project)

    assert [member.n_rulings for member in members] == [1]  # type: ignore[attr-defined]


def test_a_used_invitation_leads_only_its_user_to_the_project() -> None:
    owner = make_user()
    invitation = project_services.invite(project=make_project(owner=owner), role="expert", by=owner)
    ana, bea = make_user(), make_user()
    member = project_services.accept_invitation(token=invitation.token, user=ana)

    found = [projects.joined_by(token=invitation.token, user=user) for user in (ana, bea, AnonymousUser())]

    assert found == [member, None, None]
