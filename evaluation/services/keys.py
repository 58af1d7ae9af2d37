"""Seals the keys that owners type in: readable with this installation's SECRET_KEY or one of its fallbacks only."""

from __future__ import annotations

import base64
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.views.decorators.debug import sensitive_variables

from evaluation.errors import MissingPieceError

PURPOSE = b"juryflow: keys of judges, 1"
UNREADABLE = (
    "The key that is kept cannot be read: SECRET_KEY is another one than when it was typed. Type the key again on the "
    "judge's page, or put the old SECRET_KEY into SECRET_KEY_FALLBACKS and start again."
)


@sensitive_variables()
def seal(text: str) -> str:
    """Return a key as it may be stored; sealing it twice gives two texts."""
    return _locks().encrypt(text.encode()).decode()


@sensitive_variables()
def open_sealed(text: str) -> str:
    """Return a key that was sealed here. Raises MissingPieceError with what to do where none of the secrets fits."""
    try:
        return _locks().decrypt(text.encode()).decode()
    except InvalidToken as error:
        raise MissingPieceError(UNREADABLE) from error


@sensitive_variables()
def _locks() -> MultiFernet:
    """The present SECRET_KEY seals; it and the earlier ones open."""
    return MultiFernet([_lock(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


@cache
def _lock(secret: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
