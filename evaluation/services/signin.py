"""Sign-in links for people who run JuryFlow themselves: one use, one day."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from sesame.utils import get_token

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
