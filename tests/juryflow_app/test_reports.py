"""Settings whose values an error report leaves out, and refusals that are logged in one line."""

from __future__ import annotations

import logging

import pytest
from django.test import RequestFactory
from pytest_django import Settings

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


def test_vendors_libraries_log_nothing_of_what_they_send() -> None:
    levels = {name: real.LOGGING["loggers"][name]["level"] for name in ("openai", "anthropic", "httpx2", "httpcore2")}

    assert set(levels.values()) == {"WARNING"}


@pytest.mark.parametrize("is_debugging", [False, True])
def test_fields_that_are_marked_sensitive_are_hidden_whether_debugging_or_not(
    rf: RequestFactory, settings: Settings, *, is_debugging: bool
) -> None:
    settings.DEBUG = is_debugging
    request = rf.post("/", {"key": "sk-hidden", "name": "J"})
    request.sensitive_post_parameters = "__ALL__"  # type: ignore[attr-defined]

    shown = DiscreetFilter().get_post_parameters(request)

    assert "sk-hidden" not in str(shown)
