"""Makes projects, lets people join them, and removes them with everything in them."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from evaluation.errors import ConflictError, InvalidInputError, NotAllowedError
from evaluation.models import Invitation, Membership, Project
from evaluation.schemas import ClaimKind

INVITATION_DAYS = 7


def create(*, name: str, owner: User, kind: str = "statement", question: str = "", guidelines: str = "") -> Project:
    """Make a project with its owner. Raises InvalidInputError for an empty or overlong name or an unknown kind."""
    name = name.strip()
    if not name or len(name) > 200 or "\x00" in name:
        raise InvalidInputError("A project needs a name of at most 200 characters.")
    if "\x00" in question + guidelines:
        raise InvalidInputError("The question or the guidelines hold a NUL character: remove it.")
    if kind not in set(ClaimKind):
        raise InvalidInputError(f"“{kind}” is not a kind of claim: choose statement or preference.")
    project = Project(name=name, guidelines=guidelines, created_by=owner)
    if question.strip():
        project.questions = {**project.questions, kind: question.strip()}
    try:
        _save(project, _free_slug(name), owner)
    except IntegrityError:  # a project of that name was made in the same moment
        _save(project, f"{_base(name)}-{secrets.token_hex(4)}", owner)
    return project


def _save(project: Project, slug: str, owner: User) -> None:
    with transaction.atomic():
        project.slug = slug
        project.save()
        Membership.objects.create(project=project, user=owner, role=Membership.Role.OWNER)


def _base(name: str) -> str:
    return slugify(name)[:60] or "project"


def _free_slug(name: str) -> str:
    base = _base(name)
    taken = set(Project.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    number, slug = 1, base
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug


def hold(project: Project) -> None:
    """Lock the project's row until the transaction ends, so that two events on it follow one another."""
    Project.objects.select_for_update().get(pk=project.pk)


def require_owner(project: Project, user: User) -> None:
    """Raise NotAllowedError unless the user owns the project or is a superuser."""
    is_owner = project.memberships.filter(user=user, role=Membership.Role.OWNER).exists()
    if not (is_owner or user.is_superuser):
        raise NotAllowedError(f"Only an owner of “{project}” may do this: ask one of its owners.")


def invite(*, project: Project, role: str, by: User) -> Invitation:
    """Make a link that lets one person join; it works for a week. Raises NotAllowedError and InvalidInputError."""
    require_owner(project, by)
    if role not in Membership.Role.values:
        raise InvalidInputError(f"“{role}” is not a role: choose {' or '.join(Membership.Role.values)}.")
    expires = timezone.now() + timedelta(days=INVITATION_DAYS)
    return Invitation.objects.create(project=project, role=role, created_by=by, expires_at=expires)


def accept_invitation(*, token: str, user: User | None, display_name: str = "") -> Membership:
    """Join by an invitation; somebody who is not signed in gets a new account under the given name.

    Raises InvalidInputError where the link is unknown, expired or used up, or the name is empty or taken.
    """
    with transaction.atomic():
        invitation = Invitation.objects.select_for_update().filter(token=token).select_related("project").first()
        if invitation is None:
            raise InvalidInputError("This invitation does not exist: ask for a new link.")
        if invitation.used_at or invitation.expires_at < timezone.now():
            raise InvalidInputError("This invitation was used or has expired: ask for a new link.")
        member = user or _new_user(display_name)
        membership, is_new = Membership.objects.get_or_create(
            project=invitation.project, user=member, defaults={"role": invitation.role}
        )
        if not is_new:
            raise ConflictError(f"You are a member of “{invitation.project}” already.")
        Invitation.objects.filter(pk=invitation.pk).update(used_at=timezone.now(), used_by=member)
    return membership


def _new_user(display_name: str) -> User:
    name = " ".join(display_name.split())
    if len(name) > 100 or "\x00" in name or not any(character.isalnum() for character in name):
        raise InvalidInputError("Please give the name that others will see, at most 100 characters.")
    if User.objects.filter(username__iexact=name).exists():
        raise InvalidInputError(_name_taken(name))
    user = User(username=name, first_name=name[:150])
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise InvalidInputError(_name_taken(name)) from error
    return user


def _name_taken(name: str) -> str:
    return f"Somebody is called “{name}” already: add a letter or your surname."


def remove(*, project: Project, by: User) -> None:
    """Delete a project and everything in it. Raises NotAllowedError unless `by` owns it."""
    require_owner(project, by)
    with transaction.atomic():
        hold(project)
        # a call points to its judge: with the judges locked, a worker notes none between counting and deleting
        list(project.judges.select_for_update().order_by("pk"))
        project.delete()
