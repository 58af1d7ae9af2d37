"""Settings whose values an error report leaves out, and refusals that are logged in one line."""

from __future__ import annotations

import logging

import pytest

from juryflow_app import settings_test as real
from juryflow_app.reports import DiscreetFilter, PlainRefusals


@pytest.mark.parametrize("name", ["DATABASE_URL", "BROKER_URL", "CELERY_BROKER_URL", "OPENAI_API_KEY", "FENCE_SECRET"])
def test_what_may_hold_a_secret_is_hidden(name: str) -> None:
    shown = DiscreetFilter().cleanse_setting(name, "amqp://jury:hidden@queue.example//")

    assert "hidden" not in str(shown)


def test_addresses_of_pages_stay_readable() -> None:
    assert DiscreetFilter().cleanse_setting("LOGIN_REDIRECT_URL", "home") == "home"


@pytest.mark.parametrize(
    ("name", "level", "has_traceback"),
    [
        ("django.request", logging.WARNING, False),
        ("django.request", logging.ERROR, True),
        ("evaluation.services.panel_worker", logging.WARNING, True),
    ],
)
def test_only_a_plain_refusal_loses_its_traceback(name: str, level: int, *, has_traceback: bool) -> None:
    error = (PermissionError, PermissionError("no"), None)
    record = logging.LogRecord(name, level, __file__, 1, "Forbidden: %s", ("/p/x/",), error)

    is_logged = PlainRefusals().filter(record)

    assert is_logged
    assert bool(record.exc_info) is has_traceback


def test_the_log_of_the_real_settings_is_so_filtered() -> None:
    assert real.LOGGING["handlers"]["console"]["filters"] == ["refusals"]
    assert real.LOGGING["filters"]["refusals"]["()"] == f"{PlainRefusals.__module__}.{PlainRefusals.__name__}"
