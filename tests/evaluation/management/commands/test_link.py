"""`link` prints another sign-in link, or a sentence that says why it cannot."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from evaluation.management import running
from evaluation.management.running import Running

pytestmark = pytest.mark.django_db


def test_it_names_the_address_that_runs(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    out = StringIO()

    with running.noted(tmp_path, Running("http://127.0.0.1:8003", 1, "2026-01-01")):
        call_command("link", stdout=out)

    assert out.getvalue().startswith("http://127.0.0.1:8003/start/")


def test_it_says_how_to_start_where_nothing_runs(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path

    with pytest.raises(CommandError, match="make run"):
        call_command("link")


def test_json_holds_link_and_user() -> None:
    out = StringIO()

    call_command("link", "--json", "--base-url", "https://jury.example", stdout=out)

    found = json.loads(out.getvalue())
    assert found["link"].startswith("https://jury.example/start/")
    assert found["user"] == "owner"


def test_an_unknown_user_is_refused_by_name() -> None:
    with pytest.raises(CommandError, match="'bea'"):
        call_command("link", "--user", "bea", "--base-url", "https://jury.example")
