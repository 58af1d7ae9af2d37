"""What the batch APIs share: time for large files, and ids that go out and come back."""

from __future__ import annotations

import re
from urllib.parse import quote

TRANSFER_SECONDS = 900.0
_OURS = re.compile(r"[A-Za-z0-9_-]{1,64}")


def checked(custom_id: str) -> str:
    """Return an id as every batch API takes it: up to 64 letters, digits, - and _; raises ValueError for another."""
    if not _OURS.fullmatch(custom_id):
        raise ValueError(f"'{custom_id}' cannot name a request of a batch: use up to 64 letters, digits, - and _")
    return custom_id


def path_step(their_id: str) -> str:
    """Return an id of a server as one step of a path."""
    return quote(their_id, safe="")
