"""Names of settings whose values an error report leaves out."""

from __future__ import annotations

import pytest

from juryflow_app.reports import DiscreetFilter


@pytest.mark.parametrize("name", ["DATABASE_URL", "BROKER_URL", "CELERY_BROKER_URL", "OPENAI_API_KEY", "FENCE_SECRET"])
def test_what_may_hold_a_secret_is_hidden(name: str) -> None:
    shown = DiscreetFilter().cleanse_setting(name, "amqp://jury:hidden@queue.example//")

    assert "hidden" not in str(shown)


def test_addresses_of_pages_stay_readable() -> None:
    assert DiscreetFilter().cleanse_setting("LOGIN_REDIRECT_URL", "home") == "home"
