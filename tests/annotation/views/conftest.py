"""The browser of somebody who is signed in."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def signed_in(client: Client, owner: User) -> Client:
    """The client, signed in as the owner of the project."""
    client.force_login(owner)
    return client
