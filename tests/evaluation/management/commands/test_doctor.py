"""`doctor` prints every check and fails where one is bad."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db


def test_it_lists_every_check_as_json() -> None:
    out = StringIO()

    call_command("doctor", "--json", stdout=out)

    found = json.loads(out.getvalue())
    names = [check["name"] for check in found["checks"]]
    assert found["ok"]
    assert {"Python", "Packages", "Database", "Broker", "Worker", "Language model", "Disk"} <= set(names)


def test_it_fails_and_names_what_is_bad(tmp_path: Path, settings: Settings) -> None:
    settings.BASE_DIR = tmp_path
    (tmp_path / "constraints.txt").write_text("no-such-package==1.0\n")
    out = StringIO()

    with pytest.raises(CommandError, match="Not in order: Packages"):
        call_command("doctor", stdout=out)

    assert "!!  Packages" in out.getvalue()
