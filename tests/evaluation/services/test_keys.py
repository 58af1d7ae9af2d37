"""Keys that owners type: sealed under SECRET_KEY, opened with it or an earlier one, and with nothing else."""

from __future__ import annotations

import base64
import hashlib
import traceback
from collections.abc import Callable

import pytest
from cryptography.fernet import Fernet, InvalidToken
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from evaluation.errors import MissingPieceError
from evaluation.services import keys

KEY = "sk-test-4f1c9a"
SURROGATES = ("Cs",)


@given(st.text(st.characters(blacklist_categories=SURROGATES), max_size=200))
def test_what_is_sealed_opens_again_and_is_not_seen_from_outside(text: str) -> None:
    sealed = keys.seal(text)

    assert keys.open_sealed(sealed) == text
    assert len(text) < 3 or text not in sealed


def test_the_same_key_sealed_twice_cannot_be_told_to_be_the_same() -> None:
    assert keys.seal(KEY) != keys.seal(KEY)


def test_an_earlier_secret_still_opens_what_it_sealed(settings: Settings) -> None:
    sealed = keys.seal(KEY)
    settings.SECRET_KEY_FALLBACKS = ["the one before", settings.SECRET_KEY]
    settings.SECRET_KEY = "a new secret"

    assert keys.open_sealed(sealed) == KEY
    settings.SECRET_KEY_FALLBACKS = []
    assert keys.open_sealed(keys.seal(KEY)) == KEY


def test_another_secret_does_not_open_it_and_says_what_to_do(settings: Settings) -> None:
    sealed = keys.seal(KEY)
    settings.SECRET_KEY = "a new secret"

    with pytest.raises(MissingPieceError, match=r"Type the key again .* SECRET_KEY_FALLBACKS") as caught:
        keys.open_sealed(sealed)

    told = "".join(traceback.format_exception(caught.value))
    assert KEY not in told
    assert "a new secret" not in told


@pytest.mark.parametrize(
    "damage", [lambda sealed: sealed[:-5], lambda sealed: "x" + sealed, lambda _: "", lambda _: "é"]
)
def test_what_was_changed_since_does_not_open(damage: Callable[[str], str]) -> None:
    with pytest.raises(MissingPieceError):
        keys.open_sealed(damage(keys.seal(KEY)))


def test_the_lock_is_no_other_use_of_the_secret(settings: Settings) -> None:
    plain = base64.urlsafe_b64encode(hashlib.sha256(settings.SECRET_KEY.encode()).digest())

    with pytest.raises(InvalidToken):
        Fernet(plain).decrypt(keys.seal(KEY).encode())
