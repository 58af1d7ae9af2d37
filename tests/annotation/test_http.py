"""Who may see a page, and how a fragment is told from a page."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.test import RequestFactory

from annotation.http import errors_as_messages, is_fragment, member_page, owner_page
from evaluation.errors import ConflictError
from evaluation.models import Membership, Project
from tests.factories import make_member, make_project, make_user


@member_page
def greet(request: HttpRequest, membership: Membership, number: int = 0) -> HttpResponse:
    return HttpResponse(f"{membership.project.name} {number}")


@owner_page
def rule_all(request: HttpRequest, membership: Membership) -> HttpResponse:
    return HttpResponse("done")


def refuse() -> None:
    raise ConflictError("Somebody else was faster.")


@pytest.fixture
def request_(rf: RequestFactory) -> HttpRequest:
    request = rf.get("/p/x/?a=1")
    request.user = AnonymousUser()
    return request


@pytest.mark.django_db
def test_it_gives_the_view_the_membership_and_the_other_ids(request_: HttpRequest) -> None:
    member = make_member(make_project("Memos"))
    request_.user = member.user

    answer = greet(request_, slug=member.project.slug, number=7)

    assert answer.getvalue() == b"Memos 7"


@pytest.mark.django_db
def test_a_stranger_finds_nothing(request_: HttpRequest) -> None:
    request_.user = make_user()

    with pytest.raises(Http404):
        greet(request_, slug=make_project().slug)


@pytest.mark.django_db
def test_an_expert_is_told_that_an_owner_is_needed(request_: HttpRequest) -> None:
    member = make_member(make_project("Memos"))
    request_.user = member.user

    with pytest.raises(PermissionDenied, match="Only an owner of Memos can do this"):
        rule_all(request_, slug=member.project.slug)


@pytest.mark.django_db
def test_an_owner_may_do_what_owners_do(request_: HttpRequest) -> None:
    member = make_member(make_project(), role="owner")
    request_.user = member.user

    assert rule_all(request_, slug=member.project.slug).status_code == 200


def test_signing_in_leads_back_to_the_page(request_: HttpRequest) -> None:
    answer = greet(request_, slug="x")

    assert answer.headers["Location"].endswith("?next=/p/x/%3Fa%3D1")


@pytest.mark.parametrize(
    ("headers", "is_part"),
    [
        ({}, False),
        ({"HX-Request": "true"}, True),
        ({"HX-Request": "true", "HX-Boosted": "true"}, False),
        ({"HX-Request": "true", "HX-History-Restore-Request": "true"}, False),
    ],
)
def test_a_fragment_is_asked_for_by_htmx_only(headers: dict[str, str], is_part: bool, rf: RequestFactory) -> None:
    assert is_fragment(rf.get("/", headers=headers)) is is_part


def test_a_refusal_becomes_a_message(request_: HttpRequest) -> None:
    request_._messages = CookieStorage(request_)  # type: ignore[attr-defined]

    with errors_as_messages(request_):
        refuse()

    assert [str(message) for message in get_messages(request_)] == ["Somebody else was faster."]


def test_other_errors_are_not_hidden(request_: HttpRequest) -> None:
    with pytest.raises(ZeroDivisionError), errors_as_messages(request_):
        raise ZeroDivisionError


@member_page
def read_what_is_gone(request: HttpRequest, membership: Membership, *, is_removed: bool) -> HttpResponse:
    if is_removed:
        membership.project.delete()
    Project.objects.get(pk=0)
    return HttpResponse()


@pytest.mark.django_db
def test_a_project_removed_while_its_page_is_made_is_not_found(request_: HttpRequest) -> None:
    member = make_member(make_project("Memos"))
    request_.user = member.user

    with pytest.raises(Project.DoesNotExist):
        read_what_is_gone(request_, slug=member.project.slug, is_removed=False)
    with pytest.raises(Http404, match="was removed"):
        read_what_is_gone(request_, slug=member.project.slug, is_removed=True)
