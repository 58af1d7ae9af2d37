"""Links made at a loopback address work on this computer only."""

from __future__ import annotations

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from annotation.addresses import is_for_this_computer_only


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1:8000", True),
        ("127.8.8.8", True),
        ("[::1]:8000", True),
        ("localhost:8000", True),
        ("192.168.1.20:8000", False),
        ("jury.example", False),
        ("localhost.example", False),
    ],
)
def test_a_loopback_address_is_known(settings: Settings, host: str, *, expected: bool) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    request = RequestFactory(HTTP_HOST=host).get("/")

    assert is_for_this_computer_only(request) is expected
