"""Sign-in links, for who runs JuryFlow and for people whom an owner lets in again: one use, one day."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from sesame.utils import get_token

from evaluation.errors import NotAllowedError
from evaluation.models import Membership
from evaluation.services import projects

OWNER_NAME = "owner"


def owner() -> User:
    """Return who owns this installation: its first active superuser, made without a password where there is none."""
    with transaction.atomic():
        found = User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
        if found is not None:
            return found
        taken = User.objects.filter(username=OWNER_NAME).exists()
        return User.objects.create_superuser(
            username=f"{OWNER_NAME}-{User.objects.count()}" if taken else OWNER_NAME, first_name="Owner"
        )


def link_for(user: User, base_url: str) -> str:
    """Return an address that signs `user` in when it is opened, once, within a day.

    Any sign-in of that user uses up every link made before it.
    """
    return base_url.rstrip("/") + reverse("start", args=[get_token(user)])


def link_by_owner(*, member: Membership, by: User, base_url: str) -> str:
    """Make a link with which a member of one's own project signs in, as `link_for` does.

    Who holds it is that person everywhere. So it is refused for superusers and for people of projects that `by` does
    not own, unless `by` is a superuser. Raises NotAllowedError.
    """
    projects.require_owner(member.project, by)
    person = member.user
    if not by.is_superuser and person != by:
        if person.is_superuser:
            raise NotAllowedError(f"“{person}” administers JuryFlow: `make link` on the server prints a link for them.")
        owned = by.memberships.filter(role=Membership.Role.OWNER).values("project")
        if person.memberships.exclude(project__in=owned).exists():
            raise NotAllowedError(
                f"“{person}” is in a project that you do not own, which the link would open too: "
                f"let whoever runs JuryFlow make it, with `manage.py link --user {person}`."
            )
    return link_for(person, base_url)
